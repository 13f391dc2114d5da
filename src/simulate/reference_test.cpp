// SPDX-License-Identifier: Apache-2.0
#include "simulate/reference_test.h"

#include <algorithm>

#include "simulate/reference_machine_test.h"

namespace fathom::simulate {
namespace reference {

Machine::Machine(const Architecture& architecture, const Work& all_work)
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

void Machine::make_node(std::size_t n) {
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

void Machine::take(std::size_t n, std::size_t i) {
  const Step& step = work.nodes[n].steps[i];
  if (step.what == Step::What::increment) deal(n, step);
  if (step.what == Step::What::job_start && a.prefetch > 0) read_ahead(n, i);
  if (step.what == Step::What::job_end && nodes[n].ahead_for == step.share) {
    forget_ahead(n);
    room_is_free(n);
  }
}

// Requests with times of their own.

void Machine::make_timed(std::size_t n) {
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

void Machine::await_own(std::size_t n, std::size_t c) {
  Node& node = nodes[n];
  if (node.to_send[c].empty()) return;
  const Picoseconds due = node.to_send[c].front()->record.issued;
  if (due <= clock.now) return send_own(n, c);
  clock.at(due, own, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(c), [this, n, c] { send_own(n, c); });
}

void Machine::send_own(std::size_t n, std::size_t c) {
  ++nodes[n].generated;
  Piece* const piece = nodes[n].to_send[c].front();
  nodes[n].to_send[c].pop_front();
  begin(n, piece);
}

// Increments.

std::vector<std::uint64_t> Machine::sizes(std::uint64_t bytes, std::uint64_t operations) const {
  std::vector<std::uint64_t> list;
  if (operations == 0) operations = (bytes + a.ciod_buffer - 1) / a.ciod_buffer;
  for (std::uint64_t i = 0; i < operations; ++i) {
    std::uint64_t left = bytes / operations + (i < bytes % operations ? 1 : 0);
    for (; left > a.ciod_buffer; left -= a.ciod_buffer) list.push_back(a.ciod_buffer);
    list.push_back(left);
  }
  return list;
}

void Machine::deal(std::size_t n, const Step& step) {
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

void Machine::send(std::size_t n, std::size_t lane) {
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
std::vector<std::size_t> Machine::path(std::size_t c) const {
  if (a.tree_shape == 0) return {c % a.root_links};
  std::vector<std::size_t> links;
  for (std::size_t j = c / a.root_links;; j = (j - 1) / 2) {
    links.push_back(j * a.root_links + c % a.root_links);
    if (j == 0) return links;
  }
}

void Machine::begin(std::size_t n, Piece* piece) {
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

void Machine::ask_disks(std::size_t n, Piece* piece, Action then) {
  pass(piece, {nodes[n].external_up.get(), &disk_link_up}, 0, [this, n, piece, then] {
    use_targets(n, piece, [this, n, piece, then] {
      disk_link_down.arrive(clock, piece, [this, n, piece, then] { nodes[n].external_down->arrive(clock, piece, then); });
    });
  });
}

void Machine::pass(Piece* piece, std::vector<Station*> way, std::size_t i, Action then) {
  for (; i < way.size(); ++i) {
    const Station& station = *way[i];
    if (station.busy && station.start < clock.now && clock.now < station.end)
      return clock.at(station.end, message, piece->record.node, piece->lane,
                      [this, piece, way, i, then] { pass(piece, way, i + 1, then); });
  }
  then();
}

std::vector<Station*> Machine::way_down(Node& node, std::size_t c) const {
  std::vector<Station*> way;
  for (const std::size_t link : path(c)) way.insert(way.begin(), &node.down[link]);
  return way;
}

void Machine::answered(std::size_t n, Piece* piece) {
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

void Machine::arrived_down(std::size_t n, Piece* piece) {
  piece->record.stored = clock.now;
  hop_down(n, piece, way_down(nodes[n], piece->record.compute_node), 0);
}

/// The end of the last link is an event of its own order: it was passed, then the data is there.
void Machine::hop_down(std::size_t n, Piece* piece, std::vector<Station*> way, std::size_t i) {
  Station* const station = way[i];
  const bool last = i + 1 == way.size();
  if (a.tree_shape == 0) station->order = at_compute_node;
  station->arrive(clock, piece, [this, n, piece, way, i, last] {
    if (!last) return hop_down(n, piece, way, i + 1);
    if (a.tree_shape == 0) return answered(n, piece);
    clock.at(clock.now, at_compute_node, piece->record.node, piece->lane, [this, n, piece] { answered(n, piece); });
  });
}

void Machine::hop_up(std::size_t n, Piece* piece, std::vector<std::size_t> links, std::size_t i) {
  nodes[n].up[links[i]].arrive(clock, piece, [this, n, piece, links, i] {
    if (i + 1 < links.size())
      hop_up(n, piece, links, i + 1);
    else
      write_arrives(n, piece);
  });
}

void Machine::acknowledge(std::size_t n, Piece* piece) {
  piece->acknowledged = true;
  pass(piece, way_down(nodes[n], piece->record.compute_node), 0, [this, n, piece] { answered(n, piece); });
}

void Machine::run() {
  while (!clock.queue.empty()) {
    const Happening next = clock.queue.top();
    clock.queue.pop();
    clock.now = std::get<0>(next.when);
    next.action();
  }
}

}  // namespace reference

std::vector<Completion> reference_completions(const Architecture& architecture, const Work& work) {
  reference::Machine machine(architecture, work);
  machine.run();
  std::vector<Completion> list;
  for (const reference::Piece& each : machine.pieces) list.push_back(each.record);
  std::sort(list.begin(), list.end(),
            [](const Completion& x, const Completion& y) { return std::tie(x.node, x.index) < std::tie(y.node, y.index); });
  return list;
}

}  // namespace fathom::simulate
