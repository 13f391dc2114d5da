// SPDX-License-Identifier: Apache-2.0
/// The made-up machine of the preset `harbour`: its size, its names and its clock.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fathom::quayside {

/// Microseconds since the Unix epoch.
using Micros = std::int64_t;

inline constexpr Micros second = 1'000'000;
inline constexpr Micros minute = 60 * second;
inline constexpr Micros hour = 60 * minute;

inline constexpr Micros log_start = 1'709'532'000 * second;  // 2024-03-04T06:00:00Z, a Monday
inline constexpr Micros step = 10 * second;                  // the collector's grid
inline constexpr double default_days = 0.5;

inline constexpr std::string_view filesystem = "harbour";
inline constexpr std::uint32_t ost_count = 12;
inline constexpr std::uint32_t osts_per_server = 4;
inline constexpr std::uint32_t node_count = 96;
/// Lustre's job_cleanup_interval: so long after a job's last request a server throws its counters away.
inline constexpr Micros cleanup_interval = 30 * minute;

inline constexpr std::uint64_t mib = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kib = 1024;

/// Read bytes, written bytes, read requests, write requests: the first four counters of model/counters.h.
using Amounts = std::array<std::uint64_t, 4>;

inline void add_to(Amounts& sum, const Amounts& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

/// `harbour-OST000b`: Lustre counts in hexadecimal.
inline std::string server_name(std::uint32_t ost) { return fmt::format("{}-OST{:04x}", filesystem, ost); }
inline std::string node_name(std::uint32_t node) { return fmt::format("n{:03}", node + 1); }

/// The how-manieth step of the log holds this time; what happens in step s shows at reading s + 1.
constexpr std::int64_t step_of(Micros t) { return (t - log_start) / step; }
constexpr Micros reading_time(std::int64_t reading) { return log_start + reading * step; }

/// Readings of each OST in a log of so many days, the first at its start.
constexpr std::int64_t reading_count(double days) {
  const auto readings = static_cast<std::int64_t>(days * 86'400.0 * 1e6 / static_cast<double>(step) + 0.5);
  return readings < 2 ? 2 : readings;
}

}  // namespace fathom::quayside
