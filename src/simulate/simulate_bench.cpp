// SPDX-License-Identifier: Apache-2.0
// How fast the simulation is, with 128 compute nodes for each I/O node; prints one line of `key value` pairs.
//   simulate_bench fast|heard|reference [REQUESTS [NODES]]
// simulates about so many requests of a machine like JUGENE (default 30e6, 600). `fast`: as the program does it; `heard`: with somebody
// who hears of every request; `reference`: the plain engine of the tests. The hashes of the last two are over every time of every request
// and must be equal.
//   simulate_bench crowd|varied ROUNDS NODES [TIMES]
// is the work of simgrid_speed: every compute node has a request in flight all the time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/own_use.h"
#include "base/random.h"
#include "simulate/engine.h"
#include "simulate/reference_test.h"

namespace fathom::simulate {
namespace {

constexpr std::uint32_t compute_nodes = 128, nodes_of_job = 8;
constexpr Picoseconds interval = 120 * picoseconds_per_second;
constexpr double requests_of_increment = 600;  // on average, of the phases below

/// What an I/O node does in an interval of 120 s. The shares and sizes follow one day of `fathom synth jugene`: most increments are a few
/// lines of a log, most requests come from few increments with many small ones, most bytes from restarts and checkpoints. A median
/// checkpoint and a median restart are 2.3 GiB in requests of 4 MiB: more than a page pool, and 2 s of an external link.
struct Phase {
  double share;
  std::array<double, 2> requests;  // median, reads and writes; the spread is that of a log-normal distribution with sigma 1
  std::array<double, 2> bytes;     // of one
};
constexpr Phase phases[] = {
    {0.800, {0, 2}, {0, 150}},                      // a log
    {0.006, {20'000, 2}, {1'400, 150}},             // records read one by one
    {0.006, {0, 15'000}, {0, 24 * 1024}},           // records written one by one
    {0.052, {1'200, 2}, {64 * 1024, 150}},          // blocks read
    {0.046, {0, 1'500}, {0, 80 * 1024}},            // blocks written
    {0.020, {800, 800}, {256 * 1024, 256 * 1024}},  // both at once
    {0.030, {600, 2}, {4.0 * 1024 * 1024, 150}},    // a restart
    {0.040, {0, 600}, {0, 4.0 * 1024 * 1024}},      // a checkpoint
};

const Phase& drawn_phase(Random& random) {
  double rank = random.uniform();
  for (const Phase& each : phases)
    if ((rank -= each.share) < 0) return each;
  return phases[0];
}

Amounts drawn_amounts(const Phase& phase, Random& random) {
  Amounts amounts;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    if (phase.requests[kind] == 0) continue;
    const double requests = std::min(random.lognormal(phase.requests[kind], 1), 20 * phase.requests[kind]);
    amounts.operations[kind] = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(requests));
    amounts.bytes[kind] =
        static_cast<std::uint64_t>(static_cast<double>(amounts.operations[kind]) * phase.bytes[kind] * random.uniform(0.7, 1));
  }
  return amounts;
}

/// The eight I/O nodes of a job do the same at about the same time, as far as their unsynchronised counters can tell.
Work made_work(double requests, std::uint32_t nodes) {
  const auto periods = static_cast<std::int64_t>(std::max(1.0, requests / nodes / requests_of_increment + 0.5));
  Work work;
  work.nodes.resize(nodes);
  std::vector<WorkIncrement> increments;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    work.nodes[n] = {fmt::format("n{}", n), compute_nodes, {}};
    Random job = Random::stream(1, n / nodes_of_job), own = Random::stream(2, n);
    const Picoseconds offset = own.whole(0, interval - 1);
    for (std::int64_t period = 0; period < periods; ++period) {
      const Phase& phase = drawn_phase(job);
      const Picoseconds start = period * interval + offset;
      increments.push_back({n, start, start + interval, drawn_amounts(phase, own), 0});
    }
  }
  if (!lay_out(work, std::move(increments))) std::abort();
  return work;
}

std::uint64_t crowd_bytes(std::uint64_t n, std::uint64_t round, std::uint64_t c) {
  return 65'536 + (n * 7'919'317 + round * 1'047'299 + c * 2'654'435) % (4'194'304 - 65'536);
}

/// The same with a size for every request.
Work varied_crowd(std::uint64_t rounds, std::uint32_t nodes) {
  Work work;
  work.nodes.resize(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    work.nodes[n] = {fmt::format("n{}", n), compute_nodes, {}};
    for (std::uint32_t c = 0; c < compute_nodes; ++c) {
      auto& list = work.nodes[n].timed.emplace_back();
      for (std::uint64_t round = 0; round < rounds; ++round)
        list.push_back({0, crowd_bytes(n, round, c), (n + round) % 2 == 0 ? Kind::read : Kind::write});
    }
  }
  return work;
}

/// In every round each compute node reads or writes once, by turns. The requests of an I/O node in a round are an increment, and as large
/// as each other.
Work crowd(std::uint64_t rounds, std::uint32_t nodes) {
  Work work;
  work.nodes.resize(nodes);
  std::vector<WorkIncrement> increments;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    work.nodes[n] = {fmt::format("n{}", n), compute_nodes, {}};
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t bytes = crowd_bytes(n, round, 0);
      Amounts amounts;
      amounts.bytes[(n + round) % 2] = bytes * compute_nodes;
      amounts.operations[(n + round) % 2] = compute_nodes;
      increments.push_back({n, 0, interval, amounts, 0});
    }
  }
  if (!lay_out(work, std::move(increments))) std::abort();
  return work;
}

/// Does not depend on the order in which requests are told of.
class Hash {
 public:
  void add(const Completion& each) {
    std::uint64_t one = 0;
    for (const std::uint64_t part :
         {std::uint64_t{each.node}, each.index, static_cast<std::uint64_t>(each.kind), each.bytes, static_cast<std::uint64_t>(each.issued),
          static_cast<std::uint64_t>(each.acked), static_cast<std::uint64_t>(each.stored)}) {
      one = (one ^ part) * 0x9e3779b97f4a7c15u;
      one ^= one >> 32;
    }
    sum_ += one;
    ++count;
  }
  std::uint64_t value() const { return sum_; }
  std::uint64_t count = 0;

