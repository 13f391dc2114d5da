// SPDX-License-Identifier: Apache-2.0
// Shares with the engine: the descriptions (Architecture, Work, Completion) and the order of events at the same moment. Nothing else.
#include "simulate/reference_test.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <tuple>

namespace fathom::simulate {
namespace {

/// At the same moment in this order, then by I/O node, then by compute node.
enum Order { disk_down, external_down, tree_down, at_compute_node, generate, external_up, disk_up, into_buffer, tree_up, message };

struct Piece {
  Completion record;
  std::uint32_t compute_node = 0;
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
  void at(Picoseconds time, int order, const Piece& piece, Action action) {
    queue.push({{time, order, piece.record.node, piece.compute_node, number++}, std::move(action)});
  }
};

struct Station {
  std::uint64_t bandwidth = 1;
  int order = 0;
  bool busy = false;
  Picoseconds start = 0, end = 0;
  std::deque<std::pair<Piece*, Action>> queue;

  void begin(Clock& clock) {
    if (busy || queue.empty()) return;
    auto [piece, then] = queue.front();
    queue.pop_front();
    busy = true;
    start = clock.now;
    __extension__ using Wide = unsigned __int128;
    const Wide exact = Wide{piece->record.bytes} * 1'000'000'000'000u;
    Wide time = exact / bandwidth;
    if (exact % bandwidth * 2 >= bandwidth) ++time;  // half a picosecond is rounded up
    end = start + static_cast<Picoseconds>(time);
    clock.at(end, order, *piece, [this, &clock, then = then] {
      busy = false;
      begin(clock);
      then();
    });
  }
  void arrive(Clock& clock, Piece* piece, Action then) {
    queue.emplace_back(piece, std::move(then));
    begin(clock);
  }
};

struct Machine {
  struct Node {
    std::vector<Station> up, down;
    std::unique_ptr<Station> external_up, external_down, internal;
    std::vector<std::deque<Piece*>> to_send;
    std::vector<bool> in_flight;
    std::deque<Piece*> bypass, pool, buffer;
    std::uint64_t pool_used = 0, buffer_used = 0;
    std::size_t dealt_to = 0;
    std::uint64_t dealt = 0;
  };

  const Architecture& a;
  Clock clock;
  std::vector<Node> nodes;
  Station disk_link_up, disk_link_down;
  std::deque<Piece> pieces;

  explicit Machine(const Architecture& architecture, const Work& work) : a(architecture), nodes(work.nodes.size()) {
    disk_link_up.bandwidth = disk_link_down.bandwidth = a.disk_bandwidth;
    disk_link_up.order = disk_up;
    disk_link_down.order = disk_down;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Node& node = nodes[n];
      const std::size_t count = work.nodes[n].compute_nodes;
      node.up.resize(a.tree_shape == 1 ? count : a.root_links);
      node.down.resize(node.up.size());
      for (Station& each : node.up) each.bandwidth = a.tree_bandwidth, each.order = tree_up;
      for (Station& each : node.down) each.bandwidth = a.tree_bandwidth, each.order = tree_down;
      for (auto* station : {&node.external_up, &node.external_down, &node.internal}) *station = std::make_unique<Station>();
      node.external_up->bandwidth = node.external_down->bandwidth = a.external_bandwidth;
      node.external_up->order = external_up;
      node.external_down->order = external_down;
      node.internal->bandwidth = a.burst_buffer_bandwidth;
      node.internal->order = into_buffer;
      node.to_send.resize(count);
      node.in_flight.resize(count);
      for (const Step& step : work.nodes[n].steps) {
        if (step.what != Step::What::increment) continue;
        Piece nobody;
        nobody.record.node = static_cast<std::uint32_t>(n);
        clock.at(step.at, generate, nobody, [this, n, &step] { deal(n, step.amounts); });
      }
    }
  }

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

  void deal(std::size_t n, const Amounts& amounts) {
    Node& node = nodes[n];
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
      piece.compute_node = static_cast<std::uint32_t>(node.dealt_to);
      node.to_send[node.dealt_to].push_back(&piece);
      fresh.push_back(node.dealt_to);
      node.dealt_to = (node.dealt_to + 1) % node.to_send.size();
    }
    for (const std::size_t c : fresh)
      if (!node.in_flight[c]) send(n, c);
  }

  /// From the compute node to the I/O node.
  std::vector<std::size_t> path(std::size_t c) const {
    if (a.tree_shape == 0) return {c % a.root_links};
    std::vector<std::size_t> links;
    for (std::size_t j = c / a.root_links;; j = (j - 1) / 2) {
      links.push_back(j * a.root_links + c % a.root_links);
      if (j == 0) return links;
    }
  }

