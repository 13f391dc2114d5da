// SPDX-License-Identifier: Apache-2.0
/// The made-up machine of the preset `spider`: its size, its names and its clock.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fathom::titan {

/// Milliseconds since the first sample of the counter log; negative while the machine warms up.
using Millis = std::int64_t;

inline constexpr Millis second = 1000;
inline constexpr Millis minute = 60 * second;
inline constexpr Millis hour = 60 * minute;
inline constexpr Millis day = 24 * hour;

inline constexpr std::int64_t log_start_seconds = 1425168000;  // 2015-03-01T00:00:00Z
inline constexpr Millis step = 10 * second;                    // the collector's grid
/// Jobs run this long before the first sample, so that the log begins with a machine in use.
inline constexpr Millis warm_up = 6 * hour;
inline constexpr double default_days = 7;

inline constexpr std::size_t partition_count = 2;
inline constexpr std::array<std::string_view, partition_count> partition_names = {"atlas1", "atlas2"};
inline constexpr std::size_t partition_osts = 504;
inline constexpr std::size_t ost_count = partition_count * partition_osts;
inline constexpr std::size_t osts_per_server = 7;  // those of one OSS fail over together
inline constexpr std::size_t stripe_count = 4;     // OSTs of one file, Spider's default

inline constexpr std::uint32_t node_count = 18688;
inline constexpr std::size_t most_running_jobs = 68;

/// Bytes per millisecond of one OST: bursts share the first part, small requests have the rest, 500 MB/s in all.
inline constexpr std::uint64_t burst_capacity = 460'000;
inline constexpr std::uint64_t small_capacity = 40'000;

inline constexpr std::uint64_t gib = std::uint64_t{1} << 30;

/// `atlas1-OST01f7`: Lustre counts OSTs in hexadecimal.
inline std::string server_name(std::size_t ost) {
  return fmt::format("{}-OST{:04x}", partition_names[ost / partition_osts], ost % partition_osts);
}

/// Unix seconds of a time that lies on a whole second.
constexpr std::int64_t unix_seconds(Millis t) { return log_start_seconds + t / second; }

/// Samples of each OST in a log of so many days: at 0, 10 s, ... and before the last day's end.
constexpr std::int64_t sample_count(double days) {
  constexpr std::int64_t samples_of_a_day = day / step;
  const auto samples = static_cast<std::int64_t>(days * static_cast<double>(samples_of_a_day) + 0.5);
  return samples < 2 ? 2 : samples;
}

}  // namespace fathom::titan
