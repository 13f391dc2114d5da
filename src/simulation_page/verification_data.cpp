// SPDX-License-Identifier: Apache-2.0
#include "simulation_page/verification_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "population/plot_json.h"

namespace fathom::simulation_page {
namespace {

using Json = nlohmann::ordered_json;
using namespace simulate;

struct NodeSums {
  double bytes = 0, difference = 0;
};

NodeSums sums(const std::vector<VerifiedInterval>& intervals) {
  NodeSums all;
  for (const VerifiedInterval& each : intervals)
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const auto real = static_cast<double>(each.real.bytes[kind]), simulated = static_cast<double>(each.simulated.bytes[kind]);
      all.bytes += real;
      all.difference += std::abs(real - simulated);
    }
  return all;
}

/// The I/O nodes that differ most, then those that moved most.
std::vector<std::size_t> telling_nodes(const Verification& found) {
  std::vector<NodeSums> all;
  for (const auto& intervals : found.nodes) all.push_back(sums(intervals));
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all[a].difference != all[b].difference ? all[a].difference > all[b].difference : all[a].bytes > all[b].bytes;
  });
  order.resize(std::min(order.size(), nodes_drawn));
  return order;
}

/// Bytes per second in equal bins of time. What an interval counted is spread evenly over it: nobody knows more.
struct Curve {
  Curve(std::size_t bins, double width) : values(bins), width_(width) {}
  void add(double start, double end, double bytes) {
    if (bytes == 0) return;
    if (end <= start) end = start + 1e-9;
    const auto last = std::min(values.size() - 1, static_cast<std::size_t>(end / width_));
    for (std::size_t bin = std::min(values.size() - 1, static_cast<std::size_t>(start / width_)); bin <= last; ++bin) {
      const double from = std::max(start, static_cast<double>(bin) * width_), to = std::min(end, static_cast<double>(bin + 1) * width_);
      values[bin] += bytes * std::max(0.0, to - from) / (end - start) / width_;
    }
  }
  Json json() const {
    Json list = Json::array();
    for (const double value : values) list.push_back(json_rounded(value));
    return list;
  }
  std::vector<double> values;

 private:
  double width_;
};

Json node_data(const std::string& name, const std::vector<VerifiedInterval>& intervals, std::size_t bins, double width) {
  Json data{{"name", name}};
  constexpr std::pair<const char*, Amounts VerifiedInterval::*> sides[] = {{"real", &VerifiedInterval::real},
                                                                           {"simulated", &VerifiedInterval::simulated}};
  for (const auto& [side, amounts] : sides)
    for (std::size_t kind = 0; kind < 2; ++kind) {
      Curve curve(bins, width);
      for (const VerifiedInterval& each : intervals)
        curve.add(in_seconds(each.start), in_seconds(each.end), static_cast<double>((each.*amounts).bytes[kind]));
      data[std::string(side) + "_" + kind_names[kind]] = curve.json();
    }
  const NodeSums all = sums(intervals);
  data["error"] = all.bytes > 0 ? json_rounded(all.difference / all.bytes) : Json(nullptr);
  return data;
}

Picoseconds median(std::vector<Picoseconds> lengths) {
  if (lengths.empty()) return 0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

}  // namespace

Json verification_data(const Heading& heading, const Scenario& scenario, const Work& work, const Verification& found) {
  Json page = begin_page(heading, scenario, work);
  Json data;
  data["errors"] = Json::array();
  for (const CounterError& each : found.errors)
    data["errors"].push_back({{"counter", each.counter},
                              {"increments", each.increments},
                              {"with_error", each.with_error},
                              {"unexpected", each.unexpected},
                              {"average_error", json_number(each.average_error)}});
  Picoseconds end = 0;
  std::vector<Picoseconds> lengths;
  for (const auto& intervals : found.nodes)
    for (const VerifiedInterval& each : intervals) {
      end = std::max(end, each.end);
      lengths.push_back(each.end - each.start);
    }
  // Bins narrower than what was usually measured would show nothing more.
  const double seconds = std::max(1e-9, in_seconds(end)), usual = std::max(1e-9, in_seconds(median(std::move(lengths))));
  const std::size_t bins = std::clamp<std::size_t>(static_cast<std::size_t>(std::min(1e6, seconds / usual)), 1, most_time_bins);
  const double width = seconds / static_cast<double>(bins);
  data["step"] = json_number(width);
  data["nodes"] = Json::array();
  for (const std::size_t n : telling_nodes(found)) data["nodes"].push_back(node_data(work.nodes[n].name, found.nodes[n], bins, width));
  page["verification"] = std::move(data);
  return page;
}

}  // namespace fathom::simulation_page
