// SPDX-License-Identifier: Apache-2.0
#include "population/job_values.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "base/units.h"

namespace fathom {
namespace {

double as_it_is(double value, const JobFacts&) { return value; }
double per_unit(double value, const JobFacts& facts) { return facts.units > 0 ? value / facts.units : undefined; }
double the_other(double value, const JobFacts&) { return 1 - value; }  // the share of writing from that of reading
double nodes(double, const JobFacts& facts) { return facts.nodes; }
double duration(double, const JobFacts& facts) { return facts.duration; }

const CriterionColumn* column_named(std::string_view name) {
  for (const ValueColumn& column : value_columns())
    if (column.column->name == name) return column.column;
  return nullptr;
}

/// Three digits, and a letter for what is large: 9.25, 1,260, 14.1 M.
std::string human_amount(double amount) {
  if (amount == 0) return "0";
  if (std::abs(amount) < 0.01) return fmt::format("{:.1e}", amount);
  if (std::abs(amount) < 100 && amount != std::floor(amount)) return fmt::format("{:.3g}", amount);
  if (std::abs(amount) < 1e6) return human_count(static_cast<std::uint64_t>(std::llround(std::abs(amount))));
  static constexpr std::array letters = {'M', 'G', 'T', 'P'};
  std::size_t power = 0;
  for (amount /= 1e6; std::abs(amount) >= 999.5 && power + 1 < letters.size(); ++power) amount /= 1000;
  return fmt::format("{:.3g} {}", amount, letters[power]);
}

}  // namespace

std::string_view name_of(ValueUnit unit) {
  static constexpr std::array<std::string_view, 7> names = {"bytes", "bytes/s", "ops", "ops/s", "fraction", "seconds", "count"};
  return names[static_cast<std::size_t>(unit)];
}

std::string human(double value, ValueUnit unit) {
  if (!std::isfinite(value)) return "-";
  switch (unit) {
    case ValueUnit::bytes: return human_bytes(value);
    case ValueUnit::bytes_per_second: return human_bytes(value) + "/s";
    case ValueUnit::operations_per_second: return human_amount(value) + "/s";
    case ValueUnit::fraction: return human_percent(value);
    case ValueUnit::seconds:
      return value < 600    ? fmt::format("{:.3g} s", value)
             : value < 3600 ? fmt::format("{:.1f} min", value / 60)
                            : fmt::format("{:.1f} h", value / 3600);
    default: return human_amount(value);
  }
}

bool JobValue::plain() const { return made == as_it_is; }

const std::vector<JobValue>& job_values() {
  using U = ValueUnit;
  // A table, an entry each:
  // clang-format off
  static const std::vector<JobValue> values = {
      {"", "nodes", "Compute nodes", U::count, Varies::no, {"Compute nodes"}, "", nodes},
      {"", "duration", "Run time", U::seconds, Varies::no, {"Run time"}, "", duration},
      {"1.1", "bytes", "Data", U::bytes, Varies::no, {"Bytes read", "Bytes written", "Bytes read and written"}, "bytes", as_it_is},
      {"1.1", "bytes_per_unit", "Data per server", U::bytes, Varies::no,
       {"Bytes read per server", "Bytes written per server", "Bytes read and written per server"}, "bytes", per_unit},
      {"1.2", "ops", "Operations", U::operations, Varies::no, {"Read operations", "Write operations", "Operations"}, "ops", as_it_is},
      {"1.2", "ops_per_unit", "Operations per server", U::operations, Varies::no,
       {"Read operations per server", "Write operations per server", "Operations per server"}, "ops", per_unit},
      {"1.3", "bw_max_inner", "Maximum bandwidth", U::bytes_per_second, Varies::no,
       {"Maximum read bandwidth", "Maximum write bandwidth", "Maximum bandwidth"}, "bw_max_inner", as_it_is},
      {"1.3", "bw_mean", "Mean bandwidth", U::bytes_per_second, Varies::no, {"Mean read bandwidth", "Mean write bandwidth", "Mean bandwidth"}, "bw_mean",
       as_it_is},
      {"1.4", "iops_max_inner", "Maximum IOPS", U::operations_per_second, Varies::no, {"Maximum read IOPS", "Maximum write IOPS", "Maximum IOPS"},
       "iops_max_inner", as_it_is},
      {"1.4", "iops_mean", "Mean IOPS", U::operations_per_second, Varies::no, {"Mean read IOPS", "Mean write IOPS", "Mean IOPS"}, "iops_mean", as_it_is},
      {"1.5", "opens", "Opens", U::operations, Varies::no, {"Opens"}, "opens", as_it_is},
      {"1.5", "closes", "Closes", U::operations, Varies::no, {"Closes"}, "closes", as_it_is},
      {"1.6", "intensity", "I/O intensity", U::fraction, Varies::by_threshold, {"Read intensity", "Write intensity", "I/O intensity"}, "intensity", as_it_is},
      {"1.7", "metadata_ops", "Metadata operations", U::operations, Varies::no, {"Metadata operations"}, "metadata_ops", as_it_is},
      {"1.7", "metadata_rate_max", "Maximum metadata rate", U::operations_per_second, Varies::no, {"Maximum metadata rate"}, "metadata_rate_max", as_it_is},
      {"1.7", "metadata_rate_mean", "Mean metadata rate", U::operations_per_second, Varies::no, {"Mean metadata rate"}, "metadata_rate_mean", as_it_is},
      {"2.1", "mean_request", "Mean request size", U::bytes, Varies::no, {"Mean read request", "Mean write request", "Mean request"}, "mean_request",
       as_it_is},
      {"2.2", "small_fraction", "Small requests", U::fraction, Varies::by_small, {"Small reads", "Small writes", "Small requests"}, "small_fraction",
       as_it_is},
      {"2.4", "write_share_bytes", "Share of writing by bytes", U::fraction, Varies::no, {"Share of written bytes"}, "read_share_bytes", the_other},
      {"2.4", "write_share_ops", "Share of writing by operations", U::fraction, Varies::no, {"Share of write operations"}, "read_share_ops", the_other},
      {"2.9", "burstiness", "Burstiness", U::fraction, Varies::by_threshold, {"Read burstiness", "Write burstiness", "Burstiness"}, "burstiness", as_it_is},
      {"3.1", "parallel_intensity", "Parallel I/O intensity", U::fraction, Varies::by_threshold,
       {"Parallel read intensity", "Parallel write intensity", "Parallel I/O intensity"}, "parallel_intensity", as_it_is},
  };
  // clang-format on
  return values;
}

const JobValue& job_value(std::string_view key) {
  for (const JobValue& value : job_values())
    if (value.key == key) return value;
  assert(false);
  return job_values().front();
}

std::vector<AskedValue> all_asked(const StudyOptions& options) {
  std::vector<AskedValue> asked;
  for (const JobValue& value : job_values()) {
    const std::size_t thresholds = value.varies == Varies::by_threshold ? options.thresholds.size() : 1;
    const std::size_t sizes = value.varies == Varies::by_small ? options.small.size() : 1;
    for (std::size_t c = 0; c < thresholds; ++c)
      for (std::size_t s = 0; s < sizes; ++s)
        for (std::size_t d = 0; d < (value.per_direction() ? direction_count : 1); ++d)
          asked.push_back({&value, static_cast<Direction>(d), {c, s}});
  }
  return asked;
}

std::vector<double> values_of(const Study& study, const AskedValue& asked) {
  const CriterionColumn* column = asked.value->column.empty() ? nullptr : column_named(asked.value->column);
  assert(column != nullptr || asked.value->column.empty());
  std::vector<double> values;
  values.reserve(study.analysis.jobs.size());
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    const Job& job = study.machine.jobs[study.analysis.jobs[i]];
    const Measured& measured = study.analysis.measured[i];
    const double found = column != nullptr ? column->value(measured, asked.setting, asked.x) : undefined;
    values.push_back(asked.value->made(
        found, {job.nodes > 0 ? static_cast<double>(job.nodes) : undefined, static_cast<double>(measured.units), measured.duration()}));
  }
  return values;
}

}  // namespace fathom
