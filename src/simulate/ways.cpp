// SPDX-License-Identifier: Apache-2.0
// The ways of requests: writes up to the disks (Fig. 5.3 of the dissertation), reads there and back (Fig. 5.4).
#include <algorithm>

#include "simulate/engine_state.h"

namespace fathom::simulate {

/// A binary tree numbers its links after the compute node at their outer end.
std::uint32_t Engine::entry_link(std::uint32_t c) const {
  return binary_ ? c : c & static_cast<std::uint32_t>(architecture_.root_links - 1);
}

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

void Engine::schedule_climb(std::uint32_t n, std::uint32_t link, Picoseconds end, std::uint32_t lane) {
  if (binary_)
    schedule(n, EventClass::climbed, lane, end);
  else
    schedule(n, static_cast<Agenda::Place>(Agenda::climbed + link), end);
}

/// A write goes onto the next link of the tree.
void Engine::climb(std::uint32_t n, std::uint32_t lane) {
  IoNode& node = nodes_[n];
  const Lane& from = node.lanes[lane];
  auto& link = node.up[from.link];
  const auto& transfer = link.take(now_, node.tree_rate.of(from.bytes), lane);
  if (link.transfers().size() == 1) schedule_climb(n, from.link, transfer.end, lane);
}

void Engine::climbed(std::uint32_t n, std::uint32_t lane) {
  IoNode& node = nodes_[n];
  Lane& from = node.lanes[lane];
  auto& transfers = node.up[from.link].transfers();
  transfers.pop();
  if (!transfers.empty()) schedule_climb(n, from.link, transfers.front().end, transfers.front().load);
  from.link = next_link(from.link);
  if (from.link == no_link)
    arrived(n, lane);
  else
    climb(n, lane);
}

void Engine::acknowledge(std::uint32_t n, std::uint32_t lane, Picoseconds at) {
  nodes_[n].lanes[lane].hop = Hop::nothing;
  if (at == now_)
    completed(n, lane);
  else
    schedule(n, EventClass::message, lane, at);
}

/// At the end of the external link: the server passes it on to the disk link at once. Nobody has to be told when a write that was
/// acknowledged long ago arrives at disks that take no time.
void Engine::sent(std::uint32_t n) {
  IoNode& node = nodes_[n];
  const StoredWrite write = node.external.load;
  node.external.busy = false;
  if (architecture_.burst_buffer > 0)
    pool_of(n).room.used -= write.bytes;
  else if (node.external.from_pool)
    node.pool_room.used -= write.bytes;
  disk_up_.forget_before(now_);
  const Picoseconds end = disk_up_.take(now_, disk_up_rate_.of(write.bytes), {}).end;
  last_ = std::max(last_, end);
  records_.note(write.record, &Way::external_end, now_);
  records_.note(write.record, &Way::at_disks, end);
  if (!records_.wanted() && write.waiting == StoredWrite::nobody && !stripes_.exist()) {
    count(n, Kind::write, write.bytes);
  } else {
    heard_at_disks_.push({end, n, write});
    if (heard_at_disks_.size() == 1) schedule(all_nodes_, EventClass::at_disks, 0, end);
  }
  if (architecture_.burst_buffer > 0)
    room_became_free(n);
  else
    feed(n);
}

void Engine::at_disks() {
  const AtServer arrival = heard_at_disks_.pop();
  if (!heard_at_disks_.empty()) schedule(all_nodes_, EventClass::at_disks, 0, heard_at_disks_.front().end);
  if (stripes_.exist() && arrival.write.bytes > 0) {
    stripes_.enter(now_, {arrival.node, Kind::write, 0, arrival.write}, arrival.write.bytes, shared_);
    return changed(all_nodes_);
  }
  on_disks(arrival.node, arrival.write);
}

/// The disks acknowledge a write. What the acknowledgement has to wait for on its way to the I/O node is known: what is under way on the
/// disk link is, and nothing that arrives there later can pass it.
void Engine::on_disks(std::uint32_t n, StoredWrite write) {
  IoNode& node = nodes_[n];
  disk_down_.forget_before(now_);
  node.external_down.forget_before(now_);
  const Picoseconds stored = node.external_down.through(disk_down_.through(now_));
  count(n, Kind::write, write.bytes);
  records_.note(write.record, &Way::on_disks, now_);
  if (write.waiting == StoredWrite::nobody) return records_.tell(write.record, stored);
  node.lanes[write.waiting].hop = Hop::back;
  if (stored > now_)
    schedule(n, EventClass::message, write.waiting, stored);
  else
    back_at_io_node(n, write.waiting);
}

void Engine::back_at_io_node(std::uint32_t n, std::uint32_t lane) {
  const Picoseconds acked = message_down(nodes_[n], lane, now_);
  records_.acked(nodes_[n].lanes[lane].record, acked);
  records_.tell(nodes_[n].lanes[lane].record, now_);
  acknowledge(n, lane, acked);
}

/// The request of a read goes up as far as no transfer is in its way.
void Engine::ask(std::uint32_t n, std::uint32_t lane) {
  IoNode& node = nodes_[n];
  Lane& from = node.lanes[lane];
  while (from.hop != Hop::nothing) {
    Picoseconds through = now_;
    if (from.hop == Hop::tree) {
      through = node.up[from.link].through(now_);
      from.link = next_link(from.link);
      if (from.link == no_link) from.hop = Hop::external_link;
    } else if (from.hop == Hop::external_link) {
      records_.note(from.record, &Way::at_io_node, now_);
      if (buffer_serves_reads_ && buffer_answers(n, from)) return answer_from_buffer(n, lane);
      if (node.external.busy && node.external.start < now_) through = node.external.end;
      from.hop = Hop::disk_link;
    } else {
      disk_up_.forget_before(now_);
      through = disk_up_.through(now_);
      from.hop = Hop::nothing;
    }
    if (through > now_) return schedule(n, EventClass::message, lane, through);
  }
  asked(n, lane);
}

/// The request of a read is at the disks.
void Engine::asked(std::uint32_t n, std::uint32_t lane) {
  const std::uint64_t bytes = nodes_[n].lanes[lane].bytes;
  records_.note(nodes_[n].lanes[lane].record, &Way::at_disks, now_);
  if (!stripes_.exist() || bytes == 0) return answer(n, lane);
  stripes_.enter(now_, {n, Kind::read, lane, {}}, bytes, shared_);
  changed(all_nodes_);
}

/// Data goes down: every station is fed by one other, so that all departures follow at once. Only where the burst buffer sends data too, it
/// has to be seen who is first at the I/O node.
void Engine::answer(std::uint32_t n, std::uint32_t lane) {
  IoNode& node = nodes_[n];
  const std::uint64_t bytes = node.lanes[lane].bytes;
  disk_down_.forget_before(now_);
  node.external_down.forget_before(now_);
  const Picoseconds disk_end = disk_down_.take(now_, disk_down_rate_.of(bytes), {}).end;
  const Picoseconds stored = node.external_down.take(disk_end, node.external_down_rate.of(bytes), {}).end;
  records_.note(node.lanes[lane].record, &Way::on_disks, now_);
  records_.note(node.lanes[lane].record, &Way::disk_end, disk_end);
  if (!buffer_serves_reads_) return deliver(n, lane, stored);
  node.from_external.push({stored, lane});
  if (node.from_external.size() == 1) schedule(n, EventClass::external_sent, lane, stored);
}

/// From the I/O node, where the data is `stored`, to the compute node.
void Engine::deliver(std::uint32_t n, std::uint32_t lane, Picoseconds stored) {
  IoNode& node = nodes_[n];
  const Lane& to = node.lanes[lane];
  const Picoseconds service = node.tree_rate.of(to.bytes);
  const std::uint32_t last_link = entry_link(to.compute_node);
  Picoseconds at = stored;
  if (!binary_) {
    node.down[last_link].forget_before(now_);
    at = node.down[last_link].take(at, service, {}).end;
  } else {
    path_.clear();
    for (std::uint32_t link = last_link; link != no_link; link = next_link(link)) path_.push_back(link);
    for (std::size_t i = path_.size(); i-- > 0;) {
      node.down[path_[i]].forget_before(now_);
      at = node.down[path_[i]].take(at, service, {}).end;
    }
  }
  auto& deliveries = node.deliveries[last_link];
  deliveries.push({at, lane});
  if (deliveries.size() == 1) schedule_delivery(n, last_link);
  count(n, Kind::read, to.bytes);
  records_.acked(to.record, at);
  records_.tell(to.record, stored);
}

void Engine::schedule_delivery(std::uint32_t n, std::uint32_t link) {
  const IoNode::Due& first = nodes_[n].deliveries[link].front();
  if (binary_)
    schedule(n, EventClass::delivered, first.lane, first.end);
  else
    schedule(n, static_cast<Agenda::Place>(Agenda::delivered + link), first.end);
}

void Engine::delivered(std::uint32_t n, std::uint32_t lane) {
  const std::uint32_t link = entry_link(nodes_[n].lanes[lane].compute_node);
  auto& deliveries = nodes_[n].deliveries[link];
  deliveries.pop();
  if (!deliveries.empty()) schedule_delivery(n, link);
  completed(n, lane);
}

/// When a message that is at the I/O node at that time is at its compute node.
Picoseconds Engine::message_down(IoNode& node, std::uint32_t lane, Picoseconds at) {
  const std::uint32_t last_link = entry_link(node.lanes[lane].compute_node);
  if (!binary_) {
    node.down[last_link].forget_before(now_);
    return node.down[last_link].through(at);
  }
  path_.clear();
  for (std::uint32_t link = last_link; link != no_link; link = next_link(link)) path_.push_back(link);
  for (std::size_t i = path_.size(); i-- > 0;) {
    node.down[path_[i]].forget_before(now_);
    at = node.down[path_[i]].through(at);
  }
  return at;
}

}  // namespace fathom::simulate
