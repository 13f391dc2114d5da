// SPDX-License-Identifier: Apache-2.0
#include "synth/series_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "synth/io_flow.h"

namespace fathom {
namespace {

constexpr std::int64_t longest_plain_interval = 300'000'000;  // 2.5 x 120 s
constexpr std::uint64_t half = 1ull << 31, full = 1ull << 32;

struct Comparison {
  bool inferred_reset = false;
  std::string wrapped;  // names of counters that a reader takes as wrapped
  Counters amounts{};
};

/// What the printed values alone tell: criteria, "From cumulative counters to increments".
Comparison compare(const Counters& before, const Counters& now) {
  Comparison found;
  for (std::size_t i = 0; i < counter_count; ++i) {
    found.amounts[i] = now[i] - before[i];
    if (now[i] >= before[i]) continue;
    const std::uint64_t step = now[i] + full - before[i];
    if (holds(byte_counters, i) || before[i] < half || step >= half) {
      found.inferred_reset = true;
    } else {
      found.amounts[i] = step;
      found.wrapped += fmt::format("{}{}", found.wrapped.empty() ? "" : " ", counter_names[i]);
    }
  }
  if (found.inferred_reset) found = {true, {}, now};
  return found;
}

}  // namespace

void SeriesAccount::note(std::string_view kind, std::int64_t t, std::int64_t t_end, bool visible, std::string why, Truth& truth) const {
  truth.faults.push_back({kind, known_.server, name_, t, t_end, visible, std::move(why)});
}

void SeriesAccount::zeroed(std::string_view kind, std::int64_t t, std::int64_t t_end) { zeroings_.push_back({kind, t, t_end}); }

void SeriesAccount::settle(bool visible, std::string_view why, Truth& truth) {
  for (const Zeroing& zeroing : zeroings_)
    if (zeroing.kind != "reset") note(zeroing.kind, zeroing.t, zeroing.t_end, visible, std::string(why), truth);
  zeroings_.clear();
}

void SeriesAccount::book(std::int64_t t, const Counters& amounts, std::int64_t since, Truth& truth) {
  ++known_.increments;
  add_to(known_.recoverable, amounts);
  if (t - since <= longest_plain_interval) return;
  ++truth.gaps;
  note("gap", since, t, true, "", truth);
}

void SeriesAccount::sampled(std::int64_t t, const Counters& total, const Counters& shown, Truth& truth) {
  const auto reset = std::find_if(zeroings_.rbegin(), zeroings_.rend(), [](const Zeroing& zeroing) { return zeroing.kind == "reset"; });
  if (reset != zeroings_.rend()) {
    book(t, shown, reset->t, truth);
    settle(false, "in one interval with a logged reset", truth);
  } else if (known_.samples == 0) {
    settle(false, "before the first sample", truth);
  } else {
    Comparison seen = compare(last_shown_, shown);
    if (zeroings_.empty()) {  // then the truth is known without looking at the printed values, and they must agree with it
      Counters amounts = total;
      take_from(amounts, last_total_);
      assert(!seen.inferred_reset && seen.amounts == amounts);
      seen.amounts = amounts;
    }
    book(t, seen.amounts, last_t_, truth);
    if (seen.inferred_reset) ++truth.resets_inferred;
    const std::uint64_t unseen = total[0] + total[1] - last_total_[0] - last_total_[1] - seen.amounts[0] - seen.amounts[1];
    settle(seen.inferred_reset, fmt::format("{}{} bytes lost", seen.inferred_reset ? "" : "no counter fell: ", unseen), truth);
    if (!seen.wrapped.empty()) {
      ++truth.wraps;
      note("wrap", last_t_, t, true, seen.wrapped, truth);
    }
  }
  if (known_.samples++ == 0) known_.first = t;
  known_.last = last_t_ = t;
  last_total_ = total;
  last_shown_ = shown;
}

void SeriesAccount::finish(Truth& truth) {
  settle(false, "no sample follows", truth);
  truth.series.push_back(known_);
}

}  // namespace fathom
