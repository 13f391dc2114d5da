// SPDX-License-Identifier: Apache-2.0
// How long it takes to draw windows of a large trace: kept_calls_bench [calls in millions]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "dashboard/kept_calls.h"
#include "trace_analysis/walk.h"

namespace {

using namespace fathom;
using namespace fathom::dashboard;

constexpr std::uint32_t ranks = 256;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

trace::Trace made_trace(std::uint64_t calls) {
  trace::Trace trace;
  for (const trace::CallInfo& call : trace::all_calls) trace.calls.push_back({std::string(call.name), call.interface, call.operation});
  for (std::uint32_t r = 0; r < ranks; ++r) {
    trace.units.push_back({static_cast<std::int32_t>(r), false, "node", 0, 0});
    trace::Process process;
    process.rank = static_cast<std::int32_t>(r);
    process.unit = r;
    trace.processes.push_back(process);
  }
  trace.files.push_back({"/data/shared", trace::FileKind::regular, 0, {}});
  trace.start = 1'600'000'000'000'000'000;
  trace.end = trace.start + static_cast<std::int64_t>(calls / 2 / ranks + 1) * 1'000'000;
  trace.records = calls;
  return trace;
}

std::uint16_t number(const trace::Trace& trace, std::string_view name) {
  for (std::size_t i = 0; i < trace.calls.size(); ++i)
    if (trace.calls[i].name == name) return static_cast<std::uint16_t>(i);
  return 0;
}

/// Every millisecond each rank makes an MPI-IO write with a POSIX write inside.
void feed(const trace::Trace& trace, KeptCalls& kept, std::uint64_t calls) {
  trace::Walk walk(trace, {&kept});
  const std::uint16_t outer = number(trace, "MPI_File_write_at"), inner = number(trace, "pwrite");
  trace::Event event;
  event.file = 0;
  event.handle = 1;
  event.bytes = 4096;
  event.result = 4096;
  std::uint64_t row = 0;
  for (std::int64_t t = trace.start; row < calls; t += 1'000'000) {
    const std::uint64_t first = row;
    for (int step = 0; step < 2; ++step)
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        event.row = row++;
        event.call = step == 0 ? outer : inner;
        event.unit = event.process = rank;
        event.start = t + step * 100'000 + rank * 100;
        event.end = event.start + (step == 0 ? 900'000 : 500'000);
        event.parent = step == 0 ? trace::no_row : first + rank;
        event.depth = static_cast<std::uint8_t>(step);
        walk.take(event);
      }
  }
  walk.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t calls = static_cast<std::uint64_t>((argc > 1 ? std::atof(argv[1]) : 10) * 1e6);
  const trace::Trace trace = made_trace(calls);
  KeptCalls kept(trace);
  std::printf("%.1f million calls kept in %.2f s\n", static_cast<double>(kept.seen()) / 1e6, seconds([&] { feed(trace, kept, calls); }));
  const std::int64_t span = trace.end - trace.start;
  for (const double share : {1.0, 0.5, 0.1, 0.01, 0.0001}) {
    const TimeWindow window{trace.start + span / 3,
                            trace.start + span / 3 + static_cast<std::int64_t>(share * static_cast<double>(span) * 2 / 3)};
    const TimeWindow asked = share == 1.0 ? kept.whole() : window;
    std::printf("window of %5.2f %%: map %6.1f ms, levels %6.1f ms, calls %6.1f ms\n", share * 100,
                1e3 * seconds([&] { kept.picture(asked, 900, 256, trace::Interface::posix); }),
                1e3 * seconds([&] { kept.levels(asked, 800, trace::Interface::posix); }), 1e3 * seconds([&] {
                                                                                            CallChoice choice;
                                                                                            choice.window = asked;
                                                                                            kept.choose(choice);
                                                                                          }));
  }
  return 0;
}
