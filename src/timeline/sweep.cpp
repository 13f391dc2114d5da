// SPDX-License-Identifier: Apache-2.0
#include "timeline/sweep.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "timeline/exact.h"
#include "timeline/lane_slots.h"

namespace fathom {
namespace {

/// Slots looked at in one go; changes are sorted by putting them into one list per slot.
constexpr std::int64_t window = 1 << 13;
constexpr std::uint32_t none = UINT32_MAX;
/// Sums over lanes are kept by adding differences; now and then they are made anew, so that rounding does not pile up.
constexpr std::uint32_t renew_every = 512;

struct Change {
  FlowAmounts amounts;
  std::uint32_t lane;
  std::uint32_t next;
};

struct LaneState {
  LaneSlots slots;
  FlowAmounts amounts{};  // in the current slot
  std::uint32_t unit;
  bool inner;
};

struct UnitState {
  std::uint32_t first_lane = 0, lanes = 0;
  std::int64_t looked_at = -1;          // slot
  std::array<std::uint8_t, 2> above{};  // how many thresholds are exceeded, by direction
};

/// A threshold in the length of one slot, with the stretch around it where rounding could decide.
struct Limit {
  double surely_below, surely_above;
};

void add(FlowAmounts& sum, const FlowAmounts& more, const FlowAmounts& less) {
  for (std::size_t i = 0; i < stretch_flows; ++i) sum[i] += more[i] - less[i];
}

/// Largest amounts of a slot; of each flow, then of both directions together.
struct SlotPeaks {
  FlowAmounts flows{};
  std::array<double, 2> together{};

  void raise(const FlowAmounts& sums) {
    for (std::size_t f = 0; f < stretch_flows; ++f) flows[f] = std::max(flows[f], sums[f]);
    together[0] = std::max(together[0], sums[0] + sums[1]);
    together[1] = std::max(together[1], sums[2] + sums[3]);
  }
  /// Slots of one length, in amounts per second.
  void add_to(Peaks& peaks, double per_second) const {
    const auto up = [&](double& peak, double amount) { peak = std::max(peak, amount * per_second); };
    for (std::size_t d = 0; d < 2; ++d) up(peaks.bytes[d], flows[d]), up(peaks.ops[d], flows[2 + d]);
    up(peaks.bytes[2], together[0]);
    up(peaks.ops[2], together[1]);
    up(peaks.metadata, flows[metadata_flow]);
  }
};

}  // namespace

struct Sweeper::State {
  SweepOptions options;

  // Of the job under way.
  const JobTimeline* job = nullptr;
  std::int64_t base = 0;  // begin of the first slot
  std::int64_t slots = 0;
  std::vector<LaneState> lanes;
  std::vector<UnitState> units;
  std::vector<Change> changes;
  std::vector<std::uint32_t> heads;     // first change of each slot of the window
  std::vector<std::uint64_t> occupied;  // one bit for each of them
  std::vector<std::uint32_t> touched_units;
  std::vector<Limit> whole_limits, edge_limits;
  FlowAmounts sums{}, inner_sums{};
  SlotPeaks whole_peaks, whole_inner;  // of slots that lie wholly inside the job
  std::uint32_t since_renewal = 0;
  bool moved = false;  // a unit passed a threshold in this slot

  struct Counting {
    std::uint32_t active = 0, before = 0;
    std::int64_t since = 0;      // when `before` began
    std::int64_t run_since = 0;  // when H last changed
  };
  std::vector<std::array<Counting, direction_count>> counting;
  Swept result;

  std::int64_t begin_of(std::int64_t slot) const { return std::max(base + slot * options.slot, job->start); }
  std::int64_t end_of(std::int64_t slot) const { return std::min(base + (slot + 1) * options.slot, job->end); }