  void send(std::size_t n, std::size_t c) {
    Node& node = nodes[n];
    node.in_flight[c] = !node.to_send[c].empty();
    if (!node.in_flight[c]) return;
    Piece* const piece = node.to_send[c].front();
    node.to_send[c].pop_front();
    piece->record.issued = clock.now;
    if (piece->record.kind == Kind::write) return hop_up(n, piece, path(c), 0);
    std::vector<Station*> way;
    for (const std::size_t link : path(c)) way.push_back(&node.up[link]);
    way.push_back(node.external_up.get());
    way.push_back(&disk_link_up);
    pass(piece, std::move(way), 0, [this, n, piece] { read_data(n, piece); });
  }

  void pass(Piece* piece, std::vector<Station*> way, std::size_t i, Action then) {
    for (; i < way.size(); ++i) {
      const Station& station = *way[i];
      if (station.busy && station.start < clock.now && clock.now < station.end)
        return clock.at(station.end, message, *piece, [this, piece, way, i, then] { pass(piece, way, i + 1, then); });
    }
    then();
  }

  std::vector<Station*> way_down(Node& node, std::size_t c) const {
    std::vector<Station*> way;
    for (const std::size_t link : path(c)) way.insert(way.begin(), &node.down[link]);
    return way;
  }

  void answered(std::size_t n, Piece* piece) {
    piece->record.acked = clock.now;
    send(n, piece->compute_node);
  }

  void read_data(std::size_t n, Piece* piece) {
    disk_link_down.arrive(clock, piece, [this, n, piece] {
      nodes[n].external_down->arrive(clock, piece, [this, n, piece] {
        piece->record.stored = clock.now;
        hop_down(n, piece, way_down(nodes[n], piece->compute_node), 0);
      });
    });
  }

  /// The end of the last link is an event of its own order: it was passed, then the data is there.
  void hop_down(std::size_t n, Piece* piece, std::vector<Station*> way, std::size_t i) {
    Station* const station = way[i];
    const bool last = i + 1 == way.size();
    if (a.tree_shape == 0) station->order = at_compute_node;
    station->arrive(clock, piece, [this, n, piece, way, i, last] {
      if (!last) return hop_down(n, piece, way, i + 1);
      if (a.tree_shape == 0) return answered(n, piece);
      clock.at(clock.now, at_compute_node, *piece, [this, n, piece] { answered(n, piece); });
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
    pass(piece, way_down(nodes[n], piece->compute_node), 0, [this, n, piece] { answered(n, piece); });
  }

  void write_arrives(std::size_t n, Piece* piece) {
    Node& node = nodes[n];
    if (a.page_pool > 0 && node.pool_used + piece->record.bytes <= a.page_pool) {
      node.pool_used += piece->record.bytes;
      node.pool.push_back(piece);
      acknowledge(n, piece);
    } else {
      node.bypass.push_back(piece);
    }
    drain(n);
  }

  void drain(std::size_t n) {
    Node& node = nodes[n];
    auto& source = node.bypass.empty() ? node.pool : node.bypass;
    const bool pooled = node.bypass.empty();
    Station& link = a.burst_buffer > 0 ? *node.internal : *node.external_up;
    if (link.busy || source.empty()) return;
    Piece* const piece = source.front();
    const std::uint64_t bytes = piece->record.bytes;
    if (a.burst_buffer > 0 && node.buffer_used + bytes > a.burst_buffer) return;
    source.pop_front();
    if (a.burst_buffer > 0) node.buffer_used += bytes;
    link.arrive(clock, piece, [this, n, piece, pooled, bytes] {
      if (pooled) nodes[n].pool_used -= bytes;
      if (a.burst_buffer == 0) {
        to_disks(n, piece);
      } else {
        if (!pooled) acknowledge(n, piece);
        nodes[n].external_up->arrive(clock, piece, [this, n, piece, bytes] {
          nodes[n].buffer_used -= bytes;
          to_disks(n, piece);
          drain(n);
        });
      }
      drain(n);
    });
  }

  void to_disks(std::size_t n, Piece* piece) {
    disk_link_up.arrive(clock, piece, [this, n, piece] {
      pass(piece, {&disk_link_down, nodes[n].external_down.get()}, 0, [this, n, piece] {
        piece->record.stored = clock.now;
        if (!piece->acknowledged) acknowledge(n, piece);
      });
    });
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
