// SPDX-License-Identifier: Apache-2.0
// Page pools, burst buffers and targets of the plain engine.
#include <algorithm>

#include "simulate/reference_machine_test.h"

namespace fathom::simulate::reference {

// Page pool and burst buffer.

void Machine::write_arrives(std::size_t n, Piece* piece) {
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

void Machine::drain(std::size_t n) {
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

void Machine::drain_into_buffer(std::size_t n) {
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

bool Machine::any_short(std::size_t n) const {
  for (std::size_t each = first_sharer(n); each < end_of_sharers(n); ++each)
    if (nodes[each].is_short) return true;
  return false;
}

void Machine::buffered(std::size_t n, Piece* piece, bool pooled) {
  Node& node = nodes[n];
  if (pooled) node.pool_used -= piece->record.bytes;
  node.buffer.push_back(piece);
  if (a.drain == 2 && static_cast<double>(used(n)) * 100 >= static_cast<double>(buffer_size(n)) * static_cast<double>(a.drain_threshold))
    node.emptying = true;
  drain(n);
  if (!pooled) acknowledge(n, piece);
}

void Machine::send_on(std::size_t n) {
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

void Machine::room_is_free(std::size_t n) {
  drain(n);
  for (std::size_t each = first_sharer(n); each < end_of_sharers(n); ++each)
    if (each != n && (nodes[each].is_short || nodes[each].ahead_left > 0)) drain(each);
}

void Machine::to_disks(std::size_t n, Piece* piece) {
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

bool Machine::in_buffer(std::size_t n, const Piece& piece) {
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

void Machine::from_buffer(std::size_t n, Piece* piece) {
  nodes[n].internal_down->arrive(clock, piece, [this, n, piece] { arrived_down(n, piece); });
  if (a.prefetch > 0) room_is_free(n);
}

void Machine::read_ahead(std::size_t n, std::size_t i) {
  const auto& steps = work.nodes[n].steps;
  const std::uint32_t share = steps[i].share;
  std::uint64_t bytes = 0;
  for (const Step& each : steps)
    if (each.what == Step::What::increment && each.share == share) bytes += each.amounts.bytes[0];
  nodes[n].ahead_for = share;
  nodes[n].ahead_left = std::min(bytes, a.prefetch);
  fetch(n);
}

void Machine::forget_ahead(std::size_t n) {
  Node& node = nodes[n];
  used(n) -= node.ahead_here;
  node.ahead_here = node.ahead_left = 0;
  node.ahead_for = no_share;
}

void Machine::fetch(std::size_t n) {
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

void Machine::use_targets(std::size_t n, const Piece* piece, Action then) {
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
      servers_up[which % servers_up.size()].arrive(clock, piece, bytes,
                                                   [this, piece, which, bytes, done] { targets[which].arrive(clock, piece, bytes, done); });
    else
      targets[which].arrive(clock, piece, bytes, [this, piece, which, bytes, done] {
        servers_down[which % servers_down.size()].arrive(clock, piece, bytes, done);
      });
  }
}

}  // namespace fathom::simulate::reference
