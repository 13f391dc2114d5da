// SPDX-License-Identifier: Apache-2.0
/// The load table (AID's IOLT): for each server, in which bands of throughput it spent the last 20 minutes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "advise/bands.h"
#include "base/result.h"

namespace fathom::advise {

struct LoadSettings {
  Bands bands;
  double window_seconds = 300;
  std::size_t windows = 4;
  double slot_seconds = 10;  // the grid on which throughput arrives

  double seconds() const { return window_seconds * static_cast<double>(windows); }
};

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// For each server the fraction of measured time in each band. Fractions of a server add up to 1, or to 0 where nothing was measured.
struct Loads {
  std::size_t bands = 0;
  std::vector<double> fractions;  // by server, then band
  std::vector<double> coverage;   // by server: share of the 20 minutes that was measured

  std::size_t servers() const { return coverage.size(); }
  std::span<double> of(std::size_t server) { return {fractions.data() + server * bands, bands}; }
  std::span<const double> of(std::size_t server) const { return {fractions.data() + server * bands, bands}; }
};

class LoadTable {
 public:
  /// A window must hold at least one slot.
  static Result<LoadTable> make(std::size_t servers, const LoadSettings& settings);

  /// The next slot: bytes per second of each server, `not_measured` where nobody knows. Costs O(servers), whatever the windows hold.
  void add_slot(std::span<const double> throughput);

  std::size_t servers() const { return measured_.size() / settings_.windows; }
  const LoadSettings& settings() const { return settings_; }
  /// f_i is the mean over the windows in which the server was measured, each window's fractions being of its measured time.
  void fractions(std::size_t server, std::span<double> into) const;
  double coverage(std::size_t server) const;
  /// Bytes per second over measured time; nothing measured: `not_measured`.
  double mean_throughput(std::size_t server) const;
  Loads loads() const;

 private:
  LoadTable(std::size_t servers, const LoadSettings& settings, std::size_t slots_per_window);

  LoadSettings settings_;
  std::size_t bands_, slots_per_window_, slots_;
  std::size_t newest_ = 0;                // place of the newest slot in the rings
  std::vector<std::uint8_t> ring_;        // band of each slot, by place, then server
  std::vector<std::int64_t> throughput_;  // whole bytes per second, the same way: sums of them stay exact
  std::vector<std::uint16_t> counts_;     // slots by server, window, band
  std::vector<std::uint16_t> measured_;   // slots by server and window
  std::vector<std::int64_t> sum_;         // of throughput, by server
};

}  // namespace fathom::advise
