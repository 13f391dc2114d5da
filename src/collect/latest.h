// SPDX-License-Identifier: Apache-2.0
/// The last sample of every series: what /metrics shows, and what keeps a clock that was set back from counting twice.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "model/sample.h"

namespace fathom {

class Latest {
 public:
  enum class Verdict { fresh, known, late };

  /// Takes the sample if it is later than what is known of its series, or says more about the same moment: Lustre stamps a job's
  /// entry with whole seconds, in which its counters go on; the store keeps the larger. `known`: the same reading again, as of an
  /// idle job. `late`: an earlier moment, so the clock was set back. Joined to later samples it would look like a reset, and bytes
  /// would count twice.
  Verdict take(const SeriesName& name, const Sample& sample, Time now);

  /// What an earlier run left in the store. Its values are not shown: the last extent may be old.
  void remember(const SeriesName& name, Time last);

  struct Entry {
    SeriesName name;
    Sample sample;
  };
  /// Every series that was read by this process, in order of names.
  std::vector<Entry> entries() const;
  std::size_t size() const;

  /// Drops series that were not seen since `before` (jobs that ended), so that years of jobs stay small.
  void forget(Time before);

 private:
  struct Known {
    Sample sample;
    Time seen = no_time;
    bool read_here = false;
  };
  mutable std::mutex mutex_;
  std::map<SeriesName, Known> series_;
};

}  // namespace fathom
