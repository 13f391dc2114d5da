// SPDX-License-Identifier: Apache-2.0
#include "compete/fairness.h"

#include <cmath>
#include <map>
#include <numeric>

namespace fathom::compete {
namespace {

/// Fewer say nothing: the first and the last are often only partly used.
constexpr std::int64_t fewest_slices = 3;
constexpr double the_same = 1e-9;

double distance(const Shares& a, const Shares& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

Shares observed(std::span<const Application> applications, Direction direction, std::int64_t first, std::int64_t slices) {
  std::vector<double> bytes;
  for (const Application& application : applications)
    bytes.push_back(static_cast<double>(slices::bytes_in(application.series, direction, first, slices)));
  return shares_of(bytes);
}

}  // namespace

std::vector<double> weights(std::span<const Application> applications, Share share) {
  std::vector<double> found(applications.size());
  if (share == Share::process) {
    for (std::size_t i = 0; i < applications.size(); ++i) found[i] = static_cast<double>(applications[i].movers.size());
    return found;
  }
  std::map<std::string_view, std::vector<double>> on_node;
  for (std::size_t i = 0; i < applications.size(); ++i)
    for (const slices::Process* process : applications[i].movers)
      on_node.try_emplace(process->host, applications.size()).first->second[i] += 1;
  for (const auto& [host, processes] : on_node) {
    const double all = std::accumulate(processes.begin(), processes.end(), 0.0);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] += processes[i] / all;
  }
  return found;
}

Shares shares_of(std::span<const double> weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  Shares shares(weights.size());
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = all > 0 ? weights[i] / all : 0;
  return shares;
}

Fairness fairness(std::span<const Application> applications, Direction direction, const ActiveOverlap& overlap) {
  Fairness found;
  for (const Share share : {Share::process, Share::node})
    found.expected[static_cast<std::size_t>(share)] = shares_of(weights(applications, share));
  if (overlap.slices > 0) {
    found.observed = observed(applications, direction, overlap.first, overlap.slices);
    for (std::size_t s = 0; s < 2; ++s) found.distance[s] = distance(found.observed, found.expected[s]);
  }
  if (overlap.slices == 0) {
    found.why = "there is no slice in which all processes moved data";
  } else if (overlap.slices < fewest_slices) {
    found.why = "the active overlap is shorter than 3 slices";
  } else if (distance(found.expected[0], found.expected[1]) < the_same) {
    found.why = "both give the same shares";
  } else if (std::abs(found.distance[0] - found.distance[1]) < the_same) {
    found.why = "both are as far from what was observed";
  } else {
    found.nearer = found.distance[0] < found.distance[1] ? Share::process : Share::node;
    // Slices in which both are as far off count for neither, so that rounding, which the order of applications changes, decides nothing.
    const auto nearer = static_cast<std::size_t>(*found.nearer);
    for (std::int64_t number = overlap.first; number < overlap.first + overlap.slices; ++number) {
      const Shares in_slice = observed(applications, direction, number, 1);
      found.slices += distance(in_slice, found.expected[nearer]) < distance(in_slice, found.expected[1 - nearer]) - the_same;
    }
  }
  return found;
}

}  // namespace fathom::compete
