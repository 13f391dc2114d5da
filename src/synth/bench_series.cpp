// SPDX-License-Identifier: Apache-2.0
#include "synth/bench_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace fathom {
namespace {

constexpr double second = 1e6;
constexpr std::uint64_t mebibyte = 1u << 20;
constexpr std::uint64_t aggregators_per_io_node = 8;       // processes that write for the others in collective calls
constexpr std::uint64_t collective_buffer = 4 * mebibyte;  // of an aggregator
constexpr std::uint64_t block = mebibyte;                  // of the file system: fewer aggregators take part where blocks are few

// What one I/O node can do; made up, so that runs take from minutes to most of an hour.
constexpr double node_bytes_per_second = 250.0 * mebibyte;
constexpr double node_requests_per_second = 4000;
constexpr double collective_bytes_per_second = 120.0 * mebibyte;
constexpr double shared_file_slowdown = 0.6;  // tasks wait for each other's locks

double mean_request(const BenchParameters& p) { return p.random_sizes ? static_cast<double>(p.size + 1) / 2 : static_cast<double>(p.size); }

bool is_collective(const BenchParameters& p) { return p.interface == BenchInterface::mpiio && p.layout == BenchLayout::shared; }

double bytes_per_second(const BenchTest& test) {
  const BenchParameters& p = test.parameters;
  const std::uint64_t servers = test.nodes / nodes_per_io_node;
  const auto io_nodes = static_cast<double>(servers);
  if (is_collective(p)) return io_nodes * collective_bytes_per_second;
  const double one = std::min(node_bytes_per_second, node_requests_per_second * mean_request(p));
  return io_nodes * one * (p.layout == BenchLayout::shared ? shared_file_slowdown : 1);
}

/// Lays out one run: first the times of every task, then what the I/O nodes see of it.
class Script {
 public:
  Script(const BenchTest& test, std::uint32_t job, std::int64_t start, std::uint64_t seed, std::uint64_t number)
      : test_(test), job_(job), start_(start), random_(Random::stream(seed ^ 0xbe7c4u, number)) {
    BenchParameters& p = run_.head.parameters;
    p = test.parameters;
    p.seed = seed * 1000 + number;
    // As somebody who wants to see a run in 120 s samples would choose it: so many requests that it takes 4 to 40 minutes.
    const double wanted = 270 * std::pow(8.3, random_.uniform());
    speed_ = bytes_per_second(test) * random_.uniform(0.9, 1.1);
    const double per_round = mean_request(p) * static_cast<double>(p.tasks);
    p.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted / 2 * speed_ / per_round));
    for (std::uint64_t task = 0; task < p.tasks; ++task) task_bytes_.push_back(bytes_of_task(p, task));
    first_offsets_.resize(p.tasks);
    if (p.layout == BenchLayout::shared)
      std::exclusive_scan(task_bytes_.begin(), task_bytes_.end(), first_offsets_.begin(), std::uint64_t{0});
    run_.head.nodes = test.nodes;
    delay_ = span(1, 5);
  }

  BenchRun write() {
    load_program();
    std::int64_t now = start_ + span(8, 25);  // booting the partition, starting the processes
    for (const BenchPhase phase : {BenchPhase::write, BenchPhase::read}) now = play(phase, now) + span(0.1, 0.5);
    const auto whole_second = static_cast<std::int64_t>(second);
    run_.end = (now + span(2, 15) + whole_second - 1) / whole_second * whole_second;
    return std::move(run_);
  }

 private:
  const BenchParameters& parameters() const { return run_.head.parameters; }
  std::uint16_t io_nodes() const { return static_cast<std::uint16_t>(test_.nodes / nodes_per_io_node); }
  std::int64_t span(double low, double high) { return static_cast<std::int64_t>(random_.uniform(low, high) * second); }
  std::uint16_t server_of(std::uint64_t task) const { return static_cast<std::uint16_t>(task * io_nodes() / parameters().tasks); }

  /// What the counters see comes some seconds late, the same for all of them (D Fig. 4.8).
  Flow flow(std::int64_t begin, std::int64_t end, std::uint16_t server, Counter bytes) const {
    return {.begin = begin + delay_, .end = end + delay_, .job = job_, .server = server, .filesystem = 0, .bytes = bytes};
  }

  /// Requests of about one size whose bytes are exactly `bytes`.
  void count_requests(Flow one, std::uint64_t requests, std::uint64_t bytes) {
    if (requests == 0) return;
    one.request_bytes = bytes / requests;
    const std::uint64_t larger = bytes % requests;
    one.requests = requests - larger;
    run_.flows.push_back(one);
    one.requests = larger;
    ++one.request_bytes;
    if (larger > 0) run_.flows.push_back(one);
  }

  /// Every I/O node fetches the program; its files are opened from the begin on, and nobody sees them closed (D Fig. 4.6).
  void load_program() {
    const double share = extra_calls(test_).opens_at_start / static_cast<double>(io_nodes());
    for (std::uint16_t server = 0; server < io_nodes(); ++server) {
      const std::int64_t end = start_ + span(3, 7), begin = start_ + span(0.2, 1);
      Flow one = flow(begin, end, server, Counter::read_bytes);
      one.filesystem = 1;
      one.requests = 16;
      one.request_bytes = 1u << 17;
      one.dirs = 2;
      one.opens = static_cast<std::uint64_t>(std::llround(share * 2 * static_cast<double>(parameters().tasks)));
      run_.flows.push_back(one);
    }
  }

  /// Opening, moving and closing by all tasks; returns when the last is done.
  std::int64_t play(BenchPhase phase, std::int64_t begin) {
    const bool own_files = parameters().layout == BenchLayout::task_local;
    const std::int64_t opening = own_files ? span(2, 10) : span(0.5, 2);  // making files in one directory takes its time
    std::uint64_t all_bytes = 0;
    for (const std::uint64_t bytes : task_bytes_) all_bytes += bytes;
    const double pace = phase == BenchPhase::read ? random_.uniform(1.0, 1.3) : 1;
    const double length = static_cast<double>(all_bytes) / (speed_ * pace);
    std::int64_t first_move = INT64_MAX, last_move = 0, done = 0;
    for (std::uint64_t task = 0; task < parameters().tasks; ++task) {
      std::int64_t now = begin + static_cast<std::int64_t>(random_.uniform() * static_cast<double>(opening));
      now = open_or_close(phase, BenchCall::open, task, now);
      const auto taken = static_cast<std::int64_t>(length * random_.uniform(0.97, 1.0) * second);
      move(phase, task, now, now + taken);
      first_move = std::min(first_move, now);
      last_move = std::max(last_move, now + taken);
      now = open_or_close(phase, BenchCall::close, task, now + taken + span(0.001, 0.1));
      done = std::max(done, now);
    }
    if (is_collective(parameters())) move_together(phase, all_bytes, first_move, last_move);
    open_behind_the_scenes(phase, begin, begin + opening, done);
    return done;
  }

  std::int64_t open_or_close(BenchPhase phase, BenchCall call, std::uint64_t task, std::int64_t now) {
    const std::int64_t end = now + span(0.002, 0.05);
    add_row(phase, call, task, now, end, 0, 1);
    Flow one = flow(now, end, server_of(task), Counter::write_bytes);
    (call == BenchCall::open ? one.opens : one.closes) = 1;
    one.inode_updates = call == BenchCall::close && phase == BenchPhase::write ? 1 : 0;
    run_.flows.push_back(one);
    return end;
  }

  void move(BenchPhase phase, std::uint64_t task, std::int64_t begin, std::int64_t end) {
    const bool writing = phase == BenchPhase::write;
    add_row(phase, writing ? BenchCall::write : BenchCall::read, task, begin, end, task_bytes_[task], parameters().count);
    if (is_collective(parameters())) return;
    count_requests(flow(begin, end, server_of(task), writing ? Counter::write_bytes : Counter::read_bytes), parameters().count,
                   task_bytes_[task]);
  }

  /// The aggregators' requests in place of those of the tasks.
  void move_together(BenchPhase phase, std::uint64_t bytes, std::int64_t begin, std::int64_t end) {
    const std::uint64_t requests = parameters().count * collective_requests(test_);
    const auto share = [&](std::uint64_t whole, std::uint64_t server) {
      return whole * (server + 1) / io_nodes() - whole * server / io_nodes();
    };
    for (std::uint16_t server = 0; server < io_nodes(); ++server)
      count_requests(flow(begin, end, server, phase == BenchPhase::write ? Counter::write_bytes : Counter::read_bytes),
                     share(requests, server), share(bytes, server));
  }

  /// What the MPI library opens and closes on its own when the tasks open their files.
  void open_behind_the_scenes(BenchPhase phase, std::int64_t begin, std::int64_t end, std::int64_t done) {
    const ExtraCalls extra = extra_calls(test_);
    const double tasks = static_cast<double>(parameters().tasks) / static_cast<double>(io_nodes());
    for (std::uint16_t server = 0; server < io_nodes(); ++server) {
      const Counter direction = phase == BenchPhase::write ? Counter::write_bytes : Counter::read_bytes;
      Flow one = flow(begin, end, server, direction);
      one.opens = static_cast<std::uint64_t>(std::llround(extra.opens_with_files * tasks));
      if (one.opens > 0) run_.flows.push_back(one);
      one = flow(done - span(0.5, 1), done, server, direction);
      one.closes = static_cast<std::uint64_t>(std::llround(extra.closes_with_files * tasks));
      if (one.closes > 0) run_.flows.push_back(one);
    }
  }

  void add_row(BenchPhase phase, BenchCall call, std::uint64_t task, std::int64_t begin, std::int64_t end, std::uint64_t bytes,
               std::uint64_t count) {
    const bool moves = call == BenchCall::write || call == BenchCall::read;
    run_.rows.push_back({.task = task,
                         .call = {.phase = phase,
                                  .call = call,
                                  .offset = moves ? first_offsets_[task] : 0,
                                  .bytes = bytes,
                                  .start = begin * 1000,
                                  .end = end * 1000,
                                  .duration = (end - begin) * 1000},
                         .file = {},
                         .count = count});
  }

  const BenchTest& test_;
  std::uint32_t job_;
  std::int64_t start_;
  Random random_;
  double speed_ = 0;
  std::int64_t delay_ = 0;
  std::vector<std::uint64_t> task_bytes_, first_offsets_;
  BenchRun run_;
};

}  // namespace

