// SPDX-License-Identifier: Apache-2.0
/// The values of a job whose distribution over all jobs is looked at: criteria, and what is made of them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "characterise/study.h"
#include "criteria/criterion.h"
#include "population/histogram.h"

namespace fathom {

enum class ValueUnit : std::uint8_t { bytes, bytes_per_second, operations, operations_per_second, fraction, seconds, count };
/// As it stands in data for programs.
std::string_view name_of(ValueUnit unit);
/// As people read it: 12.7 GiB, 1,260/s, 0.28, 5.8 h. "-" for what is not there.
std::string human(double value, ValueUnit unit);

/// What values are made from, beside criteria; NaN: not known.
struct JobFacts {
  double nodes, units, duration;
};

/// What a value depends on, beside the job.
enum class Varies : std::uint8_t { no, by_threshold, by_small };

struct JobValue {
  std::string_view criterion;  // 1.1; empty for what is none: nodes, duration
  std::string_view key;
  std::string_view title;
  ValueUnit unit;
  Varies varies;
  /// Names of the axes for read, write and both; of what has no direction the first alone.
  std::array<std::string_view, direction_count> labels;
  bool per_direction() const { return !labels[1].empty(); }
  /// The criterion's column it comes from, if any, and what is made of its value.
  std::string_view column;
  double (*made)(double value, const JobFacts& facts);

  /// It is the criterion's column itself.
  bool plain() const;
  Scale scale() const { return unit == ValueUnit::fraction ? Scale::linear : Scale::log; }
};

/// In the order of the criteria.
const std::vector<JobValue>& job_values();
const JobValue& job_value(std::string_view key);  // must be there

/// One value for one direction and setting: one distribution.
struct AskedValue {
  const JobValue* value;
  Direction x = Direction::read;  // read for what has no direction
  Setting setting;

  std::string_view label() const { return value->labels[static_cast<std::size_t>(x)]; }
  /// read, write, total; empty for what has no direction.
  std::string_view direction_name() const { return value->per_direction() ? direction_names[static_cast<std::size_t>(x)] : ""; }
};

/// Every distribution there is: all values, directions, thresholds and small sizes of the study.
std::vector<AskedValue> all_asked(const StudyOptions& options);

/// Of each analysed job, in order; NaN where it has none.
std::vector<double> values_of(const Study& study, const AskedValue& asked);

}  // namespace fathom
