// SPDX-License-Identifier: Apache-2.0
#include "collect/waiting.h"

#include <algorithm>
#include <utility>

namespace fathom {

void Waiting::Sheaf::add(const SeriesNames& names, const std::vector<Sample>& more, const std::vector<Mark>& more_marks) {
  for (Sample sample : more) {
    sample.series = series.id(names.server(sample.series), names.filesystem(sample.series), names.job(sample.series));
    samples.push_back(sample);
  }
  marks.insert(marks.end(), more_marks.begin(), more_marks.end());
}

void Waiting::add(const Polled& polled) {
  std::lock_guard lock(mutex_);
  fresh_.add(polled.series, polled.samples, polled.marks);
  const std::size_t beside = in_writing_.samples.size();
  if (fresh_.samples.size() + beside > most_samples_ || fresh_.marks.size() > most_samples_) thin(fresh_);
}

Batch Waiting::begin_write() {
  std::lock_guard lock(mutex_);
  in_writing_ = std::exchange(fresh_, {});
  Batch batch;
  batch.names = in_writing_.series.since(0, 0);
  batch.samples = in_writing_.samples;
  batch.marks = in_writing_.marks;
  return batch;
}

void Waiting::finish_write(bool written) {
  std::lock_guard lock(mutex_);
  if (!written) {
    const Sheaf newer = std::exchange(fresh_, std::move(in_writing_));
    fresh_.add(newer.series, newer.samples, newer.marks);
    if (fresh_.samples.size() > most_samples_) thin(fresh_);
  }
  in_writing_ = {};
}

std::size_t Waiting::samples() const {
  std::lock_guard lock(mutex_);
  return fresh_.samples.size() + in_writing_.samples.size();
}

std::uint64_t Waiting::thinned() const {
  std::lock_guard lock(mutex_);
  return thinned_;
}

void Waiting::thin(Sheaf& sheaf) {
  // From the last to the first, so that each series' last one is the first that is met.
  std::vector<std::uint32_t> met(sheaf.series.size(), 0);
  std::vector<Sample> kept;
  for (auto at = sheaf.samples.rbegin(); at != sheaf.samples.rend(); ++at)
    if (met[at->series]++ % 2 == 0) kept.push_back(*at);
  std::reverse(kept.begin(), kept.end());
  thinned_ += sheaf.samples.size() - kept.size();
  sheaf.samples = std::move(kept);
  // A visit says when a job had no counters yet; of many, every second one says nearly the same. Resets are few and all matter.
  std::size_t visits = 0;
  std::erase_if(sheaf.marks, [&](const Mark& mark) { return mark.kind == MarkKind::visit && visits++ % 2 == 0; });
}

}  // namespace fathom
