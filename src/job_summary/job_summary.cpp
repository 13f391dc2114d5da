// SPDX-License-Identifier: Apache-2.0
#include "job_summary/job_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "criteria/criterion.h"

namespace fathom {
namespace {

constexpr std::size_t most_notices = 3;

/// What is compared, in the order of the page.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> comparisons{{{"read_bytes", "data read"},
                                                                                    {"write_bytes", "data written"},
                                                                                    {"read_bw_max_inner", "highest read bandwidth"},
                                                                                    {"write_bw_max_inner", "highest write bandwidth"},
                                                                                    {"total_intensity", "part of the time with I/O"},
                                                                                    {"total_small_fraction", "part of small requests"},
                                                                                    {"total_burstiness", "burstiness"},
                                                                                    {"total_parallel_intensity", "parallelism"}}};

std::size_t column_index(std::string_view name) {
  const auto& columns = value_columns();
  return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), [&](const ValueColumn& each) { return each.name == name; }) -
                                  columns.begin());
}

double value_in(const KeptJob& row, std::string_view column) {
  const std::size_t at = column_index(column);
  return row.values.empty() || at >= row.values.front().size() ? undefined : row.values.front()[at];
}

KeptJob row_of(std::uint32_t job, const Measured& m) {
  KeptJob row{job, m.units, m.coverage, m.sampling_step, m.flags, m.other_jobs, m.bound, {}};
  auto& values = row.values.emplace_back();
  for (const ValueColumn& column : value_columns()) values.push_back(column.value(m, {}));
  return row;
}

/// NaN if there are none; of an even number the mean of the middle two.
double median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return undefined;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Compared compare(std::string_view column, std::string_view words, const KeptJob& own, const std::vector<KeptJob>& others,
                 const std::vector<const KeptJob*>& earlier) {
  Compared result{column, words, value_in(own, column), {}, {}};
  if (std::isnan(result.own)) return result;
  std::size_t known = 0, less = 0;
  for (const KeptJob& other : others) {
    const double value = value_in(other, column);
    known += !std::isnan(value);
    less += value < result.own;
  }
  if (known > 0) result.below = static_cast<double>(less) / static_cast<double>(known);
  std::vector<double> before;
  for (const KeptJob* run : earlier) before.push_back(value_in(*run, column));
  if (const double usual = median(std::move(before)); !std::isnan(usual)) result.usual = usual;
  return result;
}

bool same_job(const Job& a, const Job& b) { return a.id == b.id && a.start == b.start; }
bool same_application(const Job& a, const Job& b) { return a.user == b.user && a.name == b.name && a.nodes == b.nodes; }

/// Criteria that counters cannot give, each with the reason.
std::vector<std::string> not_measured(const KeptJob& row) {
  std::vector<std::string> all;
  for (const Criterion* criterion : all_criteria())
    if (!criterion->id.starts_with("4.") && !missing(criterion->needs, counters_give).empty()) all.emplace_back(criterion->title);
  if (std::isnan(value_in(row, "opens"))) all.emplace_back("opened files");
  if (std::isnan(value_in(row, "total_ops"))) all.emplace_back("requests");
  return all;
}

}  // namespace

double JobSummary::value(std::string_view column) const { return value_in(facts, column); }

std::vector<KeptJob> rows_of(const Study& study) {
  std::vector<KeptJob> rows = study.kept;
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) rows.push_back(row_of(study.analysis.jobs[i], study.analysis.measured[i]));
  return rows;
}

JobSummary summarise(const Study& own, std::size_t place, const Study& all) {
  JobSummary summary;
  summary.options = own.options;
  summary.job = own.machine.jobs[own.analysis.jobs[place]];
  summary.facts = row_of(own.analysis.jobs[place], own.analysis.measured[place]);
  std::vector<KeptJob> others = rows_of(all);
  std::erase_if(others, [&](const KeptJob& each) { return same_job(all.machine.jobs[each.job], summary.job); });
  std::vector<const KeptJob*> earlier;
  std::vector<double> lengths;
  for (const KeptJob& other : others) {
    const Job& job = all.machine.jobs[other.job];
    if (!same_application(job, summary.job) || job.start >= summary.job.start) continue;
    earlier.push_back(&other);
    lengths.push_back(seconds(job.end - job.start));
  }
  summary.others = others.size();
  summary.earlier = earlier.size();
  summary.usual_duration = earlier.empty() ? 0 : median(std::move(lengths));
  for (const auto& [column, words] : comparisons) summary.compared.push_back(compare(column, words, summary.facts, others, earlier));
  summary.not_measured = not_measured(summary.facts);
  summary.notices = notices_for(summary);
  if (summary.notices.size() > most_notices) summary.notices.resize(most_notices);
  return summary;
}

}  // namespace fathom
