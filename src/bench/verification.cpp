// SPDX-License-Identifier: Apache-2.0
#include "bench/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace fathom {
namespace {

using Errors = std::array<std::optional<double>, verified_counters.size()>;

/// (estimate - truth) / truth: Eqs. 4.13 and 4.14 without their factor 100.
Errors errors_of(const LinkedVolumes& estimate, const BenchTruth& truth) {
  Errors errors;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const std::size_t counter = index(verified_counters[i].counter);
    const auto right = static_cast<double>(truth.amounts[counter]);
    if (right > 0 && holds(estimate.has, counter)) errors[i] = (estimate.amounts[counter] - right) / right;
  }
  return errors;
}

Cell maybe(const std::optional<double>& value) { return value ? cell(*value) : Cell{}; }

std::vector<TableColumn> with_counters(std::vector<TableColumn> columns) {
  for (const VerifiedCounter& each : verified_counters) columns.push_back({std::string(each.name), Quantity::fraction});
  return columns;
}

class MeanErrors {
 public:
  void add(const Errors& errors) {
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (!errors[i]) continue;
      sums_[i] += std::abs(*errors[i]);
      ++counts_[i];
    }
  }
  std::optional<double> of(std::size_t i) const {
    if (counts_[i] == 0) return std::nullopt;
    return sums_[i] / static_cast<double>(counts_[i]);
  }

 private:
  std::array<double, verified_counters.size()> sums_{};
  std::array<std::uint64_t, verified_counters.size()> counts_{};
};

Table summary_of(const std::array<MeanErrors, verified_links.size()>& means, std::size_t tests) {
  Table table{with_counters({{"link"}, {"tests", Quantity::count}}), {}};
  table.columns.push_back({"best_in"});
  for (std::size_t link = 0; link < means.size(); ++link) {
    std::vector<Cell> row = {cell(verified_links[link]), cell(std::uint64_t{tests})};
    std::string best;
    for (std::size_t i = 0; i < verified_counters.size(); ++i) {
      const auto own = means[link].of(i);
      row.push_back(maybe(own));
      const auto better = [&](const MeanErrors& other) { return other.of(i) && own && *other.of(i) < *own; };
      const bool beaten = std::any_of(means.begin(), means.end(), better);
      if (own && !beaten) best += fmt::format("{}{}", best.empty() ? "" : " ", verified_counters[i].name);
    }
    row.push_back(cell(best));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Result<Verification> verify(std::vector<BenchTruth> truths, const LinkedVolumesOf& linked) {
  for (const BenchTruth& truth : truths)
    if (truth.head.job_id.empty())
      return Error{ErrorKind::malformed,
                   "verifying counters: a truth file does not name its job; add the line '# job_id: ID' below its first line"};
  const auto order = [](const BenchTruth& truth) {
    const BenchParameters& p = truth.head.parameters;
    return std::make_tuple(p.interface, p.layout == BenchLayout::shared, truth.head.nodes, p.size, p.random_sizes,
                           std::string_view(truth.head.job_id));
  };
  std::stable_sort(truths.begin(), truths.end(), [&](const BenchTruth& a, const BenchTruth& b) { return order(a) < order(b); });
  Verification verification;
  verification.errors.columns = with_counters({{"job_id"}, {"interface"}, {"layout"}, {"request"}, {"nodes", Quantity::count}, {"link"}});
  std::array<MeanErrors, verified_links.size()> means;
  for (const BenchTruth& truth : truths) {
    const BenchParameters& p = truth.head.parameters;
    for (std::size_t link = 0; link < verified_links.size(); ++link) {
      TRY(const LinkedVolumes estimate, linked(truth.head.job_id, verified_links[link]));
      const Errors errors = errors_of(estimate, truth);
      means[link].add(errors);
      std::vector<Cell> row = {cell(truth.head.job_id),
                               cell(word(p.interface)),
                               cell(word(p.layout)),
                               cell(request_text(p)),
                               truth.head.nodes > 0 ? cell(truth.head.nodes) : Cell{},
                               cell(verified_links[link])};
      for (const auto& error : errors) row.push_back(maybe(error));
      verification.errors.rows.push_back(std::move(row));
    }
  }
  verification.summary = summary_of(means, truths.size());
  return verification;
}

}  // namespace fathom
