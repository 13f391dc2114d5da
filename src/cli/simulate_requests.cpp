// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "bench/truth_file.h"
#include "cli/trace_walk.h"

namespace fathom {
namespace {

using namespace simulate;

constexpr Picoseconds picoseconds_per_nanosecond = 1000;
constexpr std::int64_t longest_run = time_limit / 2 / picoseconds_per_nanosecond;  // nanoseconds

/// Picoseconds since the start; what is too late for a simulation is kept just beyond, where it is refused.
Picoseconds since(std::int64_t zero, std::int64_t nanoseconds) {
  const std::int64_t after = static_cast<std::int64_t>(static_cast<std::uint64_t>(nanoseconds) - static_cast<std::uint64_t>(zero));
  return std::min(after, longest_run + 1) * picoseconds_per_nanosecond;
}

struct OwnRequest {
  std::int64_t start = 0;  // nanoseconds
  std::uint64_t bytes = 0;
  Kind kind = Kind::read;
};

/// Requests by who made them, and when it all began and ended.
template <class Who>
struct Requests {
  std::map<Who, std::vector<OwnRequest>> by_client;
  std::int64_t start = INT64_MAX, end = INT64_MIN;

  void add(const Who& who, std::int64_t from, std::int64_t to, std::uint64_t bytes, Kind kind) {
    by_client[who].push_back({from, bytes, kind});
    start = std::min(start, from);
    end = std::max(end, to);
  }

  TimedRun run(const std::string& job) const {
    TimedRun made{job, by_client.empty() ? 0 : since(start, end), {}};
    for (const auto& [who, requests] : by_client) {
      Client& client = made.clients.emplace_back();
      client.name = fmt::format("client {}", made.clients.size() - 1);
      client.requests.reserve(requests.size());
      for (const OwnRequest& each : requests) client.requests.push_back({since(start, each.start), each.bytes, each.kind});
    }
    return made;
  }
};

using Thread = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // unit, process, thread

/// The calls that `fathom trace summary` counts as reads and writes of POSIX, without those that failed.
class RequestCollection : public trace::Analysis {
 public:
  void take(const trace::Seen& seen) override {
    if (!seen.is(trace::Interface::posix) || !seen.counts || !seen.told() || !seen.moves() || seen.event.failed()) return;
    const trace::Event& event = seen.event;
    const Kind kind = seen.call.operation == trace::Operation::read ? Kind::read : Kind::write;
    requests.add({event.unit, event.process, event.thread}, event.start, event.end, seen.bytes_moved(), kind);
  }
  Requests<Thread> requests;
};

}  // namespace

Result<Work> work_of_trace(const Scenario& scenario, const std::string& directory) {
  TRY(const trace::Trace trace, trace::open_trace(directory));
  RequestCollection collection;
  TRY_VOID(walk_with_progress(trace, {&collection}));
  Requests<Thread>& requests = collection.requests;
  if (requests.by_client.empty())
    return Error{ErrorKind::not_found, fmt::format("simulating the trace: it has no POSIX reads or writes of data files ({})", directory)};
  requests.start = std::min(requests.start, trace.start);
  requests.end = std::max(requests.end, trace.end);
  std::string job;
  for (const trace::Process& process : trace.processes)
    if (job.empty()) job = process.job;
  return timed_work(scenario, requests.run(job.empty() ? "trace" : job));
}

Result<Work> work_of_bench(const Scenario& scenario, const std::string& truth) {
  Requests<std::uint64_t> requests;
  std::uint64_t requests_of_all = 0;
  TRY(const BenchTruth found, read_bench_truth(truth, [&](const BenchTruthRow& row) {
        const TimedCall& call = row.call;
        requests.start = std::min(requests.start, call.start);
        requests.end = std::max(requests.end, call.end);
        if ((call.call != BenchCall::read && call.call != BenchCall::write) || row.count == 0) return;
        const Kind kind = call.call == BenchCall::read ? Kind::read : Kind::write;
        requests_of_all += std::min(row.count, most_bench_requests + 1);
        if (requests_of_all > most_bench_requests) return;
        // A row of a synthetic machine stands for many calls, spread evenly over its time.
        const auto count = static_cast<std::int64_t>(row.count);
        const std::int64_t step = std::max<std::int64_t>(0, call.end - call.start) / count;
        for (std::int64_t i = 0; i < count; ++i) {
          const auto share = call.bytes / static_cast<std::uint64_t>(count) +
                             (static_cast<std::uint64_t>(i) < call.bytes % static_cast<std::uint64_t>(count));
          requests.add(row.task, call.start + i * step, call.end, share, kind);
        }
      }));
  if (requests_of_all > most_bench_requests)
    return Error{ErrorKind::unsupported,
                 fmt::format("simulating the benchmark: its truth has more than {} reads and writes ({})", most_bench_requests, truth)};
  if (requests.by_client.empty())
    return Error{ErrorKind::not_found, fmt::format("simulating the benchmark: its truth has no reads or writes ({})", truth)};
  return timed_work(scenario, requests.run(found.head.job_id.empty() ? "bench" : found.head.job_id));
}

}  // namespace fathom
