// SPDX-License-Identifier: Apache-2.0
/// One job looked at closely: what tables of all jobs leave out.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "characterise/study.h"
#include "criteria/repetition.h"
#include "timeline/operation_activity.h"
#include "timeline/slots.h"

namespace fathom {

/// What one unit did in all (criterion 3.3, D Table 3.1).
struct UnitTotals {
  std::string unit;
  CounterMask has = 0;
  std::array<double, counter_count> totals{};
};

struct JobView {
  std::uint32_t job = 0;
  Measured measured;
  AssembledJob assembled;
  std::array<Activity, direction_count> on_operations{};  // at c = 0
  std::vector<UnitTotals> units;
  /// The dominating type in slots of the sampling step, and whether it repeats.
  std::int64_t step = 0;
  std::vector<Dominating> dominating;  // empty: operations were not counted
  std::array<Repetition, 3> repetition{};
};

/// Looks at a job of a study; `place` is its place in study.analysis.jobs.
Result<JobView> look_at(const Study& study, std::size_t place);

/// Looks at any job of the study's machine, also one that was not analysed: the answer is the same.
Result<JobView> look_at_job(const Study& study, std::uint32_t job);

/// Slots of `step` microseconds.
std::vector<Slot> slots_of(const JobView& view, std::int64_t step, std::uint64_t threshold);

/// Declared details of an application (category 4): key and value.
using Annotations = std::vector<std::pair<std::string, std::string>>;

/// A line of the analysis map (D Tables 3.2, 4.10), ready to print.
struct MapRow {
  enum class Kind { measured, declared, unavailable };
  std::string id, criterion, detail, read, write, total, note;
  Kind kind = Kind::measured;
};
std::vector<MapRow> analysis_map(const Study& study, const JobView& view, const Annotations& declared);

}  // namespace fathom
