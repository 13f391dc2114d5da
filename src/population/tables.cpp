// SPDX-License-Identifier: Apache-2.0
#include "population/tables.h"

#include <algorithm>
#include <cmath>

#include "population/distribution.h"
#include "population/job_values.h"

namespace fathom {

std::vector<EightyPercentRow> eighty_percent_table(const Study& study) {
  const auto p80 = [&](std::string_view key, std::size_t threshold) {
    std::array<double, 2> both;
    for (std::size_t d = 0; d < 2; ++d)
      both[d] = inverse_ecdf(sort_values(values_of(study, {&job_value(key), static_cast<Direction>(d), {threshold, 0}})).values, 80);
    return both;
  };
  std::vector<EightyPercentRow> rows;
  for (std::size_t c = 0; c < study.options.thresholds.size(); ++c)
    rows.push_back({study.options.thresholds[c], p80("intensity", c), p80("burstiness", c), p80("parallel_intensity", c)});
  return rows;
}

AllRequests all_requests(const Study& study) {
  AllRequests all;
  for (std::size_t d = 0; d < 2; ++d) {
    const auto x = static_cast<Direction>(d);
    all.by_class[d].assign(size_class_count, 0);
    all.small[d].assign(study.options.small.size(), 0);
    for (const Measured& job : study.analysis.measured) {
      if (!counted(job, Counter::read_bytes, x) || !counted(job, Counter::read_ops, x)) continue;  // without one of them there are no sizes
      const RequestSizes& sizes = job.swept.sizes;
      for (std::size_t k = 0; k < sizes.classes[d].size(); ++k) all.by_class[d][k] += sizes.classes[d][k];
      for (std::size_t k = 0; k < sizes.small[d].size(); ++k) all.small[d][k] += sizes.small[d][k];
      all.operations[d] += amount(job, Counter::read_ops, x);
      all.bytes_without_operations[d] += sizes.bytes_without_ops[d];
    }
  }
  return all;
}

double AllRequests::small_share(std::size_t direction, std::size_t k) const {
  const double all = operations[direction];
  return all > 0 ? std::min(1.0, small[direction][k] / all) : undefined;  // the same numbers, added in another order
}

double AllRequests::size_reached(std::size_t direction, unsigned percent) const {
  double total = 0, sum = 0;
  for (const double ops : by_class[direction]) total += ops;
  if (total <= 0) return undefined;
  for (std::size_t k = 0; k < by_class[direction].size(); ++k) {
    sum += by_class[direction][k];
    if (sum * 100 >= total * percent * (1 - 1e-12)) return size_class_begin(k + 1);
  }
  return undefined;
}

OpensAndCloses opens_and_closes(const Study& study) {
  const auto opens = values_of(study, {&job_value("opens"), Direction::read, {}}),
             closes = values_of(study, {&job_value("closes"), Direction::read, {}});
  OpensAndCloses result;
  std::vector<double> differences;
  for (std::size_t i = 0; i < opens.size(); ++i) {
    const double both = opens[i] + closes[i], difference = opens[i] - closes[i];
    if (!(both > 0)) {  // NaN too
      ++result.unknown;
      continue;
    }
    differences.push_back(std::abs(difference) / both);
    // Shares of increments are fractions, and their sums round.
    if (differences.back() < 1e-9)
      ++result.equal;
    else
      ++(difference > 0 ? result.more_opens : result.more_closes);
  }
  result.p80_relative_difference = inverse_ecdf(sort_values(std::move(differences)).values, 80);
  return result;
}

std::vector<AbovePeak> above_peak(const Study& study, double peak) {
  std::vector<AbovePeak> found;
  for (std::size_t d = 0; d < 2; ++d) {
    const auto values = values_of(study, {&job_value("bw_max_inner"), static_cast<Direction>(d), {}});
    const std::size_t first = found.size();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] > peak) found.push_back({i, static_cast<Direction>(d), values[i]});
    std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                     [](const AbovePeak& a, const AbovePeak& b) { return a.bandwidth > b.bandwidth; });
  }
  return found;
}

}  // namespace fathom
