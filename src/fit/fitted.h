// SPDX-License-Identifier: Apache-2.0
/// What fitting says about one parameter of a scenario, in one direction.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "simulate/requests.h"

namespace fathom::fit {

struct Fitted {
  std::string parameter;  // external_link.bandwidth, disk_link.bandwidth or latency
  simulate::Kind kind = simulate::Kind::read;
  std::string server;                          // empty: of all of them
  std::optional<double> value;                 // none: there is only a bound, or nothing at all
  std::string_view unit;                       // bytes/s or s
  std::optional<double> lower, upper;          // of the interval, or bounds; none: not bounded
  std::uint64_t observations = 0;              // runs or intervals that it rests on
  std::string_view method;                     // regression, continuous intervals, lower bound, none
  std::optional<double> r_squared, deviation;  // of a regression; the deviation of residuals in seconds
  std::string notes;
};

inline constexpr std::string_view bytes_per_second = "bytes/s", seconds_unit = "s";
inline constexpr std::string_view external_link_bandwidth = "external_link.bandwidth", disk_link_bandwidth = "disk_link.bandwidth";

inline void add_note(std::string& notes, std::string_view note) {
  if (!notes.empty()) notes += "; ";
  notes += note;
}

}  // namespace fathom::fit
