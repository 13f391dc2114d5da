// SPDX-License-Identifier: Apache-2.0
/// Points in time (UTC, microseconds since the Unix epoch), how they are read and written, and time zones.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

using Duration = std::chrono::microseconds;
using Time = std::chrono::sys_time<Duration>;

/// "No time": older than any log.
inline constexpr Time no_time{Duration{INT64_MIN}};

constexpr Time time_from_micros(std::int64_t micros) { return Time{Duration{micros}}; }
constexpr std::int64_t micros(Time t) { return t.time_since_epoch().count(); }
constexpr Time time_from_seconds(std::int64_t seconds) { return Time{std::chrono::seconds{seconds}}; }
inline double seconds(Duration d) { return static_cast<double>(d.count()) / 1e6; }
/// Since the Unix epoch.
inline double unix_seconds(Time t) { return seconds(t.time_since_epoch()); }

/// Days since the Unix epoch of the UTC day that holds `t`.
constexpr std::int32_t day_of(Time t) {
  return static_cast<std::int32_t>(std::chrono::floor<std::chrono::days>(t).time_since_epoch().count());
}

/// A zone of the system's database ("Europe/Berlin"), "UTC", or a fixed offset ("+02:00").
class Zone {
 public:
  Zone() = default;  // UTC
  static Result<Zone> named(std::string_view name);
  /// `local` counts seconds as if the clock on the wall showed UTC. An hour that happens twice is taken as the first; in one that is
  /// left out the clock is taken as not yet set.
  Time to_utc(std::int64_t local_seconds, std::int64_t micros = 0) const;
  /// The second time that the clock shows this, if it does so twice.
  std::optional<Time> again(std::int64_t local_seconds, std::int64_t micros = 0) const;
  const std::string& name() const { return name_; }

 private:
  struct Change {
    std::int64_t at;      // UTC seconds from which `offset` holds
    std::int32_t offset;  // seconds east of Greenwich
  };
  std::int32_t offset_at(std::int64_t utc_seconds) const;

  std::string name_ = "UTC";
  std::int32_t first_offset_ = 0;
  std::vector<Change> changes_;
};

/// What a text says about time, before a zone is applied.
struct ClockReading {
  std::int64_t local_seconds = 0;  // since 1970-01-01 of the same clock
  std::int64_t micros = 0;
  std::optional<std::int32_t> offset_seconds;  // from a trailing Z or +hh:mm
  Time in(const Zone& zone) const {
    return offset_seconds ? time_from_seconds(local_seconds - *offset_seconds) + Duration{micros} : zone.to_utc(local_seconds, micros);
  }
  /// The same in the second of two equal hours, if it lies in one.
  std::optional<Time> again_in(const Zone& zone) const { return offset_seconds ? std::nullopt : zone.again(local_seconds, micros); }
};

/// `2016-12-27T20:12:01`, with a blank for the T, a fraction, and Z or +hh:mm; also the date alone.
std::optional<ClockReading> parse_iso8601(std::string_view text);

/// Seconds since the Unix epoch with an optional fraction, exact to the microsecond: `1704924117.040584137`.
std::optional<Time> parse_unix_seconds(std::string_view text);

/// Days since 1970-01-01 of a proleptic Gregorian date, or nothing when there is no such date.
std::optional<std::int64_t> days_from_civil(int year, int month, int day);

std::string format_iso8601(Time t);        // 2016-12-27T20:12:01Z, with the fraction when there is one
std::string format_day(std::int32_t day);  // 2016-12-27
std::string format_unix_seconds(Time t);   // 1482869521 or 1482869521.053212

}  // namespace fathom
