// SPDX-License-Identifier: Apache-2.0
/// The benchmark's runs of the dissertation (D 4.4.1) as they would have gone: what each task called, and what the I/O nodes counted of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/truth_file.h"
#include "synth/io_flow.h"

namespace fathom {

/// One row of D Tables 4.4 to 4.7.
struct BenchTest {
  BenchParameters parameters;  // how many requests is decided when it runs
  std::uint64_t nodes = 32;    // with four processes each
};

inline constexpr std::uint64_t processes_per_node = 4;
inline constexpr std::uint64_t nodes_per_io_node = 32;

/// The 40 tests in the order of the tables.
std::vector<BenchTest> all_bench_tests();
/// bench-posix-shared-r64Ki
std::string name_of(const BenchTest& test);

/// A test from the start of its job to its end. Times in microseconds.
struct BenchRun {
  BenchTruthHead head;
  std::int64_t end = 0;
  std::vector<BenchTruthRow> rows;  // what the tasks did; without the names of files
  std::vector<Flow> flows;          // what the I/O nodes counted; Flow::server is the how-manieth of the job's
};

/// Deterministic for seed and number.
BenchRun run_of(const BenchTest& test, std::uint32_t job, std::int64_t start, std::uint64_t seed, std::uint64_t number);

/// How many requests reach the file system for one collective call of all tasks; D Table 4.7 is what it was fitted to.
std::uint64_t collective_requests(const BenchTest& test);

/// Opens and closes that the file system counts beyond those of the tasks, as shares of these; D Tables 4.4 to 4.7.
struct ExtraCalls {
  double opens_at_start = 0;    // of the job: the program's own files
  double opens_with_files = 0;  // each time the tasks open their files
  double closes_with_files = 0;
};
ExtraCalls extra_calls(const BenchTest& test);

}  // namespace fathom
