// SPDX-License-Identifier: Apache-2.0
/// The time that a question about a machine is about, as a grid.
#pragma once

#include <array>

#include "dashboard/store_answers.h"

namespace fathom::dashboard {

inline constexpr Parameter from_parameter{"from", "begin, Unix seconds; default: of the counters", Parameter::Kind::number};
inline constexpr Parameter to_parameter{"to", "end, Unix seconds; default: of the counters", Parameter::Kind::number};
inline constexpr Parameter filesystem_parameter{"filesystem", "this file system alone; default: all"};

struct AskedTime {
  double from, to;
  double length() const { return to - from; }
};

/// Fails where `to` is not after `from`, or the store has no counters.
Result<AskedTime> asked_time(const StoreMoment& moment, const Call& call);

/// About as many bins as wanted, of a length that people know (1, 2, 5, 10 s, ..., 1 h, 1 d), at whole multiples of it.
TimeGrid nice_grid(const AskedTime& time, std::size_t bins, double least_step);

/// Traffic on a grid: from the overview where its steps are short enough, else from the counters themselves. The grid may get longer steps.
struct Traffic {
  TimeGrid grid;
  TrafficRows rows;
};
Result<Traffic> traffic_by_server(const StoreMoment& moment, const AskedTime& time, std::size_t bins, const std::string& filesystem,
                                  LoadOf what = LoadOf::bytes);
Result<Traffic> traffic_by_filesystem(const StoreMoment& moment, const AskedTime& time, std::size_t bins, const std::string& filesystem,
                                      LoadOf what = LoadOf::bytes);

}  // namespace fathom::dashboard
