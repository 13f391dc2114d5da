// SPDX-License-Identifier: Apache-2.0
/// A synthetic month in a file, so that settings of mining can be tried again without running the machine again. For this build alone: no
/// version, no byte order.
#pragma once

#include <cstdio>
#include <memory>
#include <type_traits>

#include "spider_blocks.h"

namespace fathom {

/// Writes or reads, whichever it is made for: the fields are named once.
class MonthFile {
 public:
  MonthFile(const std::string& path, bool writing) : writing_(writing), file_(std::fopen(path.c_str(), writing ? "wb" : "rb"), &close) {}
  bool open() const { return file_ != nullptr; }
  bool good() const { return good_; }

  void put(MonthOfSpider& month) {
    put(month.end);
    put(month.logs,
        [this](mine::BurstLog& log) { put(log.filesystem), put(log.direction), put(log.step), put(log.bursts), put(log.seen); });
    put(month.applications, [this](mine::Application& each) {
      put(each.name);
      put(each.runs, [this](mine::Run& run) { put(run.job), put(run.start), put(run.end); });
    });
    std::vector<std::pair<mine::ApplicationName, TrueApplication>> truths(month.truths.begin(), month.truths.end());
    put(truths, [this](auto& each) { put(each.first), put(each.second); });
    month.truths = {truths.begin(), truths.end()};
  }

 private:
  static void close(std::FILE* file) {
    if (file) std::fclose(file);
  }
  void bytes(void* data, std::size_t size) {
    if (size > 0 && good_) good_ = (writing_ ? std::fwrite(data, 1, size, file_.get()) : std::fread(data, 1, size, file_.get())) == size;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(T& value) { bytes(&value, sizeof value); }
  template <class Many>
  void sized(Many& many) {
    std::size_t size = many.size();
    put(size);
    if (!writing_) many.resize(good_ ? size : 0);
  }
  void put(std::string& text) { sized(text), bytes(text.data(), text.size()); }
  template <class T>
  void put(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    sized(values), bytes(values.data(), values.size() * sizeof(T));
  }
  template <class T, class Each>
  void put(std::vector<T>& values, Each each) {
    sized(values);
    for (T& value : values) each(value);
  }
  void put(mine::ApplicationName& name) { put(name.user), put(name.name), put(name.nodes); }
  void put(TrueApplication& truth) {
    put(truth.kind), put(truth.runs), put(truth.off);
    std::vector<std::pair<int, TruePattern>> patterns(truth.patterns.begin(), truth.patterns.end());
    put(patterns, [this](auto& each) {
      TruePattern& p = each.second;
      put(each.first), put(p.bursts), put(p.bytes), put(p.seconds), put(p.servers), put(p.intervals), put(p.interval_time), put(p.runs),
          put(p.direction), put(p.partition), put(p.rates);
    });
    truth.patterns = {patterns.begin(), patterns.end()};
  }

  bool writing_, good_ = true;
  std::unique_ptr<std::FILE, void (*)(std::FILE*)> file_;
};

/// The month of this seed and variant: from `folder`, where it is kept, or made and kept there. Without a folder it is made.
inline std::unique_ptr<MonthOfSpider> spider_month(const std::string& folder, std::uint64_t seed, double days,
                                                   const titan::SpiderVariant& variant) {
  char name[200];
  std::snprintf(name, sizeof name, "/seed%llu-days%g-background%g-running%zu-cases%d.month", static_cast<unsigned long long>(seed), days,
                variant.background, variant.most_running, variant.cases);
  const std::string path = folder + name;
  if (!folder.empty()) {
    MonthFile file(path, false);
    auto month = std::make_unique<MonthOfSpider>();
    if (file.open()) file.put(*month);
    if (file.open() && file.good()) return month;
  }
  SpiderMonth watcher;
  titan::simulate({.seed = seed, .days = days, .jobs = std::nullopt, .progress = [](double) {}}, watcher, true, variant);
  auto month = std::make_unique<MonthOfSpider>(std::move(static_cast<MonthOfSpider&>(watcher)));
  if (folder.empty()) return month;
  bool kept = false;
  {
    MonthFile file(path + ".new", true);
    if (file.open()) file.put(*month), kept = file.good();
  }
  if (!kept || std::rename((path + ".new").c_str(), path.c_str()) != 0)
    std::exit((std::fprintf(stderr, "cannot keep %s\n", path.c_str()), 2));
  return month;
}

}  // namespace fathom
