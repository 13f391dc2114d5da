// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/locks.h"

#include <algorithm>
#include <cmath>

namespace fathom::trace {
namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

bool overlap(std::int64_t a_from, std::int64_t a_to, std::int64_t b_from, std::int64_t b_to) { return a_from < b_to && b_from < a_to; }

}  // namespace

void Lengths::add(std::int64_t value) {
  if (classes_.empty()) classes_.assign(size_class_count, 0);
  ++classes_[size_class(static_cast<double>(value))];
  ++count_;
  sum_ += value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

double Lengths::quantile(double share) const {
  if (count_ == 0) return 0;
  const auto wanted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))));
  std::uint64_t below = 0;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    below += classes_[c];
    if (below < wanted) continue;
    return std::clamp(size_class_begin(c + 1 < size_class_count ? c + 1 : c), static_cast<double>(min()), static_cast<double>(max_));
  }
  return static_cast<double>(max_);
}

void LocksAnalysis::lock(State& file, const Seen& seen, Lock wanted) {
  const Event& event = seen.event;
  FileLocks& sums = file.sums;
  ++sums.lock_calls;
  sums.lock_time += event.duration();
  sums.wait.add(event.duration());
  if (std::find(file.units.begin(), file.units.end(), event.unit) == file.units.end()) file.units.push_back(event.unit);
  // Another rank's lock that was there, or got there first while this one waited; two shared ones do not hinder each other.
  const bool conflict = std::any_of(file.live.begin(), file.live.end(), [&](const Lock& other) {
    return other.unit != wanted.unit && (other.exclusive || wanted.exclusive) && overlap(other.from, other.to, wanted.from, wanted.to) &&
           other.since <= event.end;
  });
  if (conflict) ++sums.conflicts, sums.conflict_wait += event.duration();
  if (event.failed()) {
    ++sums.failed;
    return;
  }
  sums.exclusive += wanted.exclusive;
  if (wanted.to == no_end) {
    ++sums.whole_file;
  } else {
    sums.bytes.add(wanted.to - wanted.from);
    sums.last_byte = std::max(sums.last_byte, wanted.to - 1);
  }
  sums.first_byte = std::min(sums.first_byte, wanted.from);
  file.live.push_back(wanted);
}

/// Takes the range out of the process's locks; what sticks out stays locked (fcntl's way). A lock whose last byte goes is a cycle.
void LocksAnalysis::unlock(State& file, const Seen& seen, std::int64_t from, std::int64_t to) {
  const Event& event = seen.event;
  ++file.sums.unlock_calls;
  file.sums.unlock_time += event.duration();
  if (event.failed()) return;
  std::vector<Lock> rests;
  std::erase_if(file.live, [&](const Lock& held) {
    if (held.process != event.process || !overlap(held.from, held.to, from, to)) return false;
    Lock rest = held;
    if (held.from < from) rest.to = from, rests.push_back(rest);
    rest.to = held.to;
    if (held.to > to) rest.from = to, rests.push_back(rest);
    if (held.from >= from && held.to <= to) {
      ++file.sums.cycles;
      file.sums.held.add(std::max<std::int64_t>(0, event.start - held.since));
    }
    return true;
  });
  file.live.insert(file.live.end(), rests.begin(), rests.end());
}

void LocksAnalysis::take(const Seen& seen) {
  if (!seen.is(Interface::posix) || !seen.counts || !seen.outermost) return;
  const Event& event = seen.event;
  const Operation operation = seen.call.operation;
  if (operation == Operation::close) {
    // POSIX: closing any descriptor of a file drops the process's locks on it.
    if (const auto found = files_.find(event.file); found != files_.end())
      found->second.sums.left += std::erase_if(found->second.live, [&](const Lock& held) { return held.process == event.process; });
    return;
  }
  if (operation != Operation::lock && operation != Operation::unlock) return;
  State& file = files_[event.file];
  const std::int64_t from = event.offset == no_offset ? 0 : event.offset;
  const bool bounded =
      event.offset != no_offset && event.bytes != no_bytes && event.bytes > 0 && event.bytes < static_cast<std::uint64_t>(no_end - from);
  const std::int64_t to = bounded ? from + static_cast<std::int64_t>(event.bytes) : no_end;
  if (operation == Operation::lock) {
    lock(file, seen, {from, to, event.end, event.process, event.unit, (event.detail & lock_exclusive) != 0});
  } else {
    unlock(file, seen, from, to);
  }
}

void LocksAnalysis::finish() {
  for (auto& [file, state] : files_) {
    state.sums.file = file;
    state.sums.left += state.live.size();
    state.sums.ranks = static_cast<std::uint32_t>(state.units.size());
    result_.push_back(std::move(state.sums));
  }
  files_.clear();
  std::sort(result_.begin(), result_.end(), [](const FileLocks& a, const FileLocks& b) { return a.file < b.file; });
}

}  // namespace fathom::trace