 private:
  std::uint64_t sum_ = 0;
};

void report(std::string_view engine, std::uint64_t requests, double seconds, std::uint64_t hash) {
  fmt::print("engine {} requests {} seconds {:.3f} requests_per_second {:.0f} hash {:016x} peak_kib {}\n", engine, requests, seconds,
             static_cast<double>(requests) / seconds, hash, peak_kib());
}

int measure(std::string_view engine, const Work& work) {
  const Architecture jugene;
  Hash hash;
  const double begin = processor_seconds();
  if (engine == "reference") {
    const std::vector<Completion> found = reference_completions(jugene, work);
    const double seconds = processor_seconds() - begin;
    for (const Completion& each : found) hash.add(each);
    report(engine, found.size(), seconds, hash.value());
    return 0;
  }
  CompletionSink sink;
  if (engine == "heard") sink = [&](const Completion& each) { hash.add(each); };
  const auto outcome = run(jugene, work, nullptr, sink);
  const double seconds = processor_seconds() - begin;
  if (!outcome) return fmt::print(stderr, "simulate_bench: {}\n", outcome.error().message), 1;
  if (engine == "heard" && hash.count != outcome->requests)
    return fmt::print(stderr, "simulate_bench: not every request was heard of\n"), 1;
  report(engine, outcome->requests, seconds, hash.value());
  return 0;
}

/// Without page pools, which SimGrid's side does not have.
int measure_crowd(const Work& work, std::uint64_t times) {
  Architecture jugene;
  jugene.page_pool = 0;
  std::uint64_t requests = 0, events = 0;
  double end = 0;
  const double begin = processor_seconds();
  for (std::uint64_t i = 0; i < times; ++i) {
    const auto outcome = run(jugene, work);
    if (!outcome) return fmt::print(stderr, "simulate_bench: {}\n", outcome.error().message), 1;
    requests += outcome->requests;
    events += outcome->events;
    end = in_seconds(outcome->end);
  }
  const double seconds = processor_seconds() - begin;
  fmt::print("engine crowd requests {} seconds {:.3f} requests_per_second {:.0f} events {} end {:.9f}\n", requests, seconds,
             static_cast<double>(requests) / seconds, events, end);
  return 0;
}

}  // namespace
}  // namespace fathom::simulate

int main(int argc, char** argv) {
  using namespace fathom::simulate;
  const std::string_view engine = argc > 1 ? argv[1] : "fast";
  const auto number = [&](int i, double otherwise) { return argc > i ? std::strtod(argv[i], nullptr) : otherwise; };
  const double amount = number(2, 30e6), nodes = number(3, 600), times = number(4, 1);
  if (amount < 1 || nodes < 1 || times < 1) return fmt::print(stderr, "simulate_bench: numbers are at least 1\n"), 2;
  const auto io_nodes = static_cast<std::uint32_t>(nodes);
  const auto rounds = static_cast<std::uint64_t>(amount);
  if (engine == "crowd") return measure_crowd(crowd(rounds, io_nodes), static_cast<std::uint64_t>(times));
  if (engine == "varied") return measure_crowd(varied_crowd(rounds, io_nodes), static_cast<std::uint64_t>(times));
  if (engine == "fast" || engine == "heard" || engine == "reference") return measure(engine, made_work(amount, io_nodes));
  return fmt::print(stderr,
                    "usage: simulate_bench fast|heard|reference [REQUESTS [NODES]]\n       simulate_bench crowd ROUNDS NODES [TIMES]\n"),
         2;
}
