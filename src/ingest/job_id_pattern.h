// SPDX-License-Identifier: Apache-2.0
/// How a site makes the job ids of its Lustre counters, in the terms of Lustre's own jobid_name: `%j`, `%e.%u`, `%j:%u:%H`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

class JobIdPattern {
 public:
  static constexpr std::size_t longest_id = 255;  // Lustre's own limit is 31 characters

  JobIdPattern() = default;  // any id, as it is
  /// %e executable, %g group id, %h host name, %H host name up to its first dot, %j job id, %p process id, %u user id, %% a percent sign.
  static Result<JobIdPattern> parse(std::string_view pattern);

  /// The job that `id` stands for: its %j part, or all of it where the pattern has no %j; nothing when it does not match.
  std::optional<std::string_view> job(std::string_view id) const;

  /// Can one job have several ids (its %j with different users, hosts, ...)?
  bool splits_jobs() const;

 private:
  struct Part {
    char code = 0;  // 0: literal
    std::string literal;
    char stop = 0;  // what follows in the pattern: no part of a %j
  };
  static bool fits(const Part& part, char c);

  std::vector<Part> parts_;
};

}  // namespace fathom
