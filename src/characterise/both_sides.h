// SPDX-License-Identifier: Apache-2.0
/// One job seen from both sides on one clock: what its processes moved, what its servers moved for it, and what they moved in all.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "characterise/client_runs.h"
#include "characterise/job_view.h"

namespace fathom {

struct SideSlot {
  std::int64_t begin = 0, length = 0;           // microseconds, inside the job
  std::array<double, 2> client{};               // bytes read, written
  std::optional<std::array<double, 2>> server;  // the job's; none: not measured; NaN: of this direction nothing was counted
  std::optional<double> servers;                // all traffic of the servers that it used
};

/// By how much the servers come after the clients.
struct Delay {
  double seconds = 0;
  double correlation = 0;     // of the two sides, the clients moved by the delay
  std::size_t direction = 0;  // 0 read, 1 write: the one that moved more
};

struct BothSides {
  std::vector<SideSlot> slots;
  std::array<double, 2> client{}, server{};
  std::array<bool, 2> counted{};  // whether the servers counted this direction at all
  double servers = 0;             // all traffic of its servers while it ran
  std::optional<Delay> delay;     // none: the sides do not go together
};

/// `step` in microseconds. The job was run once; with several traced runs they are added up.
Result<BothSides> both_sides(const Study& study, const JobView& view, const std::vector<ClientRun>& clients, std::int64_t step);

}  // namespace fathom
