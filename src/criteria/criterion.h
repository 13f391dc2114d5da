// SPDX-License-Identifier: Apache-2.0
/// An I/O criterion: what it asks, how it is defined, what it needs, and its values for a measured job.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "criteria/measured.h"

namespace fathom {

/// What a measurement must give for a criterion; bits.
enum Needs : std::uint16_t {
  needs_bytes = 1,          // bytes over time
  needs_operations = 2,     // operations over time
  needs_metadata = 4,       // opens and closes
  needs_units = 8,          // told apart by unit
  needs_requests = 16,      // every request with its size
  needs_offsets = 32,       // every request with its file and offset
  needs_processes = 64,     // every request with its process
  needs_runs = 128,         // several runs of one application
  needs_declaration = 256,  // what only its developers know
};
/// What counters of storage servers give, and what a trace gives.
inline constexpr std::uint16_t counters_give = needs_bytes | needs_operations | needs_metadata | needs_units;
inline constexpr std::uint16_t traces_give = counters_give | needs_requests | needs_offsets | needs_processes;

struct Criterion;

/// Why a measurement that gives `given` cannot tell a criterion; empty if it can.
std::string missing(std::uint16_t needs, std::uint16_t given);

enum class Unit : std::uint8_t { bytes, bytes_per_second, operations, operations_per_second, fraction };

/// Why nothing can be said of operations of both directions together; empty if it can.
std::string why_no_types(const Measured& job);

/// Why a job that was measured has no value of a criterion; empty if nothing is known to be missing.
std::string why_undefined(const Criterion& criterion, const Measured& job);

/// A value as people read it; "-" where it is undefined.
std::string shown(double value, Unit unit);

inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// Which of several thresholds and sizes a value is asked for.
struct Setting {
  std::size_t threshold = 0;  // index into SweepOptions::thresholds
  std::size_t small = 0;      // index into SweepOptions::small
};

struct CriterionColumn {
  std::string_view name;  // per direction: what follows "read_", "write_", "total_"
  Unit unit;
  bool per_direction;
  double (*value)(const Measured& job, const Setting& setting, Direction x);  // `undefined` where it is not
};

struct Criterion {
  std::string_view id;    // 1.6
  std::string_view name;  // io_intensity: file and documentation
  std::string_view title;
  std::string_view symbol;
  std::string_view question;  // that it answers
  std::string_view formula;
  std::uint16_t needs;
  std::string_view caveats;                  // for who reads the numbers
  std::span<const CriterionColumn> columns;  // single values; none for distributions and for what cannot be computed yet
};

/// In order of their ids.
std::span<const Criterion* const> all_criteria();
const Criterion* criterion_with_id(std::string_view id);

/// A column as it stands in tables: one of a criterion, for one direction.
struct ValueColumn {
  std::string name;  // read_bytes
  const Criterion* criterion;
  const CriterionColumn* column;
  Direction x;
  double value(const Measured& job, const Setting& setting) const { return column->value(job, setting, x); }
};

/// All single values, in the order of the command line's contract.
const std::vector<ValueColumn>& value_columns();

// --- what definitions share -------------------------------------------------------------------------------------

/// Sum over the direction's flows: bytes from flow 0, operations from flow 2.
inline double amount(const Measured& job, Counter first, Direction x) {
  const std::size_t at = index(first);
  if (x == Direction::total) return job.totals[at] + job.totals[at + 1];
  return job.totals[at + static_cast<std::size_t>(x)];
}

/// True if a set holds the direction's counters: bytes from read_bytes on, operations from read_ops on.
inline bool holds(CounterMask set, Counter first, Direction x) {
  const std::size_t at = index(first);
  if (x == Direction::total) return holds(set, at) && holds(set, at + 1);
  return holds(set, at + static_cast<std::size_t>(x));
}

/// True if anything of it was measured. A job without length has no coverage: what was counted at its moment says so.
inline bool was_measured(const Measured& job) { return job.coverage ? *job.coverage > 0 : job.duration() == 0 && job.has != 0; }

/// True if the counter was counted; unknown is not zero.
inline bool counted(const Measured& job, Counter counter) { return was_measured(job) && holds(job.has, index(counter)); }

/// The same of a pair (bytes or operations) for the direction.
inline bool counted(const Measured& job, Counter first, Direction x) { return was_measured(job) && holds(job.has, first, x); }

/// The same, for what is a rate or a share: a job without length has none.
inline bool rated(const Measured& job, Counter first, Direction x) { return job.duration() > 0 && counted(job, first, x); }

inline const Activity& activity(const Measured& job, const Setting& setting, Direction x) {
  return job.swept.activity[setting.threshold][static_cast<std::size_t>(x)];
}

}  // namespace fathom