std::vector<BenchTest> all_bench_tests() {
  struct Size {
    std::uint64_t kibibytes;
    bool random;
    bool also_on_64;
  };
  constexpr Size sizes[] = {{4, false, true},    {16, false, false}, {64, false, false}, {64, true, false},
                            {256, false, false}, {512, true, true},  {1024, false, true}};
  std::vector<BenchTest> tests;
  for (const BenchInterface interface : {BenchInterface::posix, BenchInterface::mpiio})
    for (const BenchLayout layout : {BenchLayout::task_local, BenchLayout::shared})
      for (const std::uint64_t nodes : {32, 64})
        for (const Size& size : sizes) {
          if (nodes == 64 && !size.also_on_64) continue;
          BenchTest test;
          test.nodes = nodes;
          test.parameters.interface = interface;
          test.parameters.layout = layout;
          test.parameters.tasks = nodes * processes_per_node;
          test.parameters.size = size.kibibytes * 1024;
          test.parameters.random_sizes = size.random;
          tests.push_back(test);
        }
  return tests;
}

std::string name_of(const BenchTest& test) {
  const BenchParameters& p = test.parameters;
  return fmt::format("bench-{}-{}-{}{}Ki", word(p.interface), word(p.layout), p.random_sizes ? "r" : "", p.size / 1024);
}

