// SPDX-License-Identifier: Apache-2.0
/// How many calls are under way over time (RIOT Fig. 9): steps, thinned where there are too many, and how long each number lasted.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "timeline/stretch.h"

namespace fathom::dashboard {

/// Calls under way: reads, writes, both.
using Levels = std::array<std::uint32_t, direction_count>;

struct CallLevels {
  std::int64_t from = 0, to = 0;
  struct Step {
    std::int64_t time;
    Levels levels;  // until the next step; of a thinned one the most in between
  };
  std::vector<Step> steps;
  bool exact = true;                 // false: thinned
  std::vector<std::int64_t> lasted;  // nanoseconds, by number of calls
  Levels most{};
};

/// The larger of both, each by itself.
void raise(Levels& to, const Levels& by);

/// Takes calls in order of their start. One that ends when another begins is over by then, as ConcurrencyAnalysis has it.
class LevelSweep {
 public:
  /// Time before and after is left out; calls that reach into it are cut. More than `most` steps are thinned to that number.
  LevelSweep(std::int64_t from, std::int64_t to, std::size_t most);
  void take(std::int64_t start, std::int64_t end, Direction direction);
  CallLevels finish();

 private:
  using Ends = std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>>;
  void end_until(std::int64_t time);
  void hold_until(std::int64_t time);
  void note(std::int64_t from, std::int64_t to);

  CallLevels levels_;
  std::size_t most_;
  std::int64_t width_;  // of a bin
  std::array<Ends, 2> under_way_;
  Levels now_{};
  std::int64_t since_;
  std::vector<Levels> bins_;
};

}  // namespace fathom::dashboard
