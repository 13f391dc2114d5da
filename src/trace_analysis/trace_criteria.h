// SPDX-License-Identifier: Apache-2.0
/// All criteria of a traced run, by the same code as those of counters where both can tell them, and with what only traces give.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "criteria/criterion.h"
#include "criteria/repetition.h"
#include "timeline/operation_activity.h"
#include "timeline/slots.h"
#include "trace_analysis/file_use.h"
#include "trace_analysis/size_sequence.h"
#include "trace_analysis/spatial.h"
#include "trace_analysis/trace_timeline.h"

namespace fathom::trace {

struct TraceCriteriaOptions {
  Interface layer = Interface::posix;
  std::int64_t slot = 1'000'000;                                      // microseconds
  std::vector<std::uint64_t> thresholds = {1 << 20}, small = {4096};  // ascending, none twice
  bool size_sequences = false;                                        // keep what comparing runs needs
};

/// Everything that is gathered in the one pass, and then what was measured.
class TraceMeasurement {
 public:
  TraceMeasurement(const Trace& trace, TraceCriteriaOptions options);
  /// To be fed with all events.
  std::vector<Analysis*> analyses();
  /// After that.
  void measure();

  const Trace& trace() const { return trace_; }
  const TraceCriteriaOptions& options() const { return options_; }
  const Measured& measured() const { return measured_; }
  const std::array<Activity, direction_count>& on_operations() const { return on_operations_; }
  const std::vector<Slot>& slots() const { return slots_; }
  const TimelineAnalysis& timeline() const { return timeline_; }
  const SpatialAnalysis& spatial() const { return spatial_; }
  const FileUseAnalysis& files() const { return files_; }
  const SizeSequenceAnalysis& sizes() const { return sizes_; }

 private:
  const Trace& trace_;
  TraceCriteriaOptions options_;
  TimelineAnalysis timeline_;
  SpatialAnalysis spatial_;
  FileUseAnalysis files_;
  SizeSequenceAnalysis sizes_;
  Measured measured_;
  std::array<Activity, direction_count> on_operations_{};
  std::vector<Slot> slots_;
};

using ValueUnit = fathom::Unit;  // a Unit of a trace is another thing

/// A value of a criterion: by direction, or one (total alone). Not a number: there is none.
struct CriterionValue {
  std::string name;    // for programs: per direction what follows "read_", "write_", "total_"
  std::string detail;  // for people
  ValueUnit unit = ValueUnit::operations;
  bool per_direction = false;
  std::array<double, direction_count> values{undefined, undefined, undefined};
  std::string text;  // instead of numbers
};

struct CriterionAnswer {
  const Criterion* criterion = nullptr;
  std::vector<CriterionValue> values;
  nlohmann::ordered_json more;  // lists and series, for programs
  std::string note;             // for people
  std::string reason;           // why there is no value, or none that is known; empty otherwise
  bool measured_now = false;    // declared as a rule, but this trace tells it
};

/// One for each criterion, in order. `fixed`: over several runs, if there were.
std::vector<CriterionAnswer> answers(const TraceMeasurement& run, const std::optional<FixedSizes>& fixed, std::size_t runs);

/// {"run": {...}, "1.1": {"name", "title", "values": {...}, ...}, ..., "4.1": {..., "values": null, "reason": "..."}}
/// Where all values are unknown they are null, with the reason beside them.
nlohmann::ordered_json criteria_json(const TraceMeasurement& run, const std::vector<CriterionAnswer>& answers);

}  // namespace fathom::trace
