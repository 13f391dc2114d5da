// SPDX-License-Identifier: Apache-2.0
/// The truth of a benchmark run as a file: its parameters, and every call with its times.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.h"
#include "base/result.h"
#include "base/time.h"
#include "bench/task.h"
#include "model/counters.h"

namespace fathom {

/// What the comments at the top of the file say.
struct BenchTruthHead {
  BenchParameters parameters;
  std::string job_id;       // of the batch system; empty: not known
  std::uint64_t nodes = 0;  // compute nodes; 0: not known
};

/// One line: a call, or `count` calls of one kind, `bytes` in all, spread evenly over start to end (synthetic machines only).
struct BenchTruthRow {
  std::uint64_t task = 0;
  TimedCall call;
  std::string_view file;  // its name within the benchmark's directory
  std::uint64_t count = 1;
};

/// Writes rows as they come; trouble is kept until close() tells it.
class BenchTruthFile {
 public:
  BenchTruthFile(std::string path, const BenchTruthHead& head);
  void add(const BenchTruthRow& row);
  Result<void> close();

 private:
  void write_out();

  std::string path_;
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file_;
  fmt::memory_buffer text_;
  std::string failure_;
};

Result<void> write_bench_truth(const std::string& path, const BenchTruthHead& head, const std::vector<TaskOutcome>& outcomes);

/// What a whole truth file says.
struct BenchTruth {
  BenchTruthHead head;
  Counters amounts{};  // what the application did: opens, closes, reads and writes with their bytes
  Time first = no_time, last = no_time;
  std::uint64_t rows = 0;
};

using BenchRowSink = std::function<void(const BenchTruthRow&)>;

/// A truth with a line that cannot be read is none: the error names the line. `take`, if there is one, gets every row, with times to the
/// microsecond; the file's name is valid during the call.
Result<BenchTruth> read_bench_truth(LineInput& input, const BenchRowSink& take = {});
Result<BenchTruth> read_bench_truth(const std::string& path, const BenchRowSink& take = {});

}  // namespace fathom
