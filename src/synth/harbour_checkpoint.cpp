// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_checkpoint.h"

#include <algorithm>
#include <array>
#include <deque>

#include "base/random.h"

namespace fathom::quayside {
namespace {

constexpr std::int64_t ms = 1'000'000;  // nanoseconds
constexpr Micros bin = 100'000;
constexpr std::uint64_t served_per_bin = 5'500'000;  // bytes of one OST: 55 MB/s

struct Amount {
  std::uint64_t bytes = 0, requests = 0;
};

/// Requests on their way to one OST: they arrive, wait for each other and are served in that order.
class Queue {
 public:
  explicit Queue(Micros from) : from_(from) {}
  void arrive(Micros t, std::uint64_t bytes) {
    const auto at = static_cast<std::size_t>((t - from_) / bin);
    if (at >= arrivals_.size()) arrivals_.resize(at + 1);
    arrivals_[at].bytes += bytes;
    ++arrivals_[at].requests;
  }
  /// Tells what was served in each bin; a request counts when the last byte of those that came with it is there.
  template <class Served>
  void serve(const Served& served) const {
    std::deque<Amount> waiting;
    for (std::size_t at = 0; at < arrivals_.size() || !waiting.empty(); ++at) {
      if (at < arrivals_.size() && arrivals_[at].requests > 0) waiting.push_back(arrivals_[at]);
      Amount done;
      while (!waiting.empty() && done.bytes < served_per_bin) {
        const std::uint64_t part = std::min(waiting.front().bytes, served_per_bin - done.bytes);
        done.bytes += part;
        waiting.front().bytes -= part;
        if (waiting.front().bytes > 0) break;
        done.requests += waiting.front().requests;
        waiting.pop_front();
      }
      if (done.bytes > 0) served(from_ + static_cast<Micros>(at) * bin, done);
    }
  }

 private:
  Micros from_;
  std::vector<Amount> arrivals_;
};

/// The middle of bytes in time, kept small by counting from the run's start.
struct Middle {
  double bytes = 0, moment = 0;
  void add(double t, std::uint64_t amount) {
    bytes += static_cast<double>(amount);
    moment += static_cast<double>(amount) * t;
  }
  double at() const { return bytes > 0 ? moment / bytes : 0; }
};

class Run {
 public:
  Run(const PlannedJob& job, std::uint32_t number, Traffic& traffic, const std::function<void(const ClientCall&)>& watch)
      : job_(job), number_(number), traffic_(traffic), watch_(watch), random_(job.seed) {}

  RunTruth play() {
    read_input();
    for (std::size_t i = 0; i < job_.bursts.size(); ++i)
      write_checkpoint(job_.bursts[i].begin, i % 2 == 0 ? ClientFile::checkpoint_a : ClientFile::checkpoint_b);
    truth_.delay = on_servers_.at() - on_clients_.at();
    return truth_;
  }

 private:
  double since_start(std::int64_t nanoseconds) const {
    const std::int64_t microseconds = nanoseconds / 1000;
    return static_cast<double>(microseconds - job_.start) / 1e6;
  }

  void call(ClientCall made) {
    if (made.kind == ClientKind::read || made.kind == ClientKind::write) {
      ++truth_.calls;
      (made.kind == ClientKind::read ? truth_.client_read : truth_.client_write) += made.bytes;
    }
    if (made.kind == ClientKind::write) on_clients_.add(since_start(made.start / 2 + made.end / 2), made.bytes);
    if (watch_) watch_(made);
  }

  std::int64_t some(double from_ms, double to_ms) {
    return static_cast<std::int64_t>(random_.uniform(from_ms, to_ms) * static_cast<double>(ms));
  }

  /// Opens a file at `t`; gives the time after.
  std::int64_t open_or_close(std::uint32_t rank, ClientKind kind, ClientFile file, std::int64_t t) {
    const std::int64_t end = t + some(1, 4);
    call({.rank = rank, .kind = kind, .file = file, .start = t, .end = end});
    return end + some(0.01, 0.05);
  }

