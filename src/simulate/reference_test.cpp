// SPDX-License-Identifier: Apache-2.0
// Shares with the engine: the descriptions (Architecture, Work, Completion) and the order of events at the same moment. Nothing else.
#include "simulate/reference_test.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <tuple>

namespace fathom::simulate {
namespace {

/// At the same moment in this order, then by I/O node, then by lane (place of a request in flight) or station.
enum Order {
  disk_down,
  external_down,
  out_of_buffer,
  tree_down,
  at_compute_node,
  generate,
  own,
  external_up,
  disk_up,
  server_up,
  target,
  server_down,
  into_buffer,
  tree_up,
  message
};

struct Piece {
  Completion record;
  std::uint32_t lane = 0;
  std::uint32_t share = no_share;
  bool acknowledged = false;
};

using Action = std::function<void()>;

struct Happening {
  std::tuple<Picoseconds, int, std::uint32_t, std::uint32_t, std::uint64_t> when;
  Action action;
  bool operator<(const Happening& other) const { return when > other.when; }
};

struct Clock {
  Picoseconds now = 0;
  std::uint64_t number = 0;
  std::priority_queue<Happening> queue;
  void at(Picoseconds time, int order, std::uint32_t node, std::uint32_t lane, Action action) {
    queue.push({{time, order, node, lane, number++}, std::move(action)});
  }
};

/// Its events are in the order of what is transferred, or in that of stations if it has a number.
struct Station {
  static constexpr std::uint32_t no_number = UINT32_MAX;
  struct Load {
    const Piece* piece;
    std::uint64_t bytes;
    Action then;
  };
  std::uint64_t bandwidth = 1;
  int order = 0;
  std::uint32_t number = no_number;
  bool busy = false;
  Picoseconds start = 0, end = 0;
  std::deque<Load> queue;

  void begin(Clock& clock) {
    if (busy || queue.empty()) return;
    const Load load = queue.front();
    queue.pop_front();
    busy = true;
    start = clock.now;
    __extension__ using Wide = unsigned __int128;
    const Wide exact = Wide{load.bytes} * 1'000'000'000'000u;
    Wide time = exact / bandwidth;
    if (exact % bandwidth * 2 >= bandwidth) ++time;  // half a picosecond is rounded up
    end = start + static_cast<Picoseconds>(time);
    const bool by_number = number != no_number;
    clock.at(end, order, by_number ? 0 : load.piece->record.node, by_number ? number : load.piece->lane, [this, &clock, then = load.then] {
      busy = false;
      begin(clock);
      then();
    });
  }
  void arrive(Clock& clock, const Piece* piece, Action then) { arrive(clock, piece, piece->record.bytes, std::move(then)); }
  void arrive(Clock& clock, const Piece* piece, std::uint64_t bytes, Action then) {
    queue.push_back({piece, bytes, std::move(then)});
    begin(clock);
  }
};

struct Machine {
  struct Node {
    std::vector<Station> up, down;
    std::unique_ptr<Station> external_up, external_down, internal, internal_down;
    std::vector<std::deque<Piece*>> to_send;
    std::vector<bool> in_flight;  // by lane
    std::deque<Piece*> bypass, pool, buffer;
    std::uint64_t pool_used = 0;
    std::uint64_t generated = 0, answered = 0;
    bool is_short = false, emptying = false;
    std::size_t dealt_to = 0;
    std::uint64_t dealt = 0;
    // Reading ahead for a job.
    std::uint32_t ahead_for = no_share;
    std::uint64_t ahead_left = 0, ahead_here = 0;
    bool fetching = false;
    std::uint64_t passed = 0;  // reads that did not find their data fetched
    // By kind: where the next request begins on the targets.
    std::array<std::uint64_t, 2> offset{};
    bool quiet() const { return generated == answered; }
  };

  const Architecture& a;
  const Work& work;
  Clock clock;
  std::vector<Node> nodes;
  std::vector<std::uint64_t> buffer_used;  // of each burst buffer, that may be shared
  Station disk_link_up, disk_link_down;
  std::vector<Station> servers_up, servers_down, targets;
  std::deque<Piece> pieces;

