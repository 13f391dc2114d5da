// SPDX-License-Identifier: Apache-2.0
#include "characterise/both_sides.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "characterise/own_view.h"
#include "store/increment_scan.h"

namespace fathom {
namespace {

constexpr double longest_delay = 120, earliest = -30;  // seconds that are tried
constexpr double enough_correlation = 0.5;
/// Delays whose correlation is as good as the best, within this, cannot be told apart: their middle is taken.
constexpr double as_good = 0.005;

/// Slots of a job, found by time; the first may be shorter.
class SlotGrid {
 public:
  explicit SlotGrid(std::vector<SideSlot>& slots, std::int64_t step) : slots_(slots), step_(step) {}

  /// Tells each slot that [from, to) overlaps, and which share of it lies there.
  template <class Take>
  void share_out(std::int64_t from, std::int64_t to, const Take& take) const {
    if (slots_.empty() || to <= from) return;
    const std::int64_t first = slots_.front().begin / step_;
    for (std::int64_t at = std::max(from, slots_.front().begin); at < to;) {
      const auto place = static_cast<std::size_t>(at / step_ - first);
      if (place >= slots_.size()) return;
      SideSlot& slot = slots_[place];
      const std::int64_t until = std::min(to, slot.begin + slot.length);
      if (until <= at) return;
      take(slot, static_cast<double>(until - at) / static_cast<double>(to - from));
      at = until;
    }
  }

 private:
  std::vector<SideSlot>& slots_;
  std::int64_t step_;
};

std::vector<SideSlot> server_slots(const JobView& view, std::int64_t step) {
  std::vector<SideSlot> slots;
  for (const Slot& slot : slots_of(view, step, 0)) {
    SideSlot& made = slots.emplace_back();
    made.begin = slot.begin;
    made.length = slot.length;
    if (slot.measured == 0) continue;
    made.server.emplace();
    for (std::size_t d = 0; d < 2; ++d) (*made.server)[d] = holds(slot.has, d) ? slot.amounts[d] : std::numeric_limits<double>::quiet_NaN();
  }
  return slots;
}

/// `later`: the clients' clock is moved by so many microseconds.
void add_clients(const std::vector<ClientRun>& clients, std::int64_t later, std::int64_t step, std::vector<SideSlot>& slots) {
  const SlotGrid grid(slots, step);
  for (const ClientRun& run : clients) {
    const auto length = static_cast<std::int64_t>(std::llround(run.length * 1e6));
    for (const ClientRun::Slice& slice : run.slices)
      grid.share_out(slice.number * length + later, (slice.number + 1) * length + later, [&](SideSlot& slot, double share) {
        slot.client[0] += slice.read * share;
        slot.client[1] += slice.write * share;
      });
  }
}

/// All that the job's servers moved, by their own counters.
Result<void> add_servers(const Study& study, const JobView& view, std::int64_t step, std::vector<SideSlot>& slots) {
  const Machine& machine = study.machine;
  OwnView own;
  for (const MachineSeries& series : machine.series)
    if (study.options.filesystem.empty() || series.name.filesystem == study.options.filesystem) own.see(series.name);
  std::vector<std::string> servers;
  for (const std::uint32_t server : machine.units[view.job]) servers.push_back(machine.servers[server]);
  const SlotGrid grid(slots, step);
  TRY(Database database, Database::open({.threads = 1}));
  SeriesIndex index;
  const ScanOptions scan{.servers = &servers, .counters = byte_counters, .after = study.machine.jobs[view.job].start};
  for (const std::uint32_t day : machine.days_of(view.job))
    TRY_VOID(scan_increments(*study.snapshot, database, machine.days[day], index, scan, [&](const IncrementRun& run) {
      const SeriesName& name = index.names()[run.series];
      if (!own.holds(name) || (!study.options.filesystem.empty() && name.filesystem != study.options.filesystem)) return;
      for (std::size_t i = 0; i < run.size; ++i) {
        if (!run.has(0, i) && !run.has(1, i)) continue;
        const double bytes =
            static_cast<double>(run.has(0, i) ? run.amounts[0][i] : 0) + static_cast<double>(run.has(1, i) ? run.amounts[1][i] : 0);
        grid.share_out(run.start[i], run.end[i],
                       [&](SideSlot& slot, double share) { slot.servers = slot.servers.value_or(0) + bytes * share; });
      }
    }));
  return {};
}

/// Pearson's, of the slots that were measured; none where a side does not change.
std::optional<double> correlation(const std::vector<SideSlot>& slots, std::size_t direction) {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (const SideSlot& slot : slots) {
    if (!slot.server || std::isnan((*slot.server)[direction]) || slot.length <= 0) continue;
    const double a = slot.client[direction] / static_cast<double>(slot.length),
                 b = (*slot.server)[direction] / static_cast<double>(slot.length);
    n += 1, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  const double spread = (xx - x * x / n) * (yy - y * y / n);
  if (n < 3 || !(spread > 0)) return std::nullopt;
  return (xy - x * y / n) / std::sqrt(spread);
}

/// The clients are moved slice by slice against the servers, in slots of the counters' own step.
std::optional<Delay> find_delay(const JobView& view, const std::vector<ClientRun>& clients, std::size_t direction) {
  const std::int64_t step = std::max<std::int64_t>(1'000'000, (view.measured.sampling_step + 999'999) / 1'000'000 * 1'000'000);
  const std::vector<SideSlot> still = server_slots(view, step);
  const double by = std::max(1.0, clients.front().length);
  std::vector<std::pair<double, double>> tried;  // delay, correlation
  for (double delay = std::ceil(earliest / by) * by; delay <= longest_delay; delay += by) {
    std::vector<SideSlot> slots = still;
    add_clients(clients, static_cast<std::int64_t>(delay * 1e6), step, slots);
    if (const auto found = correlation(slots, direction)) tried.emplace_back(delay, *found);
  }
  if (tried.empty()) return std::nullopt;
  const auto best = std::max_element(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best->second < enough_correlation) return std::nullopt;
  auto first = best, last = best;
  while (first != tried.begin() && std::prev(first)->second >= best->second - as_good) --first;
  while (std::next(last) != tried.end() && std::next(last)->second >= best->second - as_good) ++last;
  return Delay{(first->first + last->first) / 2, best->second, direction};
}

}  // namespace

Result<BothSides> both_sides(const Study& study, const JobView& view, const std::vector<ClientRun>& clients, std::int64_t step) {
  BothSides both;
  both.slots = server_slots(view, step);
  add_clients(clients, 0, step, both.slots);
  TRY_VOID(add_servers(study, view, step, both.slots));
  for (const SideSlot& slot : both.slots) {
    for (std::size_t d = 0; d < 2; ++d) {
      both.client[d] += slot.client[d];
      if (slot.server && !std::isnan((*slot.server)[d])) both.server[d] += (*slot.server)[d], both.counted[d] = true;
    }
    both.servers += slot.servers.value_or(0);
  }
  if (!clients.empty()) both.delay = find_delay(view, clients, both.client[1] >= both.client[0] ? 1 : 0);
  return both;
}

}  // namespace fathom
