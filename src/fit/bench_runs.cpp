// SPDX-License-Identifier: Apache-2.0
#include "fit/bench_runs.h"

#include <algorithm>
#include <array>

#include "bench/truth_file.h"

namespace fathom::fit {

Result<std::vector<RunTime>> run_times_of_bench(LineInput& truth) {
  struct Phase {
    double bytes = 0;
    std::int64_t start = INT64_MAX, end = INT64_MIN;
  };
  std::array<Phase, 2> phases;
  TRY(const BenchTruth found, read_bench_truth(truth, [&](const BenchTruthRow& row) {
        Phase& phase = phases[static_cast<std::size_t>(row.call.phase)];
        phase.bytes += static_cast<double>(row.call.bytes);
        phase.start = std::min(phase.start, row.call.start);
        phase.end = std::max(phase.end, row.call.end);
      }));
  std::vector<RunTime> runs;
  for (const BenchPhase which : {BenchPhase::write, BenchPhase::read}) {
    const Phase& phase = phases[static_cast<std::size_t>(which)];
    if (phase.bytes <= 0 || phase.end <= phase.start) continue;
    RunTime run;
    run.bytes = phase.bytes;
    run.seconds = static_cast<double>(phase.end - phase.start) / 1e9;
    run.kind = which == BenchPhase::read ? simulate::Kind::read : simulate::Kind::write;
    run.nodes = static_cast<double>(std::max<std::uint64_t>(1, found.head.nodes));
    run.tasks = static_cast<double>(found.head.parameters.tasks);
    run.where = truth.path();
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<std::vector<RunTime>> run_times_of_bench(const std::string& path) {
  TRY(LineInput truth, LineInput::open(path));
  return run_times_of_bench(truth);
}

}  // namespace fathom::fit
