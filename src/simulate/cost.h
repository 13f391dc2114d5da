// SPDX-License-Identifier: Apache-2.0
/// What an architecture costs, and how long its burst buffers last: from prices that the user gave, and from what was written.
#pragma once

#include <optional>
#include <string>

#include "simulate/architecture.h"
#include "simulate/outcome.h"
#include "simulate/work.h"

namespace fathom::simulate {

/// The table [cost] of a scenario. What it does not say is not known: there are no usual prices.
struct Prices {
  std::string currency;
  std::optional<double> external_bandwidth;                    // of 1 Gbit/s of one I/O node
  std::optional<double> burst_buffer;                          // of 1 GiB
  std::optional<double> endurance_bytes;                       // that can be written into the burst buffer of one I/O node
  std::optional<double> drive_writes_per_day, warranty_years;  // the same as data sheets of SSDs say it
};

/// Of all I/O nodes together. Nothing when the price of something that the machine has is not known.
std::optional<double> cost(const Prices& prices, const Architecture& architecture, std::size_t io_nodes);

/// What went into the burst buffers of all I/O nodes.
struct Buffered {
  std::uint64_t bytes = 0, most = 0;  // most: of one I/O node; of those that share theirs, the mean
  std::uint64_t io_nodes = 0;
  Picoseconds span = 0;  // in which this happened
};

/// The span ends with the last event, or with the last interval if that is later.
Buffered buffered(const Architecture& architecture, const Work& work, const Outcome& outcome);

struct Wear {
  std::optional<double> bytes_per_day;             // into all of them; nothing without time
  std::optional<double> full_writes_per_day;       // of a burst buffer, on average; nothing without one
  std::optional<double> most_full_writes_per_day;  // of the one that is written most
  std::optional<double> years;                     // until that one is worn out; nothing when nothing is written
};

Wear wear(const Prices& prices, const Architecture& architecture, const Buffered& buffered);

}  // namespace fathom::simulate
