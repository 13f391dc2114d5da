// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/access_pattern.h"

namespace fathom::trace {

std::uint64_t AccessShares::classified() const {
  std::uint64_t all = 0;
  for (const std::uint64_t n : requests) all += n;
  return all;
}

void AccessShares::add_stride(std::int64_t stride, std::uint64_t times) {
  const auto found = strides.find(stride);
  if (found != strides.end()) {
    found->second += times;
  } else if (strides.size() < most_strides) {
    strides.emplace(stride, times);
  }
}

void AccessShares::add(const AccessShares& other) {
  for (std::size_t c = 0; c < access_class_count; ++c) requests[c] += other.requests[c];
  alone += other.alone;
  for (const auto& [stride, times] : other.strides) add_stride(stride, times);
}

void AccessPattern::add(std::int64_t offset, std::uint64_t bytes) {
  if (requests_++ > 0) {
    const std::int64_t step = offset - last_offset_;
    const bool contiguous = step == static_cast<std::int64_t>(last_bytes_);  // D Eq. 3.51 with the size of the one before
    Run* last = runs_.empty() ? nullptr : &runs_.back();
    if (last != nullptr && last->contiguous == contiguous && (contiguous || last->step == step)) {
      last->even = last->even && last->step == step;
      ++last->steps;
    } else {
      runs_.push_back({step, 1, contiguous, true});
      // A run's class depends on three before it and three whole ones after it.
      if (runs_.size() - next_ > 4) classify(next_++);
      if (next_ > 3) runs_.pop_front(), --next_;
    }
  }
  last_offset_ = offset;
  last_bytes_ = bytes;
}

const AccessPattern::Run* AccessPattern::at(std::size_t place, std::ptrdiff_t distance) const {
  const std::ptrdiff_t wanted = static_cast<std::ptrdiff_t>(place) + distance;
  return wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(runs_.size()) ? nullptr : &runs_[static_cast<std::size_t>(wanted)];
}

bool AccessPattern::is_jump(std::size_t place, std::ptrdiff_t distance) const {
  const Run* run = at(place, distance);
  return run != nullptr && run->steps == 1 && !run->contiguous && run->step == runs_[place].step;
}

bool AccessPattern::same_block(std::size_t place, std::ptrdiff_t a, std::ptrdiff_t b) const {
  const Run *one = at(place, a), *other = at(place, b);
  return one != nullptr && other != nullptr && one->even && other->even && one->step == other->step && one->steps == other->steps &&
         one->contiguous == other->contiguous;
}

/// off(i) = off(0) + o (i mod n) + l floor(i / n): n - 1 steps of o, then one jump, again and again. A jump is nested if one like it stands
/// after the next block or before the last one, and that block has a twin: then the stride l occurred twice. Gives the block.
const AccessPattern::Run* AccessPattern::nested_block(std::size_t place) const {
  for (const std::ptrdiff_t jump : {std::ptrdiff_t{0}, std::ptrdiff_t{-2}}) {
    if (!is_jump(place, jump) || !is_jump(place, jump + 2)) continue;
    if (same_block(place, jump - 1, jump + 1) || same_block(place, jump + 1, jump + 3)) return at(place, jump + 1);
  }
  return nullptr;
}

void AccessPattern::classify(std::size_t place) {
  const Run& run = runs_[place];
  AccessClass found = AccessClass::random;
  if (run.contiguous) {
    found = AccessClass::contiguous;
  } else if (run.steps >= 2) {  // two equal steps
    found = AccessClass::simple_strided;
    shares_.add_stride(run.step, run.steps);
  } else if (const Run* block = nested_block(place)) {
    found = AccessClass::nested_strided;
    shares_.add_stride(run.step + block->step * static_cast<std::int64_t>(block->steps), 1);
  } else if (run.step > 0) {
    found = AccessClass::sequential;
  }
  // The first request takes its successor's class.
  shares_.requests[static_cast<std::size_t>(found)] += run.steps + (first_given_ ? 0 : 1);
  first_given_ = true;
}

AccessShares AccessPattern::finish() {
  while (next_ < runs_.size()) classify(next_++);
  if (requests_ == 1) shares_.alone = 1;
  return shares_;
}

}  // namespace fathom::trace