  Machine(const Architecture& architecture, const Work& all_work)
      : a(architecture), work(all_work), nodes(work.nodes.size()), buffer_used(work.nodes.size()) {
    disk_link_up.bandwidth = disk_link_down.bandwidth = a.disk_bandwidth;
    disk_link_up.order = disk_up;
    disk_link_down.order = disk_down;
    const auto make = [](std::vector<Station>& stations, std::uint64_t count, std::uint64_t bandwidth, Order order) {
      stations.resize(count);
      for (std::uint32_t i = 0; i < count; ++i) stations[i].bandwidth = bandwidth, stations[i].order = order, stations[i].number = i;
    };
    make(servers_up, a.object_servers, a.object_server_bandwidth, server_up);
    make(servers_down, a.object_servers, a.object_server_bandwidth, server_down);
    make(targets, a.targets, a.target_bandwidth, target);
    for (std::size_t n = 0; n < nodes.size(); ++n) make_node(n);
  }

  void make_node(std::size_t n) {
    Node& node = nodes[n];
    const std::size_t count = work.nodes[n].compute_nodes;
    node.up.resize(a.tree_shape == 1 ? count : a.root_links);
    node.down.resize(node.up.size());
    for (Station& each : node.up) each.bandwidth = a.tree_bandwidth, each.order = tree_up;
    for (Station& each : node.down) each.bandwidth = a.tree_bandwidth, each.order = tree_down;
    for (auto* station : {&node.external_up, &node.external_down, &node.internal, &node.internal_down})
      *station = std::make_unique<Station>();
    node.external_up->bandwidth = node.external_down->bandwidth = a.external_bandwidth;
    node.external_up->order = external_up;
    node.external_down->order = external_down;
    node.internal->bandwidth = node.internal_down->bandwidth = a.burst_buffer_bandwidth;
    node.internal->order = into_buffer;
    node.internal_down->order = out_of_buffer;
    node.to_send.resize(count);
    node.in_flight.resize(count * a.in_flight);
    // At the same moment in the order of the steps.
    for (std::size_t i = 0; i < work.nodes[n].steps.size(); ++i) {
      const Step& step = work.nodes[n].steps[i];
      clock.at(step.at, generate, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(i), [this, n, i] { take(n, i); });
    }
    make_timed(n);
  }

  void take(std::size_t n, std::size_t i) {
    const Step& step = work.nodes[n].steps[i];
    if (step.what == Step::What::increment) deal(n, step);
    if (step.what == Step::What::job_start && a.prefetch > 0) read_ahead(n, i);
    if (step.what == Step::What::job_end && nodes[n].ahead_for == step.share) {
      forget_ahead(n);
      room_is_free(n);
    }
  }

  // Requests with times of their own.

  void make_timed(std::size_t n) {
    const auto& lists = work.nodes[n].timed;
    for (std::size_t c = 0; c < lists.size(); ++c)
      for (const TimedRequest& each : lists[c]) {
        std::uint64_t left = each.bytes;
        for (bool first = true; first || left > 0; first = false) {
          Piece& piece = pieces.emplace_back();
          piece.record.node = static_cast<std::uint32_t>(n);
          piece.record.index = nodes[n].dealt++;
          piece.record.kind = each.kind;
          piece.record.bytes = std::min(left, a.ciod_buffer);
          piece.record.compute_node = piece.lane = static_cast<std::uint32_t>(c);
          piece.record.issued = first ? each.at : -1;  // when it is due; -1: with its answer, the next one of the same request
          piece.share = work.nodes[n].timed_share;
          left -= piece.record.bytes;
          nodes[n].to_send[c].push_back(&piece);
        }
      }
    for (std::size_t c = 0; c < lists.size(); ++c) await_own(n, c);
  }

