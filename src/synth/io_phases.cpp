// SPDX-License-Identifier: Apache-2.0
#include "synth/io_phases.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace fathom {
namespace {

constexpr double micro = 1e6;
constexpr std::uint64_t largest_request = 4u << 20;   // the forwarding daemon's buffer on an I/O node
constexpr double fastest_node = 350.0 * 1024 * 1024;  // bytes/s that one I/O node can move
constexpr double sampled_output = 170;                // seconds of samples that a short output makes busy, on average

class Script {
 public:
  Script(const Run& run, std::uint32_t job, std::int64_t start, std::uint16_t servers, std::uint8_t filesystems, std::uint64_t seed)
      : run_(run),
        job_(job),
        start_(start),
        length_(static_cast<double>(run.seconds)),
        servers_(servers),
        random_(Random::stream(seed ^ 0x10f7u, run.number)) {
    filesystem_ = std::min<std::uint8_t>(run.application->filesystem, static_cast<std::uint8_t>(filesystems - 1));
  }

  std::vector<Flow> write() {
    load_program();
    read_input();
    if (run_.logs) keep_log();
    write_output();
    std::stable_sort(flows_.begin(), flows_.end(), [](const Flow& a, const Flow& b) { return a.begin < b.begin; });
    return std::move(flows_);
  }

 private:
  enum class Who { first, all };

  /// `bytes` in about `requests` over [begin, begin + length) seconds of the run, by one or all I/O nodes.
  void move(Counter direction, double begin, double length, double bytes, double requests, Who who, std::uint64_t files) {
    begin = std::clamp(begin, 0.0, length_ - 1);
    length = std::clamp(length, 0.5, length_ - begin);
    const std::uint16_t movers = who == Who::all ? servers_ : std::uint16_t{1};
    // The first I/O node of each four issues more of the write commands, for the same bytes (D Fig. 4.2).
    const auto eagerness = [&](int server) { return direction == Counter::write_bytes && server % 4 == 0 ? 3.0 : 1.0; };
    double eager = 0;
    for (std::uint16_t server = 0; server < movers; ++server) eager += eagerness(server);
    for (std::uint16_t server = 0; server < movers; ++server) {
      const double own = bytes / movers * random_.uniform(0.96, 1.04);
      Flow flow{
          .begin = at(begin), .end = at(begin + length), .job = job_, .server = server, .filesystem = filesystem_, .bytes = direction};
      const double fewest = std::max(1.0, own / static_cast<double>(largest_request));
      flow.requests = static_cast<std::uint64_t>(std::ceil(std::max(fewest, requests * eagerness(server) / eager)));
      flow.request_bytes = static_cast<std::uint64_t>(own) / flow.requests;
      if (flow.request_bytes == 0) {  // more requests than bytes: one byte each is the least
        flow.request_bytes = 1;
        flow.requests = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(own));
      }
      flow.opens = std::max<std::uint64_t>(1, files / movers);
      flow.closes = random_.chance(0.2) ? flow.opens : flow.opens - flow.opens / 12;  // some files are left open: D Table 4.2
      flow.inode_updates = direction == Counter::write_bytes ? flow.opens + flow.requests / 64 : 0;
      flow.dirs = random_.chance(0.1) ? 1 : 0;
      flows_.push_back(flow);
    }
  }

  std::int64_t at(double second) const { return start_ + static_cast<std::int64_t>(second * micro); }

  /// Every I/O node fetches the executable, from home where there is one.
  void load_program() {
    const std::uint8_t usual = filesystem_;
    filesystem_ = usual == 2 ? usual : std::uint8_t{1};
    const double size = std::min(random_.lognormal(4, 0.5) * 1048576, static_cast<double>(run_.read_bytes) / 8);
    move(Counter::read_bytes, 0.5, random_.uniform(1, 4), size, 16, run_.reads_together ? Who::all : Who::first, run_.nodes);
    filesystem_ = usual;
  }

