// SPDX-License-Identifier: Apache-2.0
#include "simulate/stripes.h"

#include <algorithm>

namespace fathom::simulate {

Stripes::Stripes(const Architecture& architecture, std::size_t nodes)
    : stripe_count_(architecture.stripe_count),
      stripe_size_(architecture.stripe_size),
      servers_up_(architecture.object_servers, {Rate(architecture.object_server_bandwidth), {}}),
      targets_(architecture.targets, {Rate(architecture.target_bandwidth), {}}),
      servers_down_(servers_up_),
      offsets_(nodes) {}

/// An I/O node's data goes on where the last request of that kind ended, as in one large file of its own.
void Stripes::enter(Picoseconds now, const Striped& whole, std::uint64_t bytes, Agenda& agenda) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(requests_.size()));
    requests_.emplace_back();
  }
  const std::uint32_t request = unused_.back();
  unused_.pop_back();
  std::uint64_t& offset = offsets_[whole.node][static_cast<std::size_t>(whole.kind)];
  requests_[request] = {whole, (offset + bytes - 1) / stripe_size_ - offset / stripe_size_ + 1};
  for (std::uint64_t left = bytes; left > 0;) {
    const std::uint64_t stripe = offset / stripe_size_, piece = std::min(left, stripe_size_ - offset % stripe_size_);
    const auto target = static_cast<std::uint32_t>((whole.node * stripe_count_ + stripe % stripe_count_) % targets_.size());
    offset += piece;
    left -= piece;
    const bool over_server = whole.kind == Kind::write && !servers_up_.empty();
    const auto station = over_server ? target % static_cast<std::uint32_t>(servers_up_.size()) : target;
    arrive(now, over_server ? EventClass::server_up : EventClass::on_target, station, {request, target, piece, whole.kind}, agenda);
  }
}

std::vector<Stripes::Station>& Stripes::stations(EventClass what) {
  return what == EventClass::server_up ? servers_up_ : what == EventClass::on_target ? targets_ : servers_down_;
}

void Stripes::arrive(Picoseconds now, EventClass what, std::uint32_t station, const Piece& piece, Agenda& agenda) {
  Station& at = stations(what)[station];
  at.queue.push(piece);
  if (at.queue.size() == 1) agenda.add(std::min(now + at.rate.of(piece.bytes), time_limit + 1), what, station);
}

std::optional<Striped> Stripes::leave(Picoseconds now, EventClass from, std::uint32_t station, Agenda& agenda) {
  Station& at = stations(from)[station];
  const Piece piece = at.queue.pop();
  if (!at.queue.empty()) agenda.add(std::min(now + at.rate.of(at.queue.front().bytes), time_limit + 1), from, station);
  if (from == EventClass::server_up) {
    arrive(now, EventClass::on_target, piece.target, piece, agenda);
    return std::nullopt;
  }
  if (from == EventClass::on_target && piece.kind == Kind::read && !servers_down_.empty()) {
    arrive(now, EventClass::server_down, piece.target % static_cast<std::uint32_t>(servers_down_.size()), piece, agenda);
    return std::nullopt;
  }
  return done(piece);
}

std::optional<Striped> Stripes::done(const Piece& piece) {
  Request& request = requests_[piece.request];
  if (--request.pieces > 0) return std::nullopt;
  unused_.push_back(piece.request);
  return request.whole;
}

}  // namespace fathom::simulate