  void await_own(std::size_t n, std::size_t c) {
    Node& node = nodes[n];
    if (node.to_send[c].empty()) return;
    const Picoseconds due = node.to_send[c].front()->record.issued;
    if (due <= clock.now) return send_own(n, c);
    clock.at(due, own, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(c), [this, n, c] { send_own(n, c); });
  }

  void send_own(std::size_t n, std::size_t c) {
    ++nodes[n].generated;
    Piece* const piece = nodes[n].to_send[c].front();
    nodes[n].to_send[c].pop_front();
    begin(n, piece);
  }

  // Increments.

  std::vector<std::uint64_t> sizes(std::uint64_t bytes, std::uint64_t operations) const {
    std::vector<std::uint64_t> list;
    if (operations == 0) operations = (bytes + a.ciod_buffer - 1) / a.ciod_buffer;
    for (std::uint64_t i = 0; i < operations; ++i) {
      std::uint64_t left = bytes / operations + (i < bytes % operations ? 1 : 0);
      for (; left > a.ciod_buffer; left -= a.ciod_buffer) list.push_back(a.ciod_buffer);
      list.push_back(left);
    }
    return list;
  }

  void deal(std::size_t n, const Step& step) {
    Node& node = nodes[n];
    const Amounts& amounts = step.amounts;
    const auto reads = sizes(amounts.bytes[0], amounts.operations[0]), writes = sizes(amounts.bytes[1], amounts.operations[1]);
    const std::size_t all = reads.size() + writes.size();
    std::vector<std::size_t> fresh;
    std::size_t r = 0, w = 0;
    for (std::size_t i = 0; i < all; ++i) {
      const bool read = r < reads.size() && i == r * all / reads.size();  // read r is number floor(r x all / reads)
      Piece& piece = pieces.emplace_back();
      piece.record.node = static_cast<std::uint32_t>(n);
      piece.record.index = node.dealt++;
      piece.record.kind = read ? Kind::read : Kind::write;
      piece.record.bytes = read ? reads[r++] : writes[w++];
      piece.record.compute_node = static_cast<std::uint32_t>(node.dealt_to);
      piece.share = step.share;
      ++node.generated;
      node.to_send[node.dealt_to].push_back(&piece);
      fresh.push_back(node.dealt_to);
      node.dealt_to = (node.dealt_to + 1) % node.to_send.size();
    }
    for (const std::size_t c : fresh)
      for (std::size_t lane = c * a.in_flight; lane < (c + 1) * a.in_flight; ++lane)
        if (!node.in_flight[lane]) send(n, lane);
  }

  void send(std::size_t n, std::size_t lane) {
    Node& node = nodes[n];
    auto& queue = node.to_send[lane / a.in_flight];
    node.in_flight[lane] = !queue.empty();
    if (queue.empty()) return;
    Piece* const piece = queue.front();
    queue.pop_front();
    piece->lane = static_cast<std::uint32_t>(lane);
    begin(n, piece);
  }

  // Ways of requests.

  /// From the compute node to the I/O node.
  std::vector<std::size_t> path(std::size_t c) const {
    if (a.tree_shape == 0) return {c % a.root_links};
    std::vector<std::size_t> links;
    for (std::size_t j = c / a.root_links;; j = (j - 1) / 2) {
      links.push_back(j * a.root_links + c % a.root_links);
      if (j == 0) return links;
    }
  }

  void begin(std::size_t n, Piece* piece) {
    piece->record.issued = clock.now;
    const auto links = path(piece->record.compute_node);
    if (piece->record.kind == Kind::write) return hop_up(n, piece, links, 0);
    std::vector<Station*> way;
    for (const std::size_t link : links) way.push_back(&nodes[n].up[link]);
    pass(piece, std::move(way), 0, [this, n, piece] {
      if (in_buffer(n, *piece)) return from_buffer(n, piece);
      ask_disks(n, piece, [this, n, piece] { arrived_down(n, piece); });
    });
  }

