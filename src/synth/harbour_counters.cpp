// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_counters.h"

#include <algorithm>

namespace fathom::quayside {
namespace {

/// One OST: the counters it has shown since long before the log began, and its table of jobs.
class Ost {
 public:
  Ost(const Traffic& traffic, std::uint32_t number)
      : number_(number), values_{(7'300'000 + number) * mib, (5'100'000 + number) * mib, 21'000'000, 14'000'000} {
    for (std::uint32_t job = 0; job <= traffic.nobody(); ++job)
      for (const auto& [at, amounts] : traffic.of(job, number)) done_.push_back({at, job, amounts});
    std::stable_sort(done_.begin(), done_.end(), [](const Done& a, const Done& b) { return a.step < b.step; });
    nobody_ = traffic.nobody();
  }

  OstReading read(std::int64_t reading) {
    for (; next_ < done_.size() && done_[next_].step < reading; ++next_) {
      add_to(values_, done_[next_].amounts);
      if (done_[next_].job != nobody_) count(done_[next_]);
    }
    const Micros now = reading_time(reading);
    std::erase_if(entries_, [&](const JobEntry& entry) { return entry.changed + cleanup_interval < now; });
    return {now, number_, values_, entries_};
  }

 private:
  struct Done {
    std::int64_t step;
    std::uint32_t job;
    Amounts amounts;
  };
  void count(const Done& done) {
    auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const JobEntry& each) { return each.job == done.job; });
    if (entry == entries_.end()) entry = entries_.insert(entry, JobEntry{done.job, {}, 0});
    add_to(entry->values, done.amounts);
    entry->changed = reading_time(done.step + 1) - second;  // somewhere in the step: near its end
  }

  std::uint32_t number_;
  std::uint32_t nobody_ = 0;
  Amounts values_;
  std::vector<Done> done_;
  std::size_t next_ = 0;
  std::vector<JobEntry> entries_;
};

}  // namespace

void read_counters(const Traffic& traffic, std::int64_t readings, const std::function<bool(const OstReading&)>& take) {
  std::vector<Ost> osts;
  for (std::uint32_t ost = 0; ost < ost_count; ++ost) osts.emplace_back(traffic, ost);
  for (std::int64_t reading = 0; reading < readings; ++reading)
    for (Ost& ost : osts)
      if (!take(ost.read(reading))) return;
}

}  // namespace fathom::quayside
