// SPDX-License-Identifier: Apache-2.0
#include "compete/slowdown.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"

namespace fathom::compete {
namespace {

double in_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

double relative_error(double predicted, double observed) { return (predicted - observed) / observed; }

/// Nodes that several applications are on count in parts; the model wants whole weights.
std::vector<std::uint64_t> whole_weights(std::span<const Application> applications, Share share) {
  std::vector<std::uint64_t> found;
  for (const double weight : weights(applications, share)) found.push_back(static_cast<std::uint64_t>(std::llround(weight * 1e6)));
  return found;
}

/// Those with an I/O phase: the others compete for nothing.
std::vector<std::size_t> competing(std::span<const Application> applications) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < applications.size(); ++i)
    if (applications[i].phase.slices > 0) found.push_back(i);
  return found;
}

/// With a capacity of 1 work is the time that it takes alone: rate = (volume / alone) x weight / weight of all that are active.
void predict(Slowdowns& all, std::span<const Application> applications, const std::vector<std::size_t>& competing,
             const std::vector<std::uint64_t>& weights) {
  std::vector<sharing::Competitor> competitors;
  for (const std::size_t i : competing) {
    const auto& alone = all.applications[i].alone;
    if (!alone) return;
    competitors.push_back(
        {.start = in_seconds(applications[i].phase.begin), .work = *alone, .weight = weights[i], .writers = applications[i].movers.size()});
  }
  const sharing::Course& course = all.predicted_course = sharing::share_out(competitors, sharing::Capacity(1));
  for (std::size_t k = 0; k < competing.size(); ++k) {
    Slowdown& one = all.applications[competing[k]];
    one.predicted = course.turns[k].length;
    one.error = relative_error(*one.predicted, *one.concurrent);
  }
}

void infer(Slowdowns& all, std::span<const Application> applications, const std::vector<std::size_t>& competing,
           const std::vector<std::uint64_t>& weights) {
  std::vector<sharing::Observation> seen;
  for (const std::size_t i : competing)
    seen.push_back({.start = in_seconds(applications[i].phase.begin),
                    .end = in_seconds(applications[i].phase.end),
                    .weight = weights[i],
                    .writers = applications[i].movers.size()});
  all.observed_course = sharing::observed_course(seen, sharing::Capacity(1));
  const std::vector<double> work = sharing::work_done(all.observed_course, seen);
  for (std::size_t k = 0; k < competing.size(); ++k) {
    Slowdown& one = all.applications[competing[k]];
    one.inferred = work[k];
    if (one.alone) one.inferred_error = relative_error(work[k], *one.alone);
  }
}

/// Times of runs that moved different amounts say little about each other.
void check_amount(Slowdowns& all, const Application& application, const Alone& alone, Direction direction) {
  constexpr double much = 0.01;
  if (!alone.bytes) return;
  const auto here = static_cast<double>(
      bytes_in(application.series, direction, application.series.first, static_cast<std::int64_t>(application.series.sums.size())));
  const auto there = static_cast<double>(*alone.bytes);
  if (std::abs(here - there) <= much * std::max(here, there)) return;
  all.notices.push_back(fmt::format("{} moved {} alone and {} beside the others: its times are not of the same work", application.label,
                                    human_bytes(there), human_bytes(here)));
}

}  // namespace

Slowdowns slowdowns(std::span<const Application> applications, std::span<const std::optional<Alone>> alone, Direction direction,
                    Share share) {
  Slowdowns all;
  all.share = share;
  all.applications.resize(applications.size());
  const std::vector<std::size_t> those = competing(applications);
  std::string missing;
  bool any = false;
  for (const std::size_t i : those) {
    Slowdown& one = all.applications[i];
    one.concurrent = in_seconds(applications[i].phase.length());
    if (!alone[i]) {
      missing += (missing.empty() ? "" : ", ") + applications[i].label;
      continue;
    }
    any = true;
    one.alone = alone[i]->seconds;
    one.factor = *one.concurrent / *one.alone;
    check_amount(all, applications[i], *alone[i], direction);
  }
  if (any && !missing.empty())
    all.notices.push_back(
        fmt::format("no prediction: it needs the time alone of every application, and that of {} is missing (--standalone)", missing));
  const std::vector<std::uint64_t> weights = whole_weights(applications, share);
  all.competing = those;
  for (const std::size_t i : those) all.weights.push_back(weights[i]);
  predict(all, applications, those, weights);
  infer(all, applications, those, weights);
  return all;
}

}  // namespace fathom::compete
