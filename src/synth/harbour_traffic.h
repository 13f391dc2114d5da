// SPDX-License-Identifier: Apache-2.0
/// What each job of the preset `harbour` did to each OST, step by step of the collector's grid.
#pragma once

#include <map>
#include <vector>

#include "synth/harbour_machine.h"
#include "synth/io_flow.h"

namespace fathom::quayside {

using StepAmounts = std::map<std::int64_t, Amounts>;

class Traffic {
 public:
  /// Jobs are numbered from 0; `jobs` itself stands for requests that carry no job's name.
  Traffic(std::size_t jobs, std::int64_t steps) : steps_(steps), series_((jobs + 1) * ost_count) {}

  std::size_t jobs() const { return series_.size() / ost_count - 1; }
  std::uint32_t nobody() const { return static_cast<std::uint32_t>(jobs()); }
  std::int64_t steps() const { return steps_; }

  /// What comes after the end of the log is in no log.
  void add(std::uint32_t job, std::uint32_t ost, std::int64_t at, const Amounts& amounts) {
    if (at < 0 || at >= steps_) return;
    add_to(series_[job * ost_count + ost][at], amounts);
  }
  /// Requests of one size that come evenly.
  void add(std::uint32_t job, std::uint32_t ost, const Flow& flow);

  const StepAmounts& of(std::uint32_t job, std::uint32_t ost) const { return series_[job * ost_count + ost]; }

 private:
  std::int64_t steps_;
  std::vector<StepAmounts> series_;
};

}  // namespace fathom::quayside
