// SPDX-License-Identifier: Apache-2.0
/// Targets behind the disk link, and the links of the object servers in front of them: data is cut into stripes, each station does one
/// piece after the other.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "simulate/architecture.h"
#include "simulate/channel.h"
#include "simulate/event_queue.h"
#include "simulate/io_node.h"

namespace fathom::simulate {

/// A request of which pieces are on targets.
struct Striped {
  std::uint32_t node = 0;
  Kind kind = Kind::read;
  std::uint32_t lane = 0;  // of a read
  StoredWrite write;       // of a write
};

class Stripes {
 public:
  Stripes(const Architecture& architecture, std::size_t nodes);

  bool exist() const { return !targets_.empty(); }

  /// Spreads `bytes` (more than 0) over targets.
  void enter(Picoseconds now, const Striped& whole, std::uint64_t bytes, Agenda& agenda);

  /// A piece has left that station. If it was the last of its request, the request.
  std::optional<Striped> leave(Picoseconds now, EventClass from, std::uint32_t station, Agenda& agenda);

 private:
  struct Piece {
    std::uint32_t request, target;
    std::uint64_t bytes;
    Kind kind;
  };
  struct Station {
    Rate rate;
    Ring<Piece> queue;  // the first one is under way
  };
  struct Request {
    Striped whole;
    std::uint64_t pieces = 0;
  };

  std::vector<Station>& stations(EventClass what);
  void arrive(Picoseconds now, EventClass what, std::uint32_t station, const Piece& piece, Agenda& agenda);
  std::optional<Striped> done(const Piece& piece);

  const std::uint64_t stripe_count_, stripe_size_;
  std::vector<Station> servers_up_, targets_, servers_down_;
  std::vector<std::array<std::uint64_t, 2>> offsets_;  // of each I/O node, by kind
  std::vector<Request> requests_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace fathom::simulate
