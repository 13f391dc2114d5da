// SPDX-License-Identifier: Apache-2.0
#include "simulate/cost.h"

#include <algorithm>

namespace fathom::simulate {
namespace {

constexpr double seconds_per_day = 86400, days_per_year = 365.25;

/// Bytes that can be written into one burst buffer.
std::optional<double> endurance(const Prices& prices, double size) {
  if (prices.endurance_bytes) return prices.endurance_bytes;
  if (!prices.drive_writes_per_day || !prices.warranty_years) return std::nullopt;
  return *prices.drive_writes_per_day * size * days_per_year * *prices.warranty_years;
}

}  // namespace

std::optional<double> cost(const Prices& prices, const Architecture& architecture, std::size_t io_nodes) {
  if (!prices.external_bandwidth || (architecture.burst_buffer > 0 && !prices.burst_buffer)) return std::nullopt;
  const double links = static_cast<double>(architecture.external_bandwidth) / static_cast<double>(Gbit) * *prices.external_bandwidth;
  const double buffers = static_cast<double>(architecture.burst_buffer) / static_cast<double>(GiB) * prices.burst_buffer.value_or(0);
  return static_cast<double>(io_nodes) * (links + buffers);
}

Buffered buffered(const Architecture& architecture, const Work& work, const Outcome& outcome) {
  Buffered all;
  all.io_nodes = outcome.nodes.size();
  all.span = outcome.end;
  for (std::size_t first = 0; first < outcome.nodes.size(); first += architecture.burst_buffer_shared_by) {
    const std::size_t end = std::min<std::size_t>(first + architecture.burst_buffer_shared_by, outcome.nodes.size());
    std::uint64_t together = 0;
    for (std::size_t n = first; n < end; ++n) together += outcome.nodes[n].buffered_bytes;
    all.bytes += together;
    all.most = std::max(all.most, together / (end - first));
  }
  for (const NodeWork& node : work.nodes)
    for (const Step& step : node.steps) all.span = std::max(all.span, step.end);
  return all;
}

Wear wear(const Prices& prices, const Architecture& architecture, const Buffered& buffered) {
  Wear found;
  if (buffered.span <= 0) return found;
  const double days = in_seconds(buffered.span) / seconds_per_day;
  found.bytes_per_day = static_cast<double>(buffered.bytes) / days;
  if (architecture.burst_buffer == 0 || buffered.io_nodes == 0) return found;
  const auto size = static_cast<double>(architecture.burst_buffer);
  const double most_per_day = static_cast<double>(buffered.most) / days;
  found.full_writes_per_day = *found.bytes_per_day / static_cast<double>(buffered.io_nodes) / size;
  found.most_full_writes_per_day = most_per_day / size;
  if (const auto bytes = endurance(prices, size); bytes && most_per_day > 0) found.years = *bytes / most_per_day / days_per_year;
  return found;
}

}  // namespace fathom::simulate
