// SPDX-License-Identifier: Apache-2.0
#include "timeline/link.h"

#include <algorithm>
#include <tuple>

#include "model/increment.h"

namespace fathom {
namespace {

using FlowNumbers = std::array<std::uint64_t, flow_count>;
constexpr std::size_t metadata_ops = index(Counter::metadata_ops);

FlowNumbers flows_of(const IncrementRun& run, std::size_t row) {
  FlowNumbers amounts{};
  for (std::size_t f = 0; f < flow_count; ++f)
    if (run.has(f, row)) amounts[f] = static_cast<std::uint64_t>(run.amounts[f][row]);
  return amounts;
}

CounterMask mask_of(const IncrementRun& run, std::size_t row) {
  CounterMask has = 0;
  for (std::size_t c = 0; c < counter_count; ++c)
    if (run.has(c, row)) has |= static_cast<CounterMask>(1u << c);
  return has;
}

bool unmeasured(const IncrementRun& run, std::size_t row) { return (run.flags[row] & unmeasured_flags) != 0; }

void add(Ledger::Amounts& sum, const FlowNumbers& amounts) {
  for (std::size_t f = 0; f < flow_count; ++f) sum[f] += amounts[f];
}

}  // namespace

Schedule::Schedule(std::vector<std::uint32_t> jobs, std::span<const JobSpan> spans) : jobs_(std::move(jobs)) {
  std::sort(jobs_.begin(), jobs_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(spans[a].start, spans[a].end, a) < std::tie(spans[b].start, spans[b].end, b);
  });
  std::int64_t latest = INT64_MIN;
  for (const std::uint32_t job : jobs_) {
    if (spans[job].start < latest) apart_ = false;
    latest = std::max(latest, spans[job].end);
    latest_end_.push_back(latest);
    if (spans[job].start == spans[job].end) moments_.push_back(job);
  }
}

std::size_t Schedule::first_after(std::int64_t t) const {
  return static_cast<std::size_t>(std::upper_bound(latest_end_.begin(), latest_end_.end(), t) - latest_end_.begin());
}

void Ledger::add(const Ledger& other) {
  const auto sum = [](Amounts& to, const Amounts& from) {
    for (std::size_t f = 0; f < flow_count; ++f) to[f] += from[f];
  };
  sum(total, other.total);
  sum(to_jobs, other.to_jobs);
  sum(unattributed, other.unattributed);
  sum(discarded, other.discarded);
  sum(repeated, other.repeated);
  increments += other.increments;
  conflicted += other.conflicted;
  broken += other.broken;
}

bool Ledger::conserved() const {
  for (std::size_t f = 0; f < flow_count; ++f)
    if (to_jobs[f] + unattributed[f] + discarded[f] != total[f] + repeated[f]) return false;
  return broken == 0;
}

LinkedPart* Linker::new_part(std::uint32_t job, SeriesId series) {
  LinkedPart& part = parts_.emplace_back();
  part.job = job;
  part.series = series;
  return &part;
}

LinkedPart* Linker::part_of(std::uint32_t job, SeriesId series) {
  if (!is_wanted(job)) return nullptr;
  for (std::size_t i = parts_.size(); i-- > first_part_of_run_;)
    if (parts_[i].job == job) return &parts_[i];
  return new_part(job, series);
}

void Linker::link(const IncrementRun& run, std::span<const std::uint8_t> wanted) {
  const SeriesRule& rule = rules_[run.series];
  if (rule.schedule == nullptr) return;
  wanted_ = wanted;
  first_part_of_run_ = parts_.size();
  const Schedule& schedule = *rule.schedule;
  const auto jobs = schedule.jobs();
  for (std::size_t f = 0; f < flow_count; ++f) {
    if (run.amounts[f] == nullptr) continue;
    Uint128 sum = 0;
    const bool all = run.valid[f] == nullptr;
    for (std::size_t i = 0; i < run.size; ++i) {
      const std::int64_t amount = all || run.has(f, i) ? run.amounts[f][i] : 0;
      sum += static_cast<std::uint64_t>(amount);
    }
    ledger_.total[f] += sum;
  }
  ledger_.increments += run.size;
  for (std::size_t i = 0; i < run.size;) {
    const std::size_t at = schedule.first_after(run.start[i]);
    if (schedule.apart() && at < jobs.size()) {
      const JobSpan& job = jobs_[jobs[at]];
      if (job.start <= run.start[i] && run.end[i] <= job.end && job.start < job.end) {
        const std::size_t inside = static_cast<std::size_t>(std::upper_bound(run.end + i, run.end + run.size, job.end) - run.end);
        link_inside(run, i, inside, jobs[at]);
        i = inside;
        continue;
      }
    }
    link_general(run, i++, schedule);
  }
  note_moments(run, schedule);
}