std::uint64_t collective_requests(const BenchTest& test) {
  const BenchParameters& p = test.parameters;
  const std::uint64_t together = static_cast<std::uint64_t>(mean_request(p)) * p.tasks;
  const std::uint64_t aggregators = aggregators_per_io_node * (test.nodes / nodes_per_io_node);
  const auto parts = [](std::uint64_t bytes, std::uint64_t size) { return (bytes + size - 1) / size; };
  // Calls of equal size begin where a block begins: each aggregator gets whole blocks, so few blocks keep few of them busy.
  if (!p.random_sizes && parts(together, block) < aggregators) return parts(together, block);
  return aggregators * parts(together / aggregators, collective_buffer);
}

ExtraCalls extra_calls(const BenchTest& test) {
  const BenchParameters& p = test.parameters;
  if (p.layout == BenchLayout::shared) return {.opens_at_start = 0.25};
  if (p.interface == BenchInterface::posix) return {.opens_at_start = 0.5};
  return {.opens_at_start = 0.5, .opens_with_files = 0.25, .closes_with_files = 0.25};
}

BenchRun run_of(const BenchTest& test, std::uint32_t job, std::int64_t start, std::uint64_t seed, std::uint64_t number) {
  return Script(test, job, start, seed, number).write();
}

}  // namespace fathom