  void ask_disks(std::size_t n, Piece* piece, Action then) {
    pass(piece, {nodes[n].external_up.get(), &disk_link_up}, 0, [this, n, piece, then] {
      use_targets(n, piece, [this, n, piece, then] {
        disk_link_down.arrive(clock, piece, [this, n, piece, then] { nodes[n].external_down->arrive(clock, piece, then); });
      });
    });
  }

  void pass(Piece* piece, std::vector<Station*> way, std::size_t i, Action then) {
    for (; i < way.size(); ++i) {
      const Station& station = *way[i];
      if (station.busy && station.start < clock.now && clock.now < station.end)
        return clock.at(station.end, message, piece->record.node, piece->lane,
                        [this, piece, way, i, then] { pass(piece, way, i + 1, then); });
    }
    then();
  }

  std::vector<Station*> way_down(Node& node, std::size_t c) const {
    std::vector<Station*> way;
    for (const std::size_t link : path(c)) way.insert(way.begin(), &node.down[link]);
    return way;
  }

  void answered(std::size_t n, Piece* piece) {
    Node& node = nodes[n];
    piece->record.acked = clock.now;
    ++node.answered;
    const bool quiet = node.quiet();
    const std::size_t c = piece->record.compute_node;
    if (work.nodes[n].timed.empty()) {
      if (quiet && a.drain != 0) drain(n);
      return send(n, piece->lane);
    }
    await_own(n, c);
    if (node.quiet() && a.drain != 0) drain(n);
  }

  void arrived_down(std::size_t n, Piece* piece) {
    piece->record.stored = clock.now;
    hop_down(n, piece, way_down(nodes[n], piece->record.compute_node), 0);
  }

  /// The end of the last link is an event of its own order: it was passed, then the data is there.
  void hop_down(std::size_t n, Piece* piece, std::vector<Station*> way, std::size_t i) {
    Station* const station = way[i];
    const bool last = i + 1 == way.size();
    if (a.tree_shape == 0) station->order = at_compute_node;
    station->arrive(clock, piece, [this, n, piece, way, i, last] {
      if (!last) return hop_down(n, piece, way, i + 1);
      if (a.tree_shape == 0) return answered(n, piece);
      clock.at(clock.now, at_compute_node, piece->record.node, piece->lane, [this, n, piece] { answered(n, piece); });
    });
  }

  void hop_up(std::size_t n, Piece* piece, std::vector<std::size_t> links, std::size_t i) {
    nodes[n].up[links[i]].arrive(clock, piece, [this, n, piece, links, i] {
      if (i + 1 < links.size())
        hop_up(n, piece, links, i + 1);
      else
        write_arrives(n, piece);
    });
  }

  void acknowledge(std::size_t n, Piece* piece) {
    piece->acknowledged = true;
    pass(piece, way_down(nodes[n], piece->record.compute_node), 0, [this, n, piece] { answered(n, piece); });
  }

  // Page pool and burst buffer.

  void write_arrives(std::size_t n, Piece* piece) {
    Node& node = nodes[n];
    if (a.page_pool > 0 && node.pool_used + piece->record.bytes <= a.page_pool) {
      node.pool_used += piece->record.bytes;
      node.pool.push_back(piece);
      drain(n);
      acknowledge(n, piece);
    } else {
      node.bypass.push_back(piece);
      drain(n);
    }
  }

  std::size_t first_sharer(std::size_t n) const { return n / a.burst_buffer_shared_by * a.burst_buffer_shared_by; }
  std::size_t end_of_sharers(std::size_t n) const { return std::min(nodes.size(), first_sharer(n) + a.burst_buffer_shared_by); }
  std::uint64_t& used(std::size_t n) { return buffer_used[first_sharer(n)]; }
  std::uint64_t buffer_size(std::size_t n) const { return a.burst_buffer * (end_of_sharers(n) - first_sharer(n)); }

