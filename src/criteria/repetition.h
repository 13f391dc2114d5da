// SPDX-License-Identifier: Apache-2.0
/// Whether a job reads, writes or mixes in a rhythm (criterion 2.11), with a test that can say no.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "timeline/slots.h"

namespace fathom {

struct Repetition {
  Dominating type = Dominating::none;
  std::optional<double> period;  // in slots; none: it does not repeat, or this series cannot tell
  std::string evidence;          // what the test saw, in words
};

/// n_x(lag) of D Eq. 3.58 for lags 0 ... size - 1.
std::vector<std::uint64_t> coincidences(std::span<const Dominating> series, Dominating type);

/// Tests read, write and mixed. A lag counts as a period if the autocorrelation of the type's indicator has its first high peak after the
/// first fall below zero there, and its value is beyond Bartlett's standard error at the 1 % level over all lags looked at
/// (Bonferroni). Needs three periods in the series. A constant series does not repeat.
std::array<Repetition, 3> repetitions(std::span<const Dominating> series);

inline constexpr std::string_view repetition_test = "autocorrelation against Bartlett's standard error, 1 % over all lags";

}  // namespace fathom
