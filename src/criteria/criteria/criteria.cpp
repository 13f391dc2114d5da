// SPDX-License-Identifier: Apache-2.0
// The one list of criteria: a new one is its own file in this folder and its name here.
#include "criteria/criterion.h"

namespace fathom {
namespace criteria {
extern const Criterion total_data, total_operations, bandwidth, iops, files, io_intensity, metadata_operations;
extern const Criterion request_sizes, small_requests, variable_sizes, type_share, dominating_type, shared_files, spatial_pattern,
    temporal_distribution, burstiness, pattern_repetition, type_repetition;
extern const Criterion parallel_intensity, concurrency, unit_distribution, file_concurrency;
extern const Criterion problem_size, libraries, willingness, purpose, task_dependency;
}  // namespace criteria

std::span<const Criterion* const> all_criteria() {
  using namespace criteria;
  static const Criterion* const all[] = {&total_data,     &total_operations, &bandwidth,         &iops,           &files,
                                         &io_intensity,   &metadata_operations, &request_sizes,    &small_requests,    &variable_sizes, &type_share,
                                         &dominating_type, &shared_files,    &spatial_pattern,   &temporal_distribution, &burstiness,
                                         &pattern_repetition, &type_repetition, &parallel_intensity, &concurrency, &unit_distribution,
                                         &file_concurrency, &problem_size,   &libraries,         &willingness,    &purpose,
                                         &task_dependency};
  return all;
}

const std::vector<ValueColumn>& value_columns() {
  using namespace criteria;
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
