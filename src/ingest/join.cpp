// SPDX-License-Identifier: Apache-2.0
#include "ingest/join.h"

#include <bit>
#include <tuple>

namespace fathom {
namespace {

constexpr std::uint64_t narrow_modulus = std::uint64_t{1} << 32;

bool is_narrow(const Sample& sample, std::size_t counter) { return (sample.traits & narrow_ops) != 0 && !holds(byte_counters, counter); }

Increment counted_from(Time start, const Sample& sample, std::uint8_t flags) {
  return {.start = start,
          .end = sample.t,
          .series = sample.series,
          .source = sample.source,
          .has = sample.has,
          .flags = flags,
          .amounts = sample.values};
}

/// A 32-bit counter may wrap: it stood in the top half and went on by less than half a turn.
bool could_wrap(std::uint64_t before, std::uint64_t after) {
  return before >= narrow_modulus / 2 && before < narrow_modulus && (after + narrow_modulus - before) < narrow_modulus / 2;
}

/// Some counter fell and no log tells why.
Increment join_fall(const Sample& before, const Sample& sample, CounterMask has, CounterMask fell) {
  bool wraps = (fell & byte_counters) == 0;
  for (std::size_t i = 0; wraps && i < counter_count; ++i)
    if (holds(fell, i)) wraps = is_narrow(sample, i) && could_wrap(before.values[i], sample.values[i]);
  if (wraps) {
    Increment increment = counted_from(before.t, sample, wrapped);
    increment.has = has;
    for (std::size_t i = 0; i < counter_count; ++i)
      increment.amounts[i] = holds(has, i) ? sample.values[i] - before.values[i] + (holds(fell, i) ? narrow_modulus : 0) : 0;
    return increment;
  }
  if ((sample.traits & (drop_is_unmount | drop_is_expiry)) != 0) {
    Increment unknown = counted_from(before.t, sample, (sample.traits & drop_is_unmount) != 0 ? unmounted : expired);
    unknown.has = 0;
    unknown.amounts = {};
    return unknown;
  }
  return counted_from(before.t, sample, reset_inferred);
}

}  // namespace

std::optional<Increment> join(const Sample* before, const Sample& sample, const Context& context) {
  if ((sample.traits & per_interval) != 0) {
    if (before != nullptr) return counted_from(before->t, sample, plain);
    if (sample.since != no_time && sample.since < sample.t) return counted_from(sample.since, sample, assumed_step);
    return std::nullopt;
  }
  Time reset = context.last_reset;
  const bool since_is_news = before != nullptr ? sample.since > before->t : (sample.traits & drop_is_expiry) != 0;
  if (sample.since != no_time && since_is_news && sample.since > reset && sample.since < sample.t) {
    reset = sample.since;
    if (before == nullptr) return counted_from(reset, sample, implied_start);
  }
  if (reset != no_time && reset < sample.t) return counted_from(reset, sample, after_reset);
  if (before == nullptr) {
    if ((sample.traits & drop_is_expiry) != 0 && context.last_visit != no_time && context.last_visit < sample.t)
      return counted_from(context.last_visit, sample, implied_start);
    return std::nullopt;
  }
  const CounterMask has = before->has & sample.has;
  if (has == 0) return std::nullopt;
  unsigned fell = 0;
  Increment increment{
      .start = before->t, .end = sample.t, .series = sample.series, .source = sample.source, .has = has, .flags = plain, .amounts = {}};
  for (std::size_t i = 0; i < counter_count; ++i) {
    increment.amounts[i] = sample.values[i] - before->values[i];
    fell |= static_cast<unsigned>(sample.values[i] < before->values[i]) << i;
  }
  for (unsigned unknown = all_counters & ~unsigned{has}; unknown != 0; unknown &= unknown - 1)
    increment.amounts[static_cast<std::size_t>(std::countr_zero(unknown))] = 0;
  fell &= has;
  return fell == 0 ? increment : join_fall(*before, sample, has, static_cast<CounterMask>(fell));
}

/// The start time of the sample after `before`, as far as the increment between them tells. Lustre tells resets by a
/// start time, mmpmon by marks, which are kept apart.
static Time since_after(const Sample& before, const Increment& increment) {
  if ((before.traits & (narrow_ops | per_interval)) != 0) return no_time;
  return (increment.flags & after_reset) != 0 ? increment.start : before.since;
}

bool links(const Sample* before, const Sample& sample, const std::optional<Increment>& increment) {
  if (before == nullptr || !increment || increment->has != sample.has || before->traits != sample.traits) return false;
  return (sample.traits & per_interval) != 0 || since_after(*before, *increment) == sample.since;
}

Sample advance(const Sample& before, const Increment& increment) {
  Sample sample = before;
  sample.t = increment.end;
  sample.since = since_after(before, increment);
  sample.source = increment.source;
  sample.has = increment.has;
  const bool from_zero = (before.traits & per_interval) != 0 || (increment.flags & (after_reset | reset_inferred | implied_start)) != 0;
  for (std::size_t i = 0; i < counter_count; ++i) {
    const std::uint64_t sum = (from_zero ? 0 : before.values[i]) + increment.amounts[i];
    sample.values[i] = is_narrow(sample, i) ? sum % narrow_modulus : sum;
    if (!holds(increment.has, i)) sample.values[i] = 0;
  }
  return sample;
}

bool prefer(const Sample& a, const Sample& b) { return std::tie(a.values, a.has, a.since) > std::tie(b.values, b.has, b.since); }

bool same_reading(const Sample& a, const Sample& b) { return a.has == b.has && a.values == b.values; }

}  // namespace fathom
