// SPDX-License-Identifier: Apache-2.0
/// A bar with rate and time left, on a terminal, for what takes longer than a second; none with --quiet.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/talk.h"

namespace fathom {

class Progress {
 public:
  enum class Unit { bytes, share };
  explicit Progress(std::string title, Unit unit = Unit::bytes);
  ~Progress();  // wipes the bar
  Progress(const Progress&) = delete;
  /// `detail` stands between the share and the time left.
  void update(std::uint64_t done, std::uint64_t total, std::string_view detail = {});
  /// Whether there would be a bar at all.
  static bool wanted();
  /// No bar from now on: another process of the same run shows it.
  static void silence();

 private:
  using Clock = std::chrono::steady_clock;
  Phase phase_;  // also told without a terminal, by --verbose
  std::string title_;
  Unit unit_;
  bool terminal_;
  std::size_t shown_ = 0;  // characters in the line
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace fathom
