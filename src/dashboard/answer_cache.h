// SPDX-License-Identifier: Apache-2.0
/// Answers that were given, by question and by the version of what they were made from; the oldest give way.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace fathom::dashboard {

struct KeptAnswer {
  std::string version, type, etag;
  std::shared_ptr<const std::string> plain, packed;  // packed null: too short to be worth it
  unsigned status = 200;
};

class AnswerCache {
 public:
  explicit AnswerCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  std::optional<KeptAnswer> find(const std::string& question, const std::string& version);
  void keep(const std::string& question, KeptAnswer answer);

 private:
  struct Entry {
    std::string question;
    KeptAnswer answer;
    std::size_t bytes;
  };
  void drop(std::list<Entry>::iterator entry);
  std::mutex mutex_;
  std::list<Entry> entries_;  // the latest used first
  std::unordered_map<std::string, std::list<Entry>::iterator> places_;
  std::size_t bytes_ = 0, most_bytes_;
};

}  // namespace fathom::dashboard