  void read_input() {
    const Who who = run_.reads_together ? Who::all : Who::first;
    const double movers = run_.reads_together ? servers_ : 1;
    const auto bytes = std::min(static_cast<double>(run_.read_bytes), 0.9 * length_ * movers * fastest_node);
    const auto requests = static_cast<double>(run_.read_requests);
    const std::uint64_t files = random_.chance(0.3) ? run_.nodes * 4 : random_.chance(0.5) ? run_.nodes : servers_;
    const double at_start = run_.read_spread > 0 ? random_.uniform(0.3, 0.6) : 1;
    const double wait = std::min(random_.uniform(125, 420), length_ / 4);  // booting the partition, starting the processes
    const double rate = std::min(run_.read_rate, fastest_node) * movers;
    const double length = std::min(std::max(at_start * bytes / rate, random_.uniform(4, 30)), 0.9 * length_);
    move(Counter::read_bytes, wait, length, at_start * bytes, at_start * requests, who, files);
    if (at_start == 1) return;
    const double streamed = (1 - at_start) * bytes;
    const double busy = std::clamp(run_.read_spread * length_, streamed / (movers * fastest_node), length_);
    const auto parts = run_.read_spread > 0.95 ? 1 : random_.whole(1, 4);
    const auto n = static_cast<double>(parts);
    const double slack = (length_ - busy) / n;
    for (std::int64_t part = 0; part < parts; ++part) {
      const double begin = static_cast<double>(part) * length_ / n + random_.uniform(0, slack);
      move(Counter::read_bytes, begin, busy / n, streamed / n, (1 - at_start) * requests / n, who, servers_);
    }
  }

  /// A short message about every minute; the first I/O node, where standard output ends, has more of them (D Fig. 4.2).
  void keep_log() {
    const double every = random_.uniform(40, 75);
    for (std::uint16_t server = 0; server < servers_; ++server) {
      Flow flow{
          .begin = at(0), .end = at(length_), .job = job_, .server = server, .filesystem = filesystem_, .bytes = Counter::write_bytes};
      flow.requests = static_cast<std::uint64_t>(std::ceil(length_ / every)) * (server == 0 ? 8 : 1);
      flow.request_bytes = static_cast<std::uint64_t>(random_.whole(60, 300));
      flow.opens = 1;
      flow.closes = 1;
      flow.inode_updates = flow.requests / 10;
      flows_.push_back(flow);
      for (const double second : {0.01, length_ - 0.2}) {  // a banner, and a good-bye
        flow = {.begin = at(second),
                .end = at(second + 0.1),
                .job = job_,
                .server = server,
                .filesystem = filesystem_,
                .bytes = Counter::write_bytes};
        flow.requests = 2;
        flow.request_bytes = static_cast<std::uint64_t>(random_.whole(80, 400));
        flows_.push_back(flow);
      }
    }
  }

  /// Outputs at even intervals, the last at the end. In a parallel one every I/O node writes as much as the first does alone in the others.
  void write_output() {
    const double most = std::max(1.0, std::floor(length_ / 121));
    const auto outputs = static_cast<std::size_t>(std::clamp(std::round(run_.write_duty * length_ / sampled_output), 1.0, most));
    const double period = length_ / static_cast<double>(outputs);
    std::vector<bool> parallel(outputs);
    double owed = run_.write_parallel > 0 ? 1 - run_.write_parallel * random_.uniform() : 0, writers = 0;
    for (std::size_t i = 0; i < outputs; ++i) {
      owed += run_.write_parallel;
      parallel[i] = owed >= 1;
      if (parallel[i]) owed -= 1;
      writers += parallel[i] ? servers_ : 1;
    }
    const double volume = static_cast<double>(run_.write_bytes) / writers;  // of one writer in one output
    const double requests = static_cast<double>(run_.write_requests) / writers;
    const std::uint64_t files = random_.chance(0.25) ? run_.nodes : servers_;
    for (std::size_t i = 0; i < outputs; ++i) {
      const bool all = parallel[i] || volume > 0.9 * period * fastest_node;
      const double total = std::min(volume * (parallel[i] ? servers_ : 1), 0.9 * period * (all ? servers_ : 1) * fastest_node);
      const double length = std::clamp(total / (run_.write_rate * (all ? servers_ : 1)), std::min(3.0, 0.5 * period), 0.95 * period);
      const double end = (static_cast<double>(i) + 1) * period - random_.uniform(0, 0.03 * period);
      move(Counter::write_bytes, std::max(0.0, end - length), length, total, requests * (parallel[i] ? servers_ : 1),
           all ? Who::all : Who::first, all ? files : 1);
    }
  }

  const Run& run_;
  std::uint32_t job_;
  std::int64_t start_;
  double length_;
  std::uint16_t servers_;
  std::uint8_t filesystem_ = 0;
  Random random_;
  std::vector<Flow> flows_;
};

}  // namespace

std::vector<Flow> io_of(const Run& run, std::uint32_t job, std::int64_t start, std::uint16_t servers, std::uint8_t filesystems,
                        std::uint64_t seed) {
  return Script(run, job, start, servers, filesystems, seed).write();
}

}  // namespace fathom
