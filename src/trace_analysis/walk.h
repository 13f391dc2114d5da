// SPDX-License-Identifier: Apache-2.0
/// One pass over a trace for any number of analyses: finds out what encloses each event and hands it on.
#pragma once

#include <deque>
#include <functional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// Holds the calls that are under way and the non-blocking ones not yet waited for, nothing else.
class Walk {
 public:
  Walk(const Trace& trace, std::vector<Analysis*> analyses);
  void take(const Event& event);
  void finish();

 private:
  struct Open {  // a call that others may be in
    std::uint64_t mpi_call;
    std::uint8_t interfaces;  // of itself and of what is around it; bits
    bool on_file;             // it, or one of those, is about a file
    bool setup;               // it, or one of those, is MPI_Init or MPI_Finalize
    std::uint8_t posix_data;  // what POSIX calls among them move: bit 0 reads, bit 1 writes
  };
  struct Ending {
    std::int64_t end;
    std::uint64_t row;
    bool operator>(const Ending& other) const { return end > other.end; }
  };
  struct Pending {  // non-blocking operations of one opening of a file
    std::deque<Direction> waiting;
    Direction last = Direction::write;
    std::uint64_t taken_by = no_row;  // the wait that took the last one
    Direction complete(const Event& wait);
  };
  std::optional<Direction> direction_of(const Event& event, const Call& call, std::uint8_t traits);
  void forget_before(std::int64_t time);

  const Trace& trace_;
  std::vector<Analysis*> analyses_;
  std::vector<std::uint8_t> traits_, encloses_;  // by call
  std::unordered_map<std::uint64_t, Open> open_;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
  std::unordered_map<std::uint64_t, Pending> pending_;  // by process and handle
};

/// Reads all events of a trace once. `progress` is told how many were seen. Gives the number of blocks that could not be read.
Result<std::uint64_t> walk_trace(const Trace& trace, std::vector<Analysis*> analyses,
                                 const std::function<void(std::uint64_t)>& progress = {});

}  // namespace fathom::trace