/// A job without length overlaps no increment and gets nothing. Which nothing is known: what was counted in the one, (start, end], that
/// holds its moment.
void Linker::note_moments(const IncrementRun& run, const Schedule& schedule) {
  if (run.size == 0) return;
  const auto moments = schedule.moments();
  const auto* job = std::partition_point(moments.data(), moments.data() + moments.size(),
                                         [&](std::uint32_t each) { return jobs_[each].start <= run.start[0]; });
  for (; job != moments.data() + moments.size() && jobs_[*job].start <= run.end[run.size - 1]; ++job) {
    const std::int64_t moment = jobs_[*job].start;
    const auto row = static_cast<std::size_t>(std::lower_bound(run.end, run.end + run.size, moment) - run.end);
    const bool measured = run.start[row] < moment && !unmeasured(run, row) && run.end[row] - run.start[row] <= rules_[run.series].longest;
    if (measured && is_wanted(*job)) new_part(*job, run.series)->has = mask_of(run, row);
  }
}

/// Rows that lie wholly inside one job and overlap no other: the common case.
void Linker::link_inside(const IncrementRun& run, std::size_t begin, std::size_t end, std::uint32_t job) {
  LinkedPart* const part = part_of(job, run.series);
  const std::int64_t longest = rules_[run.series].longest;
  if (part != nullptr) part->inner.reserve(part->inner.size() + (end - begin));
  std::array<std::uint64_t, counter_count> sums{};
  const bool all_valid = std::all_of(run.valid.begin(), run.valid.end(), [](const auto* v) { return v == nullptr; }) &&
                         std::all_of(run.amounts.begin(), run.amounts.end(), [](const auto* a) { return a != nullptr; });
  for (std::size_t i = begin; i < end; ++i) {
    const std::int64_t length = run.end[i] - run.start[i];
    Stretch stretch{run.start[i], run.end[i], length, {}};
    if (part != nullptr) part->reach(run.start[i], run.end[i]);
    if (run.flags[i] != 0) {
      if (unmeasured(run, i)) {
        if (part != nullptr) part->flags |= saw_unmeasured;
        continue;
      }
      if (part != nullptr && (run.flags[i] & (after_reset | reset_inferred)) != 0) part->flags |= saw_reset;
    }
    if (all_valid) {
      for (std::size_t f = 0; f < flow_count; ++f) stretch.amounts[f] = run.amounts[f][i];
      stretch.amounts[metadata_flow] = run.amounts[metadata_ops][i];
      for (std::size_t c = 0; c < counter_count; ++c) sums[c] += static_cast<std::uint64_t>(run.amounts[c][i]);
    } else {
      for (std::size_t c = 0; c < counter_count; ++c) {
        if (!run.has(c, i)) continue;
        if (c < flow_count) stretch.amounts[c] = run.amounts[c][i];
        if (c == metadata_ops) stretch.amounts[metadata_flow] = run.amounts[c][i];
        sums[c] += static_cast<std::uint64_t>(run.amounts[c][i]);
      }
      if (part != nullptr) part->has |= mask_of(run, i);
    }
    if (part == nullptr) continue;
    if (length <= longest) {
      part->covered += length;
    } else {
      part->flags |= saw_gap;
    }
    for (std::size_t d = 0; d < 2; ++d) part->largest[d] = std::max(part->largest[d], static_cast<std::uint64_t>(stretch.amounts[d]));
    part->inner.push_back(stretch);
  }
  for (std::size_t f = 0; f < flow_count; ++f) ledger_.to_jobs[f] += sums[f];
  if (part == nullptr) return;
  if (all_valid) part->has = all_counters;
  for (std::size_t c = flow_count; c < counter_count; ++c) part->metadata[c - flow_count] += sums[c];
  for (std::size_t d = 0; d < 2; ++d) part->lower[d] += sums[d], part->upper[d] += sums[d];
}

void Linker::find_overlaps(const Schedule& schedule, std::int64_t start, std::int64_t end) {
  overlaps_.clear();
  const auto jobs = schedule.jobs();
  for (std::size_t at = schedule.first_after(start); at < jobs.size() && jobs_[jobs[at]].start < end; ++at) {
    const JobSpan& job = jobs_[jobs[at]];
    const Overlap overlap{jobs[at], std::max(start, job.start), std::min(end, job.end)};
    if (overlap.from < overlap.to) overlaps_.push_back(overlap);
  }
}

