// SPDX-License-Identifier: Apache-2.0
/// How job logs write times and limits, and what is said about them once per file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "ingest/reader.h"

namespace fathom {

/// The first line that is not blank, without a byte order mark: what most job logs are recognised by.
std::string_view first_line_of(std::string_view first_bytes);

/// `5-00:00:00`, `1-12`, `00:02:43`, `30:00` (minutes and seconds), or a plain number in units of `plain`.
std::optional<Duration> parse_time_span(std::string_view text, Duration plain);

/// Reads the fields of one file's jobs and remembers what its user should be told.
class JobText {
 public:
  explicit JobText(const ReadOptions& options) : zone_(options.timezone.value_or(Zone{})), zone_given_(options.timezone.has_value()) {}

  /// Unix seconds or ISO 8601; without an offset in the zone of --timezone, or in UTC. Of an hour that happens twice it is the first one,
  /// or the second where the first would be before `after`.
  std::optional<Time> time(std::string_view text, Time after = no_time);
  /// A point on the local clock in seconds since 1970, for logs with a date form of their own.
  Time local_time(std::int64_t local_seconds);
  /// None for an empty text, UNLIMITED and the like; an unreadable one is none too, and counted.
  std::optional<Duration> time_limit(std::string_view text, Duration plain);
  /// Puts the notices that arose into the harvest; called once, at the end.
  void tell(Harvest& harvest) const;

 private:
  Zone zone_;
  bool zone_given_;
  bool zone_assumed_ = false;
  std::uint64_t unreadable_limits_ = 0;
  std::string unreadable_limit_;
};

}  // namespace fathom
