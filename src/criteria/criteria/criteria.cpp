// SPDX-License-Identifier: Apache-2.0
// The one list of criteria, in the order of their ids: a new one is its own file in this folder and its line here.
// clang-format off
#define FATHOM_CRITERIA(listed) \
  listed(total_data) \
  listed(total_operations) \
  listed(bandwidth) \
  listed(iops) \
  listed(files) \
  listed(io_intensity) \
  listed(metadata_operations) \
  listed(request_sizes) \
  listed(small_requests) \
  listed(variable_sizes) \
  listed(type_share) \
  listed(dominating_type) \
  listed(shared_files) \
  listed(spatial_pattern) \
  listed(temporal_distribution) \
  listed(burstiness) \
  listed(pattern_repetition) \
  listed(type_repetition) \
  listed(parallel_intensity) \
  listed(concurrency) \
  listed(unit_distribution) \
  listed(file_concurrency) \
  listed(problem_size) \
  listed(libraries) \
  listed(willingness) \
  listed(purpose) \
  listed(task_dependency)

// clang-format on
#include "criteria/criterion.h"

namespace fathom {
namespace criteria {
#define DECLARED(name) extern const Criterion name;
FATHOM_CRITERIA(DECLARED)
}  // namespace criteria

std::span<const Criterion* const> all_criteria() {
#define POINTER(name) &criteria::name,
  static constexpr const Criterion* all[] = {FATHOM_CRITERIA(POINTER)};
  return all;
}

const std::vector<ValueColumn>& value_columns() {
  using namespace criteria;
  // Tables of `fathom criteria` and the store have these and no others: their columns are promised to readers of both.
  // Columns of one group stand together for each direction: read_bytes ... read_iops_mean, write_bytes ...
  static const std::vector<std::vector<const Criterion*>> groups = {{&total_data, &total_operations, &bandwidth, &iops},
                                                                    {&files},
                                                                    {&io_intensity, &small_requests, &request_sizes},
                                                                    {&type_share},
                                                                    {&burstiness, &parallel_intensity},
                                                                    {&metadata_operations}};
  static const std::vector<ValueColumn> columns = [] {
    std::vector<ValueColumn> made;
    for (const auto& group : groups) {
      for (std::size_t d = 0; d < direction_count; ++d) {
        for (const Criterion* criterion : group) {
          for (const CriterionColumn& column : criterion->columns) {
            if (!column.per_direction && d > 0) continue;
            std::string name(column.name);
            if (column.per_direction) name = std::string(direction_names[d]) + "_" + name;
            made.push_back({std::move(name), criterion, &column, static_cast<Direction>(d)});
          }
        }
      }
    }
    return made;
  }();
  return columns;
}

}  // namespace fathom