/// One increment against all jobs that overlap it.
void Linker::link_general(const IncrementRun& run, std::size_t row, const Schedule& schedule) {
  const std::int64_t start = run.start[row], end = run.end[row];
  const FlowNumbers amounts = flows_of(run, row);
  find_overlaps(schedule, start, end);
  if (overlaps_.empty()) return add(ledger_.unattributed, amounts);
  std::int64_t together = 0;
  for (const Overlap& overlap : overlaps_) together += overlap.to - overlap.from;
  // In a window everybody gets all of what is shared, an upper bound for each; but surely a job's own is only what it does not share.
  const bool shared = overlaps_.size() > 1, conflicted = shared && strategy_ != LinkStrategy::window;
  if (conflicted) {
    ++ledger_.conflicted;
    for (const Overlap& a : overlaps_)
      for (const Overlap& b : overlaps_)
        if (a.job != b.job) conflicts_.push_back({a.job, b.job});
  }
  for (const Overlap& overlap : overlaps_)
    note(run, row, overlap, shared ? static_cast<double>(overlap.to - overlap.from) / static_cast<double>(together) : 1);

  std::size_t receivers = 0;
  std::int64_t spread_of_all = 0;
  for (const Overlap& overlap : overlaps_) {
    const JobSpan& job = jobs_[overlap.job];
    const std::int64_t own = overlap.to - overlap.from;
    if (strategy_ == LinkStrategy::simple ? !(job.start < end && end <= job.end) : (conflicted && strategy_ == LinkStrategy::discard))
      continue;
    const bool shares = conflicted && strategy_ == LinkStrategy::weighted;
    give(run, row, overlap, shares ? together : own);
    ++receivers;
    spread_of_all += own;
  }
  if (conflicted && strategy_ == LinkStrategy::weighted) {
    // The parts are amounts * own / together: they add up to the whole if and only if the parts' lengths do.
    if (spread_of_all != together) ++ledger_.broken;
    return add(ledger_.to_jobs, amounts);
  }
  settle(amounts, receivers);
}

void Linker::settle(const FlowNumbers& amounts, std::size_t receivers) {
  if (receivers == 0) return add(strategy_ == LinkStrategy::simple ? ledger_.unattributed : ledger_.discarded, amounts);
  for (std::size_t i = 0; i < receivers; ++i) {
    add(ledger_.to_jobs, amounts);
    if (i > 0) add(ledger_.repeated, amounts);
  }
}

/// The band, the coverage and the flags of a job do not depend on the strategy.
void Linker::note(const IncrementRun& run, std::size_t row, const Overlap& to, double weight) {
  LinkedPart* const part = part_of(to.job, run.series);
  if (part == nullptr) return;
  part->reach(to.from, to.to);
  const std::int64_t length = run.end[row] - run.start[row];
  if (unmeasured(run, row)) {
    part->flags |= saw_unmeasured;
    return;
  }
  const bool conflicted = weight < 1;
  const FlowNumbers amounts = flows_of(run, row);
  part->has |= mask_of(run, row);
  for (std::size_t d = 0; d < 2; ++d) {
    part->upper[d] += amounts[d];
    part->largest[d] = std::max(part->largest[d], amounts[d]);
    if (!conflicted) part->lower[d] += amounts[d];
  }
  if (conflicted) {
    part->flags |= saw_conflict;
    part->shared.push_back({to.from, weight, {}});
  }
  if ((run.flags[row] & (after_reset | reset_inferred)) != 0) part->flags |= saw_reset;
  if (length <= rules_[run.series].longest) {
    part->covered += to.to - to.from;
  } else {
    part->flags |= saw_gap;
  }
}

void Linker::give(const IncrementRun& run, std::size_t row, const Overlap& to, std::int64_t spread) {
  LinkedPart* const part = part_of(to.job, run.series);
  if (part == nullptr || unmeasured(run, row)) return;
  Stretch stretch{to.from, to.to, spread, {}};
  for (std::size_t f = 0; f < flow_count; ++f)
    if (run.has(f, row)) stretch.amounts[f] = run.amounts[f][row];
  if (run.has(metadata_ops, row)) stretch.amounts[metadata_flow] = run.amounts[metadata_ops][row];
  for (std::size_t c = flow_count; c < counter_count; ++c) {
    if (!run.has(c, row)) continue;
    if (spread == to.to - to.from) {
      part->metadata[c - flow_count] += static_cast<std::uint64_t>(run.amounts[c][row]);
    } else {
      part->shared.back().metadata[c - flow_count] = run.amounts[c][row];  // noted just before
    }
  }
  const JobSpan& job = jobs_[to.job];
  const bool inside = job.start <= run.start[row] && run.end[row] <= job.end;
  (inside ? part->inner : part->edge).push_back(stretch);
}

std::vector<Conflict> Linker::take_conflicts() {
  std::sort(conflicts_.begin(), conflicts_.end());
  conflicts_.erase(std::unique(conflicts_.begin(), conflicts_.end()), conflicts_.end());
  return std::move(conflicts_);
}

}  // namespace fathom
