// SPDX-License-Identifier: Apache-2.0
// The ways of requests: writes up to the disks (Fig. 5.3 of the dissertation), reads there and back (Fig. 5.4).
#include <algorithm>

#include "simulate/engine_state.h"

namespace fathom::simulate {

/// A binary tree numbers its links after the compute node at their outer end.
std::uint32_t Engine::entry_link(std::uint32_t c) const { return binary_ ? c : static_cast<std::uint32_t>(c % architecture_.root_links); }

/// Behind each root link the compute nodes are a heap: the parent of number j > 0 is (j - 1) / 2.
std::uint32_t Engine::next_link(std::uint32_t link) const {
  const auto roots = static_cast<std::uint32_t>(architecture_.root_links);
  if (!binary_ || link < roots) return no_link;
  return (link / roots - 1) / 2 * roots + link % roots;
}

void Engine::count(std::uint32_t n, Kind kind, std::uint64_t bytes) {
  ++outcome_.nodes[n].requests[static_cast<std::size_t>(kind)];
  outcome_.nodes[n].bytes[static_cast<std::size_t>(kind)] += bytes;
}

/// A write goes onto the next link of the tree.
void Engine::climb(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  auto& link = node.up[node.compute_nodes[c].link];
  const auto& transfer = link.take(now_, node.tree_rate.of(node.compute_nodes[c].bytes), c);
  if (link.transfers().size() == 1) schedule(transfer.end, EventClass::climbed, n, c);
}

void Engine::climbed(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  ComputeNode& from = node.compute_nodes[c];
  auto& transfers = node.up[from.link].transfers();
  transfers.pop();
  if (!transfers.empty()) schedule(transfers.front().end, EventClass::climbed, n, transfers.front().load);
  from.link = next_link(from.link);
  if (from.link == no_link)
    arrived(n, c);
  else
    climb(n, c);
}

/// In the CIOD buffer: the page pool if it has room, the bypass if not. This is decided once.
void Engine::arrived(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  const ComputeNode& from = node.compute_nodes[c];
  if (architecture_.page_pool > 0 && node.page_pool.has_room(from.bytes)) {
    const Picoseconds acked = message_down(node, c, now_);
    keep(node.page_pool, {from.bytes, 1, from.index, from.issued, acked});
    feed(n);
    acknowledge(n, c, acked);
  } else {
    node.waiting.push(c);
    feed(n);
  }
}

void Engine::keep(Buffer& buffer, const StoredWrite& write) const {
  buffer.used += write.bytes;
  if (!sink_ && !buffer.writes.empty() && buffer.writes.back().bytes == write.bytes)
    ++buffer.writes.back().count;
  else
    buffer.writes.push(write);
}

void Engine::acknowledge(std::uint32_t n, std::uint32_t c, Picoseconds at) {
  if (at == now_)
    completed(n, c);
  else
    schedule(at, EventClass::message, n, c);
}

/// Writes that wait for the link themselves go first, the page pool last.
bool Engine::choose_write(IoNode& node, StoredWrite& write, bool& from_pool, std::uint64_t room) {
  from_pool = node.waiting.empty();
  if (from_pool) {
    if (node.page_pool.writes.empty() || node.page_pool.writes.front().bytes > room) return false;
    write = node.page_pool.take_front();
    return true;
  }
  const std::uint32_t c = node.waiting.front();
  const ComputeNode& from = node.compute_nodes[c];
  if (from.bytes > room) return false;
  node.waiting.pop();
  write = {from.bytes, 1, from.index, from.issued, 0, c};
  return true;
}

void Engine::start(std::uint32_t n, Sender& sender, const StoredWrite& write, bool from_pool, EventClass end) {
  sender.busy = true;
  sender.from_pool = from_pool;
  sender.load = write;
  sender.start = now_;
  sender.end = std::min(now_ + sender.rate.of(write.bytes), time_limit + 1);
  schedule(sender.end, end, n, 0);
}

/// Sends what can be sent over the internal link and the external link.
void Engine::feed(std::uint32_t n) {
  IoNode& node = nodes_[n];
  StoredWrite write;
  bool from_pool = false;
  if (architecture_.burst_buffer > 0) {
    if (!node.internal.busy && choose_write(node, write, from_pool, node.burst_buffer.size - node.burst_buffer.used)) {
      node.burst_buffer.used += write.bytes;  // its place is taken from the start of the transfer
      start(n, node.internal, write, from_pool, EventClass::in_buffer);
    }
    if (!node.external.busy && !node.burst_buffer.writes.empty())
      start(n, node.external, node.burst_buffer.take_front(), false, EventClass::sent);
  } else if (!node.external.busy && choose_write(node, write, from_pool, UINT64_MAX)) {
    start(n, node.external, write, from_pool, EventClass::sent);
  }
}

void Engine::in_buffer(std::uint32_t n) {
  IoNode& node = nodes_[n];
  StoredWrite write = node.internal.load;
  node.internal.busy = false;
  const std::uint32_t c = write.waiting;
  if (node.internal.from_pool)
    node.page_pool.used -= write.bytes;
  else
    write.acked = message_down(node, c, now_);
  write.waiting = StoredWrite::nobody;
  node.burst_buffer.used -= write.bytes;  // keep() counts it again
  keep(node.burst_buffer, write);
  feed(n);
  if (c != StoredWrite::nobody) acknowledge(n, c, write.acked);
}

/// At the end of the external link: the server passes it on to the disk link at once.
void Engine::sent(std::uint32_t n) {
  IoNode& node = nodes_[n];
  const StoredWrite write = node.external.load;
  node.external.busy = false;
  if (architecture_.burst_buffer > 0)
    node.burst_buffer.used -= write.bytes;
  else if (node.external.from_pool)
    node.page_pool.used -= write.bytes;
  const auto& transfer = disk_up_.take(now_, disk_up_rate_.of(write.bytes), {n, write});
  if (disk_up_.transfers().size() == 1) schedule(transfer.end, EventClass::at_disks, 0, 0);
  feed(n);
}

/// The disks acknowledge a write. What the acknowledgement has to wait for on its way is known: what is under way on the disk link is, and
/// nothing that arrives there later can pass it.
void Engine::at_disks() {
  auto& transfers = disk_up_.transfers();
  auto [n, write] = transfers.pop().load;
  if (!transfers.empty()) schedule(transfers.front().end, EventClass::at_disks, 0, 0);
  IoNode& node = nodes_[n];
  disk_down_.forget_before(now_);
  node.external_down.forget_before(now_);
  const Picoseconds stored = node.external_down.through(disk_down_.through(now_));
  if (write.waiting != StoredWrite::nobody) write.acked = message_down(node, write.waiting, stored);
  count(n, Kind::write, write.bytes);
  if (sink_) sink_({n, write.index, Kind::write, write.bytes, write.issued, write.acked, stored});
  if (write.waiting != StoredWrite::nobody) acknowledge(n, write.waiting, write.acked);
}

/// The request of a read goes up as far as no transfer is in its way.
void Engine::ask(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  ComputeNode& from = node.compute_nodes[c];
  while (from.hop != Hop::nothing) {
    Picoseconds through = now_;
    if (from.hop == Hop::tree) {
      through = node.up[from.link].through(now_);
      from.link = next_link(from.link);
      if (from.link == no_link) from.hop = Hop::external_link;
    } else if (from.hop == Hop::external_link) {
      if (node.external.busy && node.external.start < now_) through = node.external.end;
      from.hop = Hop::disk_link;
    } else {
      through = disk_up_.through(now_);
      from.hop = Hop::nothing;
    }
    if (through > now_) return schedule(through, EventClass::message, n, c);
  }
  answer(n, c);
}

/// Data goes down: every station is fed by one other, so that all departures follow at once.
void Engine::answer(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  const ComputeNode& to = node.compute_nodes[c];
  disk_down_.forget_before(now_);
  node.external_down.forget_before(now_);
  const Picoseconds stored =
      node.external_down.take(disk_down_.take(now_, disk_down_rate_.of(to.bytes), {}).end, node.external_down_rate.of(to.bytes), {}).end;
  const Picoseconds service = node.tree_rate.of(to.bytes);
  path_.clear();
  for (std::uint32_t link = entry_link(c); link != no_link; link = next_link(link)) path_.push_back(link);
  Picoseconds at = stored;
  for (std::size_t i = path_.size(); i-- > 0;) {
    node.down[path_[i]].forget_before(now_);
    at = node.down[path_[i]].take(at, service, {}).end;
  }
  auto& deliveries = node.deliveries[path_.front()];
  deliveries.push({at, at, c});
  if (deliveries.size() == 1) schedule(at, EventClass::delivered, n, c);
  count(n, Kind::read, to.bytes);
  if (sink_) sink_({n, to.index, Kind::read, to.bytes, to.issued, at, stored});
}

void Engine::delivered(std::uint32_t n, std::uint32_t c) {
  auto& deliveries = nodes_[n].deliveries[entry_link(c)];
  deliveries.pop();
  if (!deliveries.empty()) schedule(deliveries.front().end, EventClass::delivered, n, deliveries.front().load);
  completed(n, c);
}

/// When a message from the I/O node is at its compute node; known for the same reason as in at_disks().
Picoseconds Engine::message_down(IoNode& node, std::uint32_t c, Picoseconds at) {
  path_.clear();
  for (std::uint32_t link = entry_link(c); link != no_link; link = next_link(link)) path_.push_back(link);
  for (std::size_t i = path_.size(); i-- > 0;) {
    node.down[path_[i]].forget_before(now_);
    at = node.down[path_[i]].through(at);
  }
  return at;
}

}  // namespace fathom::simulate