  void drain(std::size_t n) {
    if (a.burst_buffer > 0) return drain_into_buffer(n);
    Node& node = nodes[n];
    const bool pooled = node.bypass.empty();
    auto& source = pooled ? node.pool : node.bypass;
    if (node.external_up->busy || source.empty()) return;
    Piece* const piece = source.front();
    source.pop_front();
    node.external_up->arrive(clock, piece, [this, n, piece, pooled] {
      if (pooled) nodes[n].pool_used -= piece->record.bytes;
      to_disks(n, piece);
      drain(n);
    });
  }

  void drain_into_buffer(std::size_t n) {
    Node& node = nodes[n];
    const bool pooled = node.bypass.empty();
    auto& source = pooled ? node.pool : node.bypass;
    if (!node.internal->busy) {
      const auto fits = [&] { return used(n) + source.front()->record.bytes <= buffer_size(n); };
      if (!source.empty() && !fits())
        for (std::size_t each = first_sharer(n); each < end_of_sharers(n); ++each) forget_ahead(each);
      const bool was_short = any_short(n);
      node.is_short = !source.empty() && !fits();
      if (node.is_short && !was_short)
        for (std::size_t each = first_sharer(n); each < end_of_sharers(n); ++each)
          if (each != n) send_on(each);
      if (!source.empty() && fits()) {
        Piece* const piece = source.front();
        source.pop_front();
        used(n) += piece->record.bytes;
        node.internal->arrive(clock, piece, [this, n, piece, pooled] { buffered(n, piece, pooled); });
      }
    }
    send_on(n);
    fetch(n);
  }

  bool any_short(std::size_t n) const {
    for (std::size_t each = first_sharer(n); each < end_of_sharers(n); ++each)
      if (nodes[each].is_short) return true;
    return false;
  }

  void buffered(std::size_t n, Piece* piece, bool pooled) {
    Node& node = nodes[n];
    if (pooled) node.pool_used -= piece->record.bytes;
    node.buffer.push_back(piece);
    if (a.drain == 2 && static_cast<double>(used(n)) * 100 >= static_cast<double>(buffer_size(n)) * static_cast<double>(a.drain_threshold))
      node.emptying = true;
    drain(n);
    if (!pooled) acknowledge(n, piece);
  }

  void send_on(std::size_t n) {
    Node& node = nodes[n];
    if (node.external_up->busy || node.buffer.empty()) return;
    if (a.drain != 0 && !node.quiet() && !node.emptying && !any_short(n)) return;
    Piece* const piece = node.buffer.front();
    node.buffer.pop_front();
    if (node.buffer.empty()) node.emptying = false;
    node.external_up->arrive(clock, piece, [this, n, piece] {
      used(n) -= piece->record.bytes;
      to_disks(n, piece);
      room_is_free(n);
    });
  }

  void room_is_free(std::size_t n) {
    drain(n);
    for (std::size_t each = first_sharer(n); each < end_of_sharers(n); ++each)
      if (each != n && (nodes[each].is_short || nodes[each].ahead_left > 0)) drain(each);
  }

  void to_disks(std::size_t n, Piece* piece) {
    disk_link_up.arrive(clock, piece, [this, n, piece] {
      use_targets(n, piece, [this, n, piece] {
        pass(piece, {&disk_link_down, nodes[n].external_down.get()}, 0, [this, n, piece] {
          piece->record.stored = clock.now;
          if (!piece->acknowledged) acknowledge(n, piece);
        });
      });
    });
  }

  // Reads that the burst buffer answers.

  bool in_buffer(std::size_t n, const Piece& piece) {
    Node& node = nodes[n];
    const std::uint64_t bytes = piece.record.bytes;
    if (a.burst_buffer == 0 || bytes == 0) return false;
    if (node.ahead_for == piece.share && node.ahead_here >= bytes) {
      node.ahead_here -= bytes;
      used(n) -= bytes;
      return true;
    }
    ++node.passed;
    if (node.passed * a.read_hits / 100 == (node.passed - 1) * a.read_hits / 100) return false;
    std::uint64_t held = 0;
    for (const Piece* each : node.buffer) held += each->record.bytes;
    return held >= bytes;
  }