  /// A node's first rank to ask for a block brings it into the page cache, where the others find it.
  void read_input() {
    constexpr std::uint32_t nodes = ranks / ranks_per_node;
    constexpr std::size_t blocks = input_bytes / mib;
    std::array<std::array<std::int64_t, blocks>, nodes> first{};
    for (auto& node : first) node.fill(INT64_MAX);
    const std::int64_t begin = (job_.start + 4 * second) * 1000;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      std::int64_t t = open_or_close(rank, ClientKind::open, ClientFile::input, begin + some(0, 400));
      for (std::size_t block = 0; block < blocks; ++block) {
        const std::int64_t end = t + some(20, 110);
        call({.rank = rank,
              .kind = ClientKind::read,
              .file = ClientFile::input,
              .start = t,
              .end = end,
              .offset = block * mib,
              .bytes = mib});
        std::int64_t& earliest = first[rank % nodes][block];
        earliest = std::min(earliest, t);
        t = end + some(0.05, 0.3);
      }
      open_or_close(rank, ClientKind::close, ClientFile::input, t);
    }
    for (const auto& node : first)
      for (std::size_t block = 0; block < blocks; ++block) serve_read(node[block] / 1000, ost_of(job_, ClientFile::input, block));
  }

  void serve_read(Micros t, std::uint32_t ost) {
    truth_.server_read += mib;
    ++truth_.server_requests;
    traffic_.add(number_, ost, step_of(t), {mib, 0, 1, 0});
  }

  void write_checkpoint(Micros begin, ClientFile file) {
    std::array<Queue, stripe_count> queues = {Queue(begin), Queue(begin)};
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      std::int64_t t = open_or_close(rank, ClientKind::open, file, begin * 1000 + some(0, 50));
      for (std::uint32_t i = 0; i < calls_per_checkpoint; ++i) {
        const std::int64_t end = t + some(6, 15.6);
        const std::uint64_t offset = (std::uint64_t{i} * ranks + rank) * call_bytes;
        call({.rank = rank, .kind = ClientKind::write, .file = file, .start = t, .end = end, .offset = offset, .bytes = call_bytes});
        send(offset, (end + some(300, 700)) / 1000, queues);
        t = end + some(0.5, 1.5);
      }
      open_or_close(rank, ClientKind::close, file, t);
    }
    for (std::uint32_t stripe = 0; stripe < stripe_count; ++stripe)
      queues[stripe].serve([&](Micros t, const Amount& done) {
        truth_.server_write += done.bytes;
        truth_.server_requests += done.requests;
        on_servers_.add(since_start((t + bin / 2) * 1000), done.bytes);
        traffic_.add(number_, ost_of(job_, file, stripe), step_of(t), {0, done.bytes, 0, done.requests});
      });
  }

  /// Whole pages, cut where a stripe ends.
  static void send(std::uint64_t offset, Micros t, std::array<Queue, stripe_count>& queues) {
    const std::uint64_t end = (offset + call_bytes + page - 1) / page * page;
    for (std::uint64_t from = offset / page * page; from < end;) {
      const std::uint64_t stripe = from / stripe_size, to = std::min(end, (stripe + 1) * stripe_size);
      queues[stripe % stripe_count].arrive(t, to - from);
      from = to;
    }
  }

  const PlannedJob& job_;
  std::uint32_t number_;
  Traffic& traffic_;
  const std::function<void(const ClientCall&)>& watch_;
  Random random_;
  RunTruth truth_;
  Middle on_clients_, on_servers_;
};

}  // namespace

std::uint32_t ost_of(const PlannedJob& job, ClientFile file, std::uint64_t stripe) {
  const auto first = job.bursts.empty() ? 0 : job.bursts.front().first_ost;
  return (first + static_cast<std::uint32_t>(file) * stripe_count + static_cast<std::uint32_t>(stripe % stripe_count)) % ost_count;
}

RunTruth play(const PlannedJob& job, std::uint32_t number, Traffic& traffic, const std::function<void(const ClientCall&)>& watch) {
  return Run(job, number, traffic, watch).play();
}

}  // namespace fathom::quayside
