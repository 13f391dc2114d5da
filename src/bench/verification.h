// SPDX-License-Identifier: Apache-2.0
/// How far counters linked to a job are from what the job truly did: the error tables of the dissertation (D 4.4.1, Tables 4.4 to 4.7).
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bench/truth_file.h"
#include "model/counters.h"
#include "report/table.h"

namespace fathom {

/// What one strategy of linking gives a job, in the order of `Counter`; shares of increments are not whole numbers.
struct LinkedVolumes {
  std::array<double, counter_count> amounts{};
  CounterMask has = all_counters;  // counters that were not measured stay out of the table
};

using LinkedVolumesOf = std::function<Result<LinkedVolumes>(std::string_view job_id, std::string_view link)>;

inline constexpr std::array<std::string_view, 4> verified_links = {"weighted", "simple", "discard", "double-count"};

/// The columns of the tables under their names in D: bytes read, read commands, bytes written, write commands, open and close commands.
struct VerifiedCounter {
  std::string_view name;
  Counter counter;
};
inline constexpr std::array<VerifiedCounter, 6> verified_counters = {{{"BR", Counter::read_bytes},
                                                                      {"RdC", Counter::read_ops},
                                                                      {"BW", Counter::write_bytes},
                                                                      {"WC", Counter::write_ops},
                                                                      {"OC", Counter::opens},
                                                                      {"CC", Counter::closes}}};

struct Verification {
  /// One row per test and strategy: job_id, interface, layout, request, nodes, link, then the relative errors (Eqs. 4.13 and 4.14 as
  /// fractions; empty where the truth is zero or nothing was measured).
  Table errors;
  /// One row per strategy: link, tests, the mean absolute error of each column, and the columns in which no other strategy is better.
  Table summary;
};

/// Tests are ordered by interface, layout, nodes and request size. Every truth must name its job.
Result<Verification> verify(std::vector<BenchTruth> truths, const LinkedVolumesOf& linked);

}  // namespace fathom