  void begin(const JobTimeline& of_job);
  void finish();
  template <std::int64_t slot_length>
  void run();
  template <std::int64_t slot_length>
  void fill(std::int64_t first, std::int64_t last);
  void set_limits(std::vector<Limit>& limits, std::int64_t length) const;
  void visit(std::int64_t slot, std::uint32_t head);
  void look_at(UnitState& unit, std::int64_t slot, const std::vector<Limit>& limits);
  std::uint8_t count_above(const UnitState& unit, std::size_t direction, double amount, std::int64_t slot,
                           const std::vector<Limit>& limits) const;
  void move(std::size_t direction, std::uint8_t from, std::uint8_t to);
  void account(std::int64_t t);
  void renew_sums();
};

Sweeper::Sweeper(SweepOptions options) : state_(std::make_unique<State>()) {
  assert(std::is_sorted(options.thresholds.begin(), options.thresholds.end()) && options.thresholds.size() < 256 && options.slot > 0);
  state_->options = std::move(options);
  state_->heads.assign(window + 1, none);
  state_->occupied.assign(window / 64 + 1, 0);
}
Sweeper::~Sweeper() = default;
Sweeper::Sweeper(Sweeper&&) noexcept = default;
const SweepOptions& Sweeper::options() const { return state_->options; }

Swept Sweeper::sweep(const JobTimeline& job) {
  State& s = *state_;
  s.begin(job);
  if (s.options.slot == 1'000'000) {
    s.run<1'000'000>();
  } else {
    s.run<0>();
  }
  s.finish();
  return std::move(s.result);
}

void Sweeper::State::set_limits(std::vector<Limit>& limits, std::int64_t length) const {
  limits.clear();
  for (const std::uint64_t threshold : options.thresholds) {
    const double amount = static_cast<double>(threshold) * static_cast<double>(length) / 1e6;
    limits.push_back({amount * (1 - 1e-9), amount * (1 + 1e-9)});
  }
}

void Sweeper::State::begin(const JobTimeline& of_job) {
  job = &of_job;
  base = of_job.start / options.slot * options.slot;
  if (base > of_job.start) base -= options.slot;  // before 1970
  slots = of_job.end <= of_job.start ? 0 : (of_job.end - base + options.slot - 1) / options.slot;
  lanes.clear();
  units.assign(of_job.units, {});
  for (const Lane& lane : of_job.lanes) {
    assert(lane.unit < of_job.units && (lanes.empty() || lanes.back().unit <= lane.unit));
    UnitState& unit = units[lane.unit];
    if (unit.lanes == 0) unit.first_lane = static_cast<std::uint32_t>(lanes.size());
    ++unit.lanes;
    lanes.push_back({LaneSlots(lane, base, options.slot), {}, lane.unit, lane.inner});
  }
  set_limits(whole_limits, options.slot);
  sums = inner_sums = {};
  whole_peaks = whole_inner = {};
  since_renewal = 0;
  moved = false;
  counting.assign(options.thresholds.size(), {});
  for (auto& of_threshold : counting)
    for (Counting& c : of_threshold) c.since = c.run_since = of_job.start;
  result = {};
  result.activity.assign(options.thresholds.size(), {});
  result.sizes.prepare(options.small.size(), options.distribution);
}

template <std::int64_t slot_length>
void Sweeper::State::fill(std::int64_t first, std::int64_t last) {
  for (std::uint32_t i = 0; i < lanes.size(); ++i) {
    const auto put = [&](std::int64_t slot, const FlowAmounts& amounts) {
      const auto at = static_cast<std::size_t>(slot - first);
      changes.push_back({amounts, i, heads[at]});
      heads[at] = static_cast<std::uint32_t>(changes.size() - 1);
      occupied[at / 64] |= std::uint64_t{1} << (at % 64);
    };
    const CounterMask has = job->lanes[i].has;
    const auto take = [&](const Stretch& s) {
      const double share = s.share();
      for (std::size_t f = 0; f < flow_count; ++f) result.totals[f] += static_cast<double>(s.amounts[f]) * share;
      for (std::size_t d = 0; d < 2; ++d) {
        if (!holds(has, d)) continue;
        result.sizes.add(d, s.amounts[d], s.amounts[2 + d], share, options.small);
        if (s.amounts[2 + d] > 0) result.sized_bytes[d] += static_cast<double>(s.amounts[d]) * share;
      }
      if (lanes[i].inner) result.inner_has |= has;
    };
    lanes[i].slots.walk<slot_length>(last, put, take);
  }
}

template <std::int64_t slot_length>
void Sweeper::State::run() {
  changes.clear();
  for (std::int64_t first = 0; first < slots; first += window) {
    // The last slot of a window may get more changes from the next one, so it is looked at there; its list is carried over.
    const std::int64_t last = first + window;
    fill<slot_length>(first, last);
    for (std::size_t word = 0; word < window / 64; ++word) {
      for (std::uint64_t bits = occupied[word]; bits != 0; bits &= bits - 1) {
        const auto at = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        const std::int64_t slot = first + static_cast<std::int64_t>(at);
        const std::uint32_t head = heads[at];
        heads[at] = none;
        if (slot < slots) visit(slot, head);  // after the job's last slot there is nothing to tell
      }
      occupied[word] = 0;
    }
    std::vector<Change> carried;
    for (std::uint32_t c = heads[window]; c != none; c = changes[c].next) carried.push_back(changes[c]);
    heads[window] = none;
    occupied[window / 64] = 0;
    changes.clear();
    for (auto c = carried.rbegin(); c != carried.rend(); ++c) {  // in the order they came
      c->next = heads[0];
      changes.push_back(*c);
      heads[0] = static_cast<std::uint32_t>(changes.size() - 1);
      occupied[0] |= 1;
    }
  }
  heads[0] = none;
  occupied[0] = 0;
}

void Sweeper::State::visit(std::int64_t slot, std::uint32_t head) {
  touched_units.clear();
  for (std::uint32_t c = head; c != none; c = changes[c].next) {
    LaneState& lane = lanes[changes[c].lane];
    add(sums, changes[c].amounts, lane.amounts);
    if (lane.inner) add(inner_sums, changes[c].amounts, lane.amounts);
    lane.amounts = changes[c].amounts;
    if (units[lane.unit].looked_at != slot) {
      units[lane.unit].looked_at = slot;
      touched_units.push_back(lane.unit);
    }
  }
  const bool at_edge = slot == 0 || slot + 1 == slots;
  const std::int64_t from = at_edge ? begin_of(slot) : base + slot * options.slot, length = at_edge ? end_of(slot) - from : options.slot;
  const bool whole = length == options.slot;
  // In a short slot at the job's edge amounts are small and rounding is made large again by the division.
  if (++since_renewal >= renew_every || !whole) renew_sums();
  if (!whole) set_limits(edge_limits, length);
  const std::vector<Limit>& limits = whole ? whole_limits : edge_limits;
  for (const std::uint32_t unit : touched_units) look_at(units[unit], slot, limits);
  if (whole) {
    whole_peaks.raise(sums);
    whole_inner.raise(inner_sums);
  } else {
    SlotPeaks edge, edge_inner;
    edge.raise(sums);
    edge_inner.raise(inner_sums);
    edge.add_to(result.peaks, 1e6 / static_cast<double>(length));
    edge_inner.add_to(result.inner, 1e6 / static_cast<double>(length));
  }
  if (moved) account(from);
  moved = false;
}

void Sweeper::State::renew_sums() {
  since_renewal = 0;
  sums = inner_sums = {};
  for (const LaneState& lane : lanes) {
    add(sums, lane.amounts, {});
    if (lane.inner) add(inner_sums, lane.amounts, {});
  }
}

std::uint8_t Sweeper::State::count_above(const UnitState& unit, std::size_t direction, double amount, std::int64_t slot,
                                         const std::vector<Limit>& limits) const {
  std::size_t above = 0;
  for (; above < limits.size(); ++above) {
    if (amount > limits[above].surely_above) continue;
    if (amount < limits[above].surely_below || options.thresholds[above] == 0) break;
    const std::span<const Lane> of_unit(job->lanes.data() + unit.first_lane, unit.lanes);
    if (!exceeds_exactly(of_unit, direction, begin_of(slot), end_of(slot), options.thresholds[above])) break;
  }
  return static_cast<std::uint8_t>(above);
}

void Sweeper::State::look_at(UnitState& unit, std::int64_t slot, const std::vector<Limit>& limits) {
  std::array<double, 2> amounts{};
  for (std::uint32_t l = unit.first_lane; l < unit.first_lane + unit.lanes; ++l)
    for (std::size_t d = 0; d < 2; ++d) amounts[d] += lanes[l].amounts[d];
  // Most changes stay below the lowest threshold.
  if ((unit.above[0] | unit.above[1]) == 0 && !limits.empty() && amounts[0] < limits[0].surely_below && amounts[1] < limits[0].surely_below)
    return;
  const std::uint8_t either_before = std::max(unit.above[0], unit.above[1]);
  for (std::size_t d = 0; d < 2; ++d) {
    const std::uint8_t above = count_above(unit, d, amounts[d], slot, limits);
    if (above == unit.above[d]) continue;
    move(d, unit.above[d], above);
    unit.above[d] = above;
  }
  const std::uint8_t either = std::max(unit.above[0], unit.above[1]);
  if (either != either_before) move(2, either_before, either);
}

void Sweeper::State::move(std::size_t direction, std::uint8_t from, std::uint8_t to) {
  moved = true;
  for (; from < to; ++from) ++counting[from][direction].active;
  for (; from > to; --from) --counting[from - 1u][direction].active;
}

/// Books what was until t, where the numbers of active units may have changed.
void Sweeper::State::account(std::int64_t t) {
  for (std::size_t c = 0; c < counting.size(); ++c) {
    for (std::size_t d = 0; d < direction_count; ++d) {
      Counting& now = counting[c][d];
      if (now.active == now.before) continue;
      Activity& activity = result.activity[c][d];
      activity.unit_busy += static_cast<std::int64_t>(now.before) * (t - now.since);
      now.since = t;
      if ((now.active > 0) != (now.before > 0)) {
        if (t > now.run_since) {
          (now.before > 0 ? activity.busy : activity.idle) += t - now.run_since;
          ++(now.before > 0 ? activity.busy_runs : activity.idle_runs);
        }
        now.run_since = t;
      }
      now.before = now.active;
    }
  }
}

void Sweeper::State::finish() {
  if (slots == 0) return;  // a job without length overlaps nothing
  whole_peaks.add_to(result.peaks, 1e6 / static_cast<double>(options.slot));
  whole_inner.add_to(result.inner, 1e6 / static_cast<double>(options.slot));
  for (std::size_t c = 0; c < counting.size(); ++c) {
    for (std::size_t d = 0; d < direction_count; ++d) {
      const Counting& now = counting[c][d];
      Activity& activity = result.activity[c][d];
      activity.unit_busy += static_cast<std::int64_t>(now.before) * (job->end - now.since);
      (now.before > 0 ? activity.busy : activity.idle) += job->end - now.run_since;
      ++(now.before > 0 ? activity.busy_runs : activity.idle_runs);
    }
  }
}

}  // namespace fathom
