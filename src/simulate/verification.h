// SPDX-License-Identifier: Apache-2.0
/// Simulated counters against the real ones that the work came from: Table 5.1 of the dissertation.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "simulate/engine.h"

namespace fathom::simulate {

struct CounterError {
  std::string_view counter;
  std::uint64_t increments = 0;
  std::uint64_t with_error = 0;
  std::uint64_t unexpected = 0;  // of these: really nothing, and something in the simulation
  double average_error = 0;      // |simulated - real| / real, over the increments that really had something
};

struct VerifiedInterval {
  Picoseconds start = 0, end = 0;
  Amounts real, simulated;
};

/// With the increments themselves, in the order of the work (Fig. 5.7).
struct Verification {
  std::array<CounterError, 4> errors{};
  std::vector<std::vector<VerifiedInterval>> nodes;
  bool stopped = false;  // then only what ended before is in it
};

/// Runs the work at its own times. Simulated counters are taken at the bypass, at the end of every increment of the same series: they
/// differ where I/O was not done by then, and where requests had to be split.
Result<Verification> verify(const Architecture& architecture, const Work& work, const Watch& watch = {});

}  // namespace fathom::simulate
