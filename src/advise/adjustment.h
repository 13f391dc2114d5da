// SPDX-License-Identifier: Apache-2.0
/// The alpha of Equation 2: what jobs that have just begun, or will soon end, change in the load that the table shows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "advise/known_pattern.h"
#include "advise/load_table.h"

namespace fathom::advise {

/// The servers of one file system.
struct Partition {
  std::string filesystem;
  std::vector<std::uint32_t> servers;
};

/// How much of a job is still to be put into the load (above 0) or to be taken out of it (below 0). The table has seen it for the last
/// min(running, horizon) seconds of its `horizon`; of the next `horizon` seconds it will be there for min(left, horizon). Nobody
/// knows how long it will run: then it stays.
double unseen_share(double running_seconds, std::optional<double> left_seconds, double horizon_seconds);

/// How long a job will run on, from how long its application usually runs and from what it asked for.
std::optional<double> left_seconds(double running_seconds, double usual_seconds, std::optional<double> limit_seconds);

/// Puts a pattern (share > 0) on the K most idle of `servers`, or takes it (share < 0) off the K most busy, K being its footprint; burst by
/// burst, since the servers of an application are others at every burst (AID, section IV): with b bursts in |share| of the horizon, b times
/// a b-th of the pattern.
///
/// A periodic pattern adds u bytes per second to a server for a fraction d = |share| x burst time / period of the time. When it does so has
/// nothing to do with what else the server does, so the time in each band becomes (1 - d) f + d (f moved up by u): alpha = d (f moved up by
/// u - f). Band 0 counts as throughput 0 (AID, Fig. 1: 88 % of the time is below 5 MB/s), a higher one as even between its edges. A server
/// that takes part in n of b bursts gets n d / b. Taking off is the opposite: time at u and above moves down by u, lowest band first, until
/// d of the time has moved. What is not there is not taken, so that f + alpha is never below 0. Either way fractions still add up to 1.
void adjust(Loads& loads, const Bands& bands, std::span<const std::uint32_t> servers, const KnownPattern& pattern, double share,
            double horizon_seconds);

/// Mean band of a server, to tell idle from busy.
double mean_level(std::span<const double> fractions);

}  // namespace fathom::advise