  void from_buffer(std::size_t n, Piece* piece) {
    nodes[n].internal_down->arrive(clock, piece, [this, n, piece] { arrived_down(n, piece); });
    if (a.prefetch > 0) room_is_free(n);
  }

  void read_ahead(std::size_t n, std::size_t i) {
    const auto& steps = work.nodes[n].steps;
    const std::uint32_t share = steps[i].share;
    std::uint64_t bytes = 0;
    for (const Step& each : steps)
      if (each.what == Step::What::increment && each.share == share) bytes += each.amounts.bytes[0];
    nodes[n].ahead_for = share;
    nodes[n].ahead_left = std::min(bytes, a.prefetch);
    fetch(n);
  }

  void forget_ahead(std::size_t n) {
    Node& node = nodes[n];
    used(n) -= node.ahead_here;
    node.ahead_here = node.ahead_left = 0;
    node.ahead_for = no_share;
  }

  void fetch(std::size_t n) {
    Node& node = nodes[n];
    const std::uint64_t bytes = std::min(node.ahead_left, a.ciod_buffer);
    if (node.fetching || bytes == 0 || used(n) + bytes > buffer_size(n)) return;
    node.fetching = true;
    node.ahead_left -= bytes;
    used(n) += bytes;
    auto piece = std::make_shared<Piece>();
    piece->record.node = static_cast<std::uint32_t>(n);
    piece->record.bytes = bytes;
    piece->lane = static_cast<std::uint32_t>(node.in_flight.size());
    piece->share = node.ahead_for;
    ask_disks(n, piece.get(), [this, n, piece] {
      Node& at = nodes[n];
      at.fetching = false;
      if (at.ahead_for == piece->share) {
        at.ahead_here += piece->record.bytes;
        return fetch(n);
      }
      used(n) -= piece->record.bytes;
      room_is_free(n);
    });
  }

  // Targets.

  void use_targets(std::size_t n, const Piece* piece, Action then) {
    if (targets.empty() || piece->record.bytes == 0) return then();
    std::uint64_t& offset = nodes[n].offset[static_cast<std::size_t>(piece->record.kind)];
    auto left = std::make_shared<std::uint64_t>(piece->record.bytes);
    const Action finish = [left, then] {
      if (*left == 0) then();
    };
    for (std::uint64_t to_go = piece->record.bytes; to_go > 0;) {
      const std::uint64_t bytes = std::min(to_go, a.stripe_size - offset % a.stripe_size);
      const std::size_t which = (n * a.stripe_count + offset / a.stripe_size % a.stripe_count) % a.targets;
      to_go -= bytes;
      offset += bytes;
      const Action done = [left, bytes, finish] {
        *left -= bytes;
        finish();
      };
      if (servers_up.empty())
        targets[which].arrive(clock, piece, bytes, done);
      else if (piece->record.kind == Kind::write)
        servers_up[which % servers_up.size()].arrive(
            clock, piece, bytes, [this, piece, which, bytes, done] { targets[which].arrive(clock, piece, bytes, done); });
      else
        targets[which].arrive(clock, piece, bytes, [this, piece, which, bytes, done] {
          servers_down[which % servers_down.size()].arrive(clock, piece, bytes, done);
        });
    }
  }

  void run() {
    while (!clock.queue.empty()) {
      const Happening next = clock.queue.top();
      clock.queue.pop();
      clock.now = std::get<0>(next.when);
      next.action();
    }
  }
};

}  // namespace

std::vector<Completion> reference_completions(const Architecture& architecture, const Work& work) {
  Machine machine(architecture, work);
  machine.run();
  std::vector<Completion> list;
  for (const Piece& each : machine.pieces) list.push_back(each.record);
  std::sort(list.begin(), list.end(),
            [](const Completion& x, const Completion& y) { return std::tie(x.node, x.index) < std::tie(y.node, y.index); });
  return list;
}

}  // namespace fathom::simulate
