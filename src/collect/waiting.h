// SPDX-License-Identifier: Apache-2.0
/// Samples that were polled and are not in the store yet; bounded, whatever keeps the store from being written.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "ingest/harvest.h"

namespace fathom {

/// What one poll gave: samples by ids of `series`.
struct Polled {
  SeriesTable series;
  std::vector<Sample> samples;
  std::vector<Mark> marks;
  ReadAccount account;
};

class Waiting {
 public:
  explicit Waiting(std::size_t most_samples) : most_samples_(most_samples) {}

  /// Samples and marks keep the source number that they came with.
  void add(const Polled& polled);

  /// A copy of all that waits, to be written; it goes on waiting until finish_write() says that it was.
  Batch begin_write();
  void finish_write(bool written);

  std::size_t samples() const;
  /// Samples given up because too many waited. Counters are running totals: amounts stay whole, their times get coarser.
  std::uint64_t thinned() const;

 private:
  struct Sheaf {
    SeriesTable series;
    std::vector<Sample> samples;
    std::vector<Mark> marks;
    void add(const SeriesNames& names, const std::vector<Sample>& more, const std::vector<Mark>& more_marks);
  };
  /// Every second sample of each series goes; its last one stays.
  void thin(Sheaf& sheaf);

  const std::size_t most_samples_;
  mutable std::mutex mutex_;
  Sheaf fresh_, in_writing_;
  std::uint64_t thinned_ = 0;
};

}  // namespace fathom
