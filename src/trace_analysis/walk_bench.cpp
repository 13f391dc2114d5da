// SPDX-License-Identifier: Apache-2.0
// How fast analyses take events, and how much memory they hold: walk_bench [events in millions]
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "trace_analysis/bandwidth.h"
#include "trace_analysis/decompose.h"
#include "trace_analysis/finding.h"
#include "trace_analysis/locks.h"
#include "trace_analysis/trace_criteria.h"
#include "trace_analysis/walk.h"

namespace fathom::trace {
namespace {

constexpr std::uint32_t ranks = 256;

/// Every rank writes to one shared file by MPI-IO, each call with a lock, a read, a write and an unlock inside.
class Load {
 public:
  Load() {
    for (const CallInfo& call : all_calls) trace.calls.push_back({std::string(call.name), call.interface, call.operation});
    for (std::uint32_t r = 0; r < ranks; ++r) {
      trace.units.push_back({static_cast<std::int32_t>(r), false, "node", 0, 0});
      Process process;
      process.rank = static_cast<std::int32_t>(r);
      process.unit = r;
      trace.processes.push_back(process);
    }
    trace.files.push_back({"/data/shared", FileKind::regular, 0, {}});
    trace.start = trace.end = 1'600'000'000'000'000'000;
    mpi_ = number("MPI_File_write_at"), lock_ = number("fcntl.lock"), read_ = number("pread"), write_ = number("pwrite"),
    unlock_ = number("fcntl.unlock");
  }

  template <class Take>
  void events(std::uint64_t count, const Take& take) {
    Event event;
    event.file = 0;
    event.handle = 1;
    std::uint64_t row = 0;
    // Ranks are in the middle of their calls at the same time: first all enter, then all lock, and so on.
    for (std::int64_t t = trace.start; row < count; t += 1'000'000) {
      const std::uint64_t first = row;
      const std::uint16_t calls[] = {mpi_, lock_, read_, write_, unlock_};
      for (std::uint32_t step = 0; step < 5; ++step) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
          event.row = row++;
          event.call = calls[step];
          event.unit = event.process = rank;
          event.start = t + step * 150'000 + rank;
          event.end = event.start + (step == 0 ? 900'000 : 100'000);
          event.parent = step == 0 ? no_row : first + rank;
          event.offset = static_cast<std::int64_t>(first / 5 + rank) * 524288;
          event.bytes = step == 0 ? 1000 : 524288;
          event.result = step == 0 || step == 1 || step == 4 ? 0 : 524288;
          event.detail = step == 1 ? lock_exclusive : 0;
          take(event);
        }
      }
      trace.end = t;
    }
  }

  Trace trace;

 private:
  std::uint16_t number(std::string_view name) const {
    for (std::size_t i = 0; i < trace.calls.size(); ++i)
      if (trace.calls[i].name == name) return static_cast<std::uint16_t>(i);
    std::abort();
  }
  std::uint16_t mpi_, lock_, read_, write_, unlock_;
};

void time_it(const char* name, Load& load, std::uint64_t count, std::vector<Analysis*> analyses) {
  Walk walk(load.trace, std::move(analyses));
  const auto begin = std::chrono::steady_clock::now();
  load.events(count, [&](const Event& event) { walk.take(event); });
  walk.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-12s %6.2f M events/s, %5.1f s, %ld MiB so far\n", name, static_cast<double>(count) / seconds / 1e6, seconds,
              usage.ru_maxrss / 1024);
}

}  // namespace
}  // namespace fathom::trace

int main(int argc, char** argv) {
  using namespace fathom::trace;
  const std::uint64_t count = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5) * 1'000'000;
  Load load;
  time_it("walk alone", load, count, {});
  BandwidthAnalysis bandwidth(load.trace);
  time_it("bandwidth", load, count, {&bandwidth});
  DecomposeAnalysis decompose;
  time_it("decompose", load, count, {&decompose});
  LocksAnalysis locks;
  time_it("locks", load, count, {&locks});
  ConcurrencyAnalysis concurrency(Interface::posix);
  FactsAnalysis facts(load.trace);
  time_it("findings", load, count, {&facts, &concurrency});
  TraceMeasurement criteria(load.trace, {});
  time_it("criteria", load, count, criteria.analyses());
  criteria.measure();
  return 0;
}
