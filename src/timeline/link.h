// SPDX-License-Identifier: Apache-2.0
/// Which job an increment belongs to (D 4.4), by one of several strategies, with proof that nothing is lost.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/wide.h"
#include "model/increment_run.h"
#include "timeline/stretch.h"

namespace fathom {

enum class LinkStrategy : std::uint8_t { weighted, simple, discard, double_count, window };
inline constexpr std::array<std::string_view, 5> link_names = {"weighted", "simple", "discard", "double-count", "window"};
constexpr std::string_view name_of(LinkStrategy strategy) { return link_names[static_cast<std::size_t>(strategy)]; }

/// A job's time, in microseconds since the epoch; a job that still runs ends at INT64_MAX.
struct JobSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

/// The jobs that an increment of some series can belong to, in order of their start.
class Schedule {
 public:
  Schedule() = default;
  Schedule(std::vector<std::uint32_t> jobs, std::span<const JobSpan> spans);

  std::span<const std::uint32_t> jobs() const { return jobs_; }
  /// Those of them that end when they start, in the same order.
  std::span<const std::uint32_t> moments() const { return moments_; }
  /// True if no two of the jobs run at the same time.
  bool apart() const { return apart_; }
  /// The first place from which on jobs may end after t.
  std::size_t first_after(std::int64_t t) const;

 private:
  std::vector<std::uint32_t> jobs_, moments_;
  std::vector<std::int64_t> latest_end_;  // of this job and all before it
  bool apart_ = true;
};

/// What the linker must know of a series.
struct SeriesRule {
  const Schedule* schedule = nullptr;  // null: of no interest
  std::int64_t longest = INT64_MAX;    // a longer increment is a gap, microseconds
};

/// What happened to the increments of a part; bits.
enum LinkedFlags : std::uint8_t { saw_gap = 1, saw_reset = 2, saw_conflict = 4, saw_unmeasured = 8 };

/// An increment that the job shares with others: its weight (D Eqs. 4.5-4.9), and of what else was counted in it, where the job gets a
/// share.
struct SharedIncrement {
  std::int64_t from = 0;
  double weight = 1;
  std::array<std::int64_t, counter_count - flow_count> metadata{};
};

/// What one run of increments of one series gave to one job. Fractions are kept apart from whole numbers: they are to be added in order of
/// time, so that no sum depends on how a series was cut into runs.
struct LinkedPart {
  std::uint32_t job = 0;
  SeriesId series = 0;
  std::vector<Stretch> inner;  // of increments that lie wholly inside the job
  std::vector<Stretch> edge;   // of the others
  std::array<std::uint64_t, counter_count - flow_count>
      metadata{};  // opens, closes, directory reads, inode updates, metadata operations of whole increments
  std::vector<SharedIncrement> shared;
  std::array<std::uint64_t, 2> lower{}, upper{};     // bytes by `discard` and by `double-count`
  std::array<std::uint64_t, 2> largest{};            // bytes of one increment that overlaps the job: v_max of the error bounds
  std::int64_t covered = 0;                          // microseconds of the job that were measured
  std::int64_t first = INT64_MAX, last = INT64_MIN;  // begin and end, in the job, of all increments, measured or not
  CounterMask has = 0;
  std::uint8_t flags = 0;

  void reach(std::int64_t from, std::int64_t to) { first = std::min(first, from), last = std::max(last, to); }
};

/// Where the amounts of all increments went; whole numbers, so that they must add up exactly.
struct Ledger {
  using Amounts = std::array<Uint128, flow_count>;
  Amounts total{};         // of all increments
  Amounts to_jobs{};       // as given out
  Amounts unattributed{};  // no job overlaps
  Amounts discarded{};     // shared increments that nobody gets
  Amounts repeated{};      // given to more than one job, beyond the first
  std::uint64_t increments = 0;
  std::uint64_t conflicted = 0;
  std::uint64_t broken = 0;  // shared increments whose parts did not add up to the whole: always 0, or there is a mistake here

  void add(const Ledger& other);
  /// to_jobs + unattributed + discarded - repeated = total, in every amount, and no increment was broken.
  bool conserved() const;
};

/// Pairs of jobs that shared an increment.
struct Conflict {
  std::uint32_t job, other;
  auto operator<=>(const Conflict&) const = default;
};

class Linker {
 public:
  Linker(LinkStrategy strategy, std::span<const JobSpan> jobs, std::span<const SeriesRule> rules)
      : strategy_(strategy), jobs_(jobs), rules_(rules) {}

  /// Links the increments of one series. Jobs for which `wanted` is 0 get no stretches and no part, only their place in the ledger.
  void link(const IncrementRun& run, std::span<const std::uint8_t> wanted);

  std::vector<LinkedPart> take_parts() { return std::move(parts_); }
  std::vector<Conflict> take_conflicts();  // in order, each once
  const Ledger& ledger() const { return ledger_; }

 private:
  struct Overlap {
    std::uint32_t job;
    std::int64_t from, to;
  };
  bool is_wanted(std::uint32_t job) const { return wanted_.empty() || wanted_[job] != 0; }
  LinkedPart* new_part(std::uint32_t job, SeriesId series);
  LinkedPart* part_of(std::uint32_t job, SeriesId series);
  void find_overlaps(const Schedule& schedule, std::int64_t start, std::int64_t end);
  void link_inside(const IncrementRun& run, std::size_t begin, std::size_t end, std::uint32_t job);
  void link_general(const IncrementRun& run, std::size_t row, const Schedule& schedule);
  void note_moments(const IncrementRun& run, const Schedule& schedule);
  void give(const IncrementRun& run, std::size_t row, const Overlap& to, std::int64_t spread);
  void note(const IncrementRun& run, std::size_t row, const Overlap& to, double weight);
  void settle(const std::array<std::uint64_t, flow_count>& amounts, std::size_t receivers);

  LinkStrategy strategy_;
  std::span<const JobSpan> jobs_;
  std::span<const SeriesRule> rules_;
  std::span<const std::uint8_t> wanted_;
  std::vector<LinkedPart> parts_;
  std::size_t first_part_of_run_ = 0;
  std::vector<Overlap> overlaps_;
  std::vector<Conflict> conflicts_;
  Ledger ledger_;
};

}  // namespace fathom
