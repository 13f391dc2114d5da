// SPDX-License-Identifier: Apache-2.0
#include "collect/latest.h"

#include "ingest/join.h"

namespace fathom {

Latest::Verdict Latest::take(const SeriesName& name, const Sample& sample, Time now) {
  std::lock_guard lock(mutex_);
  const auto [found, added] = series_.try_emplace(name);
  Known& known = found->second;
  known.seen = now;
  if (!added && sample.t < known.sample.t) return Verdict::late;
  if (!added && sample.t == known.sample.t && known.read_here && !prefer(sample, known.sample)) return Verdict::known;
  known.sample = sample;
  known.read_here = true;
  return Verdict::fresh;
}

void Latest::remember(const SeriesName& name, Time last) {
  std::lock_guard lock(mutex_);
  Known& known = series_[name];
  if (known.read_here) return;
  known.sample.t = std::max(known.sample.t, last);
  known.seen = last;
}

std::vector<Latest::Entry> Latest::entries() const {
  std::lock_guard lock(mutex_);
  std::vector<Entry> all;
  for (const auto& [name, known] : series_)
    if (known.read_here) all.push_back({name, known.sample});
  return all;
}

std::size_t Latest::size() const {
  std::lock_guard lock(mutex_);
  return series_.size();
}

void Latest::forget(Time before) {
  std::lock_guard lock(mutex_);
  std::erase_if(series_, [&](const auto& entry) { return entry.second.seen < before; });
}

}  // namespace fathom
