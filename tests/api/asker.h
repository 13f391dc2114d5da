// SPDX-License-Identifier: Apache-2.0
/// Asks the dashboard's API whatever some bytes choose, from the endpoints' own descriptors, and insists that every answer is one that may
/// be.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dashboard/front.h"
#include "tests/support/made_folder.h"
#include "trace/made_trace_test.h"

namespace fathom::api_test {

/// Bytes as a source of choices; when they have come to an end every choice is the first.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
  bool any() const { return !rest_.empty(); }
  std::uint8_t byte();
  std::size_t below(std::size_t limit);  // limit > 0
  bool one_in(unsigned count) { return below(count) == count - 1; }
  std::string text();  // up to 31 bytes, as they are
  template <class Things>
  const auto& of(const Things& things) {
    return things[below(std::size(things))];
  }

 private:
  std::span<const std::uint8_t> rest_;
};

/// A small store with kept criteria and patterns, one that was removed since, a trace, and a dashboard of them.
class Asker {
 public:
  static Result<std::unique_ptr<Asker>> open();

  /// Gives the status of the answer. Prints the question and aborts when the answer is none that may be.
  unsigned ask(Choices choices);
  const std::string& asked() const { return request_.target; }

 private:
  Asker() = default;
  Result<void> make_store(const std::string& path);
  Result<void> learn_words();
  std::string value(dashboard::Parameter::Kind kind, Choices& choices) const;
  std::string target(const dashboard::Endpoint& endpoint, Choices& choices) const;
  std::string body(Choices& choices) const;
  void check(const http::Response& response) const;
  [[noreturn]] void object(std::string_view to, const http::Response& response) const;

  MadeFolder folder_;
  trace::MadeTrace trace_;
  std::unique_ptr<dashboard::Dashboard> dashboard_;
  std::optional<dashboard::Front> front_;
  std::vector<std::string> words_;  // of stores, jobs, users, applications, values, servers
  std::vector<double> times_;       // around the store's span
  std::string tag_;                 // of the last answer that had one
  http::Request request_;
};

}  // namespace fathom::api_test
