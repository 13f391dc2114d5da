// SPDX-License-Identifier: Apache-2.0
#include "characterise/reference_test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "characterise/reference_linking_test.h"

namespace fathom::reference {
namespace {

enum : std::size_t { reads = 0, writes = 1, both = 2 };

/// When something moved in one direction: H and the sum over units of delta, slot by slot, made into times.
struct Activity {
  std::int64_t busy = 0, idle = 0, unit_busy = 0;
  long double busy_runs = 0, idle_runs = 0;

  void take(std::int64_t length, std::size_t active_units, bool& first, bool& before) {
    const bool active = active_units > 0;
    (active ? busy : idle) += length;
    unit_busy += static_cast<std::int64_t>(active_units) * length;
    if (first || active != before) (active ? busy_runs : idle_runs) += 1;
    first = false;
    before = active;
  }
};

constexpr std::size_t metadata = 8;  // of counters
/// Bytes and operations of either direction, then metadata operations.
constexpr std::array<std::size_t, 5> flowing = {0, 1, 2, 3, metadata};
using Amounts = std::array<long double, flowing.size()>;

/// The grid of one job.
class Grid {
 public:
  Grid(const Job& job, const Settings& settings) : settings_(settings), start_(begin_of(job)), end_(end_of(job)) {
    first_ = start_ / settings.slot;
    slots_ = end_ > start_ ? static_cast<std::size_t>((end_ + settings.slot - 1) / settings.slot - first_) : 0;
    sums_.assign(slots_, {});
    inner_.assign(slots_, {});
    active_.assign(settings.thresholds.size(), std::vector<std::array<std::size_t, 3>>(slots_));
  }

  void add_unit(const std::vector<const Piece*>& pieces) {
    std::vector<Amounts> cells(slots_);
    for (const Piece* piece : pieces) spread(*piece, cells);
    for (std::size_t slot = 0; slot < slots_; ++slot)
      for (std::size_t k = 0; k < flowing.size(); ++k) sums_[slot][k] += cells[slot][k];
    for (std::size_t c = 0; c < settings_.thresholds.size(); ++c) {
      std::array<Memory, 2> memory;
      for (std::size_t slot = 0; slot < slots_; ++slot) {
        std::array<bool, 2> above;
        for (const std::size_t d : {reads, writes}) {
          above[d] = exceeds(cells[slot][d], pieces, d, slot, settings_.thresholds[c], memory[d]);
          active_[c][slot][d] += above[d];
        }
        active_[c][slot][both] += above[reads] || above[writes];
      }
    }
  }

  Activity activity(std::size_t threshold, std::size_t x) const {
    Activity result;
    bool first = true, before = false;
    for (std::size_t slot = 0; slot < slots_; ++slot) result.take(to(slot) - from(slot), active_[threshold][slot][x], first, before);
    return result;
  }

  /// Largest amount per second: `first` is 0 for bytes, 2 for operations.
  long double peak(bool inner, std::size_t first, std::size_t x) const {
    long double most = 0;
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      const Amounts& a = inner ? inner_[slot] : sums_[slot];
      const long double amount = x == both ? a[first] + a[first + 1] : a[first + x];
      most = std::max(most, amount * second / static_cast<long double>(to(slot) - from(slot)));
    }
    return most;
  }

  long double metadata_peak() const {
    long double most = 0;
    for (std::size_t slot = 0; slot < slots_; ++slot)
      most = std::max(most, sums_[slot][4] * second / static_cast<long double>(to(slot) - from(slot)));
    return most;
  }

 private:
  /// The last exact decision: slots with the same parts of the same increments are decided alike.
  struct Memory {
    std::vector<std::pair<const Piece*, std::int64_t>> parts;
    std::int64_t length = 0;
    bool answer = false;
  };

  std::int64_t from(std::size_t slot) const { return std::max(start_, (first_ + static_cast<std::int64_t>(slot)) * settings_.slot); }
  std::int64_t to(std::size_t slot) const { return std::min(end_, (first_ + static_cast<std::int64_t>(slot) + 1) * settings_.slot); }

  void spread(const Piece& piece, std::vector<Amounts>& cells) {
    Amounts rates;
    for (std::size_t k = 0; k < flowing.size(); ++k) rates[k] = piece.amount(flowing[k]) / static_cast<long double>(piece.to - piece.from);
    for (auto slot = static_cast<std::size_t>(piece.from / settings_.slot - first_); slot < slots_ && from(slot) < piece.to; ++slot) {
      const auto time = static_cast<long double>(std::min(to(slot), piece.to) - std::max(from(slot), piece.from));
      for (std::size_t k = 0; k < flowing.size(); ++k) {
        cells[slot][k] += rates[k] * time;
        if (piece.inner) inner_[slot][k] += rates[k] * time;
      }
    }
  }

  /// bytes > c * length; exact where it is close.
  bool exceeds(long double bytes, const std::vector<const Piece*>& pieces, std::size_t d, std::size_t slot, std::uint64_t c,
               Memory& memory) const {
    const long double limit = static_cast<long double>(c) * static_cast<long double>(to(slot) - from(slot)) / second;
    if (std::fabs(bytes - limit) > 1e-12L * limit || c == 0) return bytes > limit;
    Memory now;
    now.length = to(slot) - from(slot);
    for (const Piece* piece : pieces) {
      const std::int64_t time = std::min(to(slot), piece->to) - std::max(from(slot), piece->from);
      if (time > 0) now.parts.emplace_back(piece, time);
    }
    if (now.parts != memory.parts || now.length != memory.length) {
      cpp_rational sum = 0;
      for (const auto& [piece, time] : now.parts) sum += piece->exact_amount(d, time);
      now.answer = sum > cpp_rational(cpp_int(c) * now.length, second);
      memory = now;
    }
    return memory.answer;
  }

  const Settings& settings_;
  std::int64_t start_, end_, first_;
  std::size_t slots_;
  std::vector<Amounts> sums_, inner_;
  std::vector<std::vector<std::array<std::size_t, 3>>> active_;  // units with delta = 1, by threshold and slot
};

/// All of one job that its values are made of.
struct Facts {
  const Linked& linked;
  std::int64_t duration;  // microseconds
  std::size_t units;
  Value coverage;
  std::array<long double, counter_count> totals{};
  std::vector<std::array<Activity, 3>> activity{};                   // by threshold and direction
  std::array<std::array<std::array<long double, 3>, 2>, 2> peaks{};  // by bytes or operations, all or inner, direction
  long double metadata_peak = 0;

  bool zero_length() const { return duration == 0; }
  bool has(std::size_t counter) const { return holds(linked.has, counter); }
  bool has_x(std::size_t first, std::size_t x) const { return x == both ? has(first) && has(first + 1) : has(first + x); }
  bool inner_has_x(std::size_t first, std::size_t x) const {
    return x == both ? holds(linked.inner_has, first) && holds(linked.inner_has, first + 1) : holds(linked.inner_has, first + x);
  }
  bool measured() const { return zero_length() || (coverage && *coverage > 0); }
  /// A job without length has volumes (none) of what was counted at its moment, but no rates and shares.
  bool volume_known(std::size_t first, std::size_t x) const { return measured() && has_x(first, x); }
  bool rate_known(std::size_t first, std::size_t x) const { return !zero_length() && volume_known(first, x); }
  long double total(std::size_t first, std::size_t x) const { return x == both ? totals[first] + totals[first + 1] : totals[first + x]; }
  long double seconds() const { return static_cast<long double>(duration) / second; }
};

void look_at(const Grid& grid, const Settings& settings, Facts& facts) {
  facts.activity.resize(settings.thresholds.size());
  facts.metadata_peak = grid.metadata_peak();
  for (std::size_t x = 0; x < 3; ++x) {
    for (std::size_t c = 0; c < settings.thresholds.size(); ++c) facts.activity[c][x] = grid.activity(c, x);
    for (const std::size_t first : {0, 2})
      for (const bool inner : {false, true}) facts.peaks[first / 2][inner][x] = grid.peak(inner, first, x);
  }
}

Value when(bool known, long double value) { return known ? Value(value) : std::nullopt; }

/// 2.2: operations of increments whose average request is not larger than `size`.
long double small_ops(const Facts& f, std::size_t d, std::uint64_t size) {
  long double sum = 0;
  for (const Piece& piece : f.linked.pieces) {
    const Increment& i = *piece.increment;
    if (!holds(i.has, d) || !holds(i.has, 2 + d) || i.amounts[2 + d] == 0) continue;
    if (cpp_int(i.amounts[d]) <= cpp_int(size) * i.amounts[2 + d]) sum += piece.amount(2 + d);
  }
  return sum;
}

/// 2.1: bytes of increments that have operations.
long double sized_bytes(const Facts& f, std::size_t d) {
  long double sum = 0;
  for (const Piece& piece : f.linked.pieces)
    if (holds(piece.increment->has, 2 + d) && piece.increment->amounts[2 + d] > 0) sum += piece.amount(d);
  return sum;
}

/// Operations of which the size is known.
long double sized_ops(const Facts& f, std::size_t d) {
  long double sum = 0;
  for (const Piece& piece : f.linked.pieces)
    if (holds(piece.increment->has, d)) sum += piece.amount(2 + d);
  return sum;
}

Value small_fraction(const Facts& f, std::size_t x, std::uint64_t size) {
  long double few = 0, all = 0;
  for (const std::size_t d : {reads, writes})
    if (x == both || x == d) few += small_ops(f, d, size), all += sized_ops(f, d);
  return when(f.rate_known(0, x) && f.rate_known(2, x) && all > 0, few / all);
}

Value mean_request(const Facts& f, std::size_t x) {
  long double bytes = 0, operations = 0;
  for (const std::size_t d : {reads, writes})
    if (x == both || x == d) bytes += sized_bytes(f, d), operations += sized_ops(f, d);
  return when(f.rate_known(0, x) && f.rate_known(2, x) && operations > 0, bytes / operations);
}

Value burstiness(const Facts& f, const Activity& a, std::size_t x) {
  if (!f.rate_known(0, x)) return std::nullopt;
  if (a.busy_runs == 0) return 1;
  if (a.idle_runs == 0) return 0;
  return 1 - std::tanh((static_cast<long double>(a.busy) / a.busy_runs) / (static_cast<long double>(a.idle) / a.idle_runs));
}

Value parallel_intensity(const Facts& f, const Activity& a, std::size_t x) {
  if (!f.rate_known(0, x) || f.units <= 1) return std::nullopt;
  if (a.busy == 0) return 0;
  const auto units = static_cast<long double>(f.units);
  const long double sum_of_pi = static_cast<long double>(a.unit_busy) / units;
  const long double big_pi = sum_of_pi / static_cast<long double>(a.busy);
  return (units * big_pi - 1) / (units - 1);
}

void add_volumes(std::vector<Value>& row, const Facts& f, std::size_t x) {
  const auto band = [&](const std::array<unsigned long long, 2>& of) {
    return static_cast<long double>(x == both ? of[0] + of[1] : of[x]);
  };
  row.push_back(when(f.volume_known(0, x), f.total(0, x)));
  row.push_back(when(f.volume_known(0, x), band(f.linked.lower)));
  row.push_back(when(f.volume_known(0, x), band(f.linked.upper)));
  row.push_back(when(f.volume_known(2, x), f.total(2, x)));
  for (const std::size_t first : {0, 2}) {
    row.push_back(when(f.rate_known(first, x), f.peaks[first / 2][0][x]));
    row.push_back(when(f.rate_known(first, x) && f.inner_has_x(first, x), f.peaks[first / 2][1][x]));
    row.push_back(when(f.rate_known(first, x), f.total(first, x) / f.seconds()));
  }
}

std::vector<Value> row_of(const Facts& f, std::size_t threshold, std::uint64_t small) {
  std::vector<Value> row;
  for (std::size_t x = 0; x < 3; ++x) add_volumes(row, f, x);
  const auto counted = [&](std::size_t k) { return f.measured() && f.has(k); };
  for (std::size_t k = 4; k < metadata; ++k) row.push_back(when(counted(k), f.totals[k]));
  for (std::size_t x = 0; x < 3; ++x) {
    row.push_back(when(f.rate_known(0, x), static_cast<long double>(f.activity[threshold][x].busy) / static_cast<long double>(f.duration)));
    row.push_back(small_fraction(f, x, small));
    row.push_back(mean_request(f, x));
  }
  for (const std::size_t first : {2, 0})
    row.push_back(when(f.rate_known(first, both) && f.total(first, both) > 0, f.total(first, reads) / f.total(first, both)));
  for (std::size_t x = 0; x < 3; ++x) {
    row.push_back(burstiness(f, f.activity[threshold][x], x));
    row.push_back(parallel_intensity(f, f.activity[threshold][x], x));
  }
  row.push_back(when(counted(metadata), f.totals[metadata]));
  row.push_back(when(counted(metadata) && !f.zero_length(), f.metadata_peak));
  row.push_back(when(counted(metadata) && !f.zero_length(), f.totals[metadata] / f.seconds()));
  return row;
}

/// Share of the units' time that was measured; of a unit with several series the mean of those that were there.
Value coverage_of(const Machine& machine, const Linked& linked, std::int64_t duration, std::size_t units,
                  const std::set<std::string>& left_out) {
  if (duration == 0 || units == 0) return std::nullopt;
  std::map<std::string, std::vector<std::int64_t>> by_server;
  for (const auto& [series, time] : linked.covered)
    if (!left_out.contains(machine.series[series].name.server)) by_server[machine.series[series].name.server].push_back(time);
  long double sum = 0;
  for (const auto& [server, times] : by_server) {
    long double of_server = 0;
    for (const std::int64_t time : times) of_server += static_cast<long double>(time);
    sum += of_server / static_cast<long double>(times.size());
  }
  return sum / static_cast<long double>(duration) / static_cast<long double>(units);
}

std::int64_t sampling_step(const Machine& machine, const Linked& linked) {
  std::vector<std::int64_t> steps;
  for (const auto& [series, time] : linked.covered) steps.push_back(usual_interval(machine.series[series]));
  std::sort(steps.begin(), steps.end());
  return steps.empty() ? 0 : steps[steps.size() / 2];
}

void set_flags(Expected& e, const Facts& f, bool window) {
  const auto raise = [&](const char* name, long double value, long double limit) {
    if (std::fabs(value - limit) <= 1e-9L * std::fabs(limit) && value != limit) e.unsure_flags.push_back(name);
    if (value > limit) e.flags.push_back(name);
  };
  if (f.coverage) raise("low_coverage", -*f.coverage, -0.95L);
  bool wide = false, unsure = false;
  for (std::size_t d = 0; d < 2; ++d) {
    const long double width = static_cast<long double>(f.linked.upper[d] - f.linked.lower[d]), limit = 0.1L * f.totals[d];
    wide |= width > limit;
    unsure |= width > 0 && std::fabs(width - limit) <= 1e-9L * limit;
  }
  if (wide) e.flags.push_back("wide_band");
  if (unsure) e.unsure_flags.push_back("wide_band");
  if (f.linked.reset) e.flags.push_back("reset");
  if (f.linked.gap) e.flags.push_back("gap");
  bool boundary = false;
  for (const auto& of : f.peaks)  // bytes, operations
    for (std::size_t x = 0; x < 3; ++x) boundary |= of[0][x] > of[1][x] * (1 + 1e-9L);
  if (boundary) e.flags.push_back("boundary");
  if (window) e.flags.push_back("window");
}

/// Eqs. 4.3, 4.10 (as a bound) and 4.12; v_max is the largest increment that overlaps the job.
void set_bounds(std::vector<Expected>& all, const std::vector<Linked>& linked, const std::string& link) {
  for (std::size_t j = 0; j < all.size(); ++j) {
    const long double times = link == "weighted" ? linked[j].doubt : (link == "simple" ? 1 : 2) * static_cast<long double>(all[j].units);
    for (std::size_t d = 0; d < 2; ++d) all[j].bound[d] = times * static_cast<long double>(linked[j].largest[d]);
  }
}

/// Jobs that ran while the job ran; beside a job without length, those that ran at its moment. What has no length never ran.
std::size_t running_with(const Machine& machine, std::size_t job) {
  std::size_t others = 0;
  for (std::size_t j = 0; j < machine.jobs.size(); ++j) {
    const Job &a = machine.jobs[job], &b = machine.jobs[j];
    others += j != job && begin_of(b) < end_of(b) && begin_of(b) < end_of(a) && begin_of(a) < end_of(b);
  }
  return others;
}

}  // namespace

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    const auto per_direction = [&](const std::vector<std::string>& each) {
      for (const std::string x : {"read_", "write_", "total_"})
        for (const std::string& name : each) made.push_back(x + name);
    };
    per_direction(
        {"bytes", "bytes_lower", "bytes_upper", "ops", "bw_max", "bw_max_inner", "bw_mean", "iops_max", "iops_max_inner", "iops_mean"});
    for (const char* name : {"opens", "closes", "dirs", "inode_updates"}) made.push_back(name);
    per_direction({"intensity", "small_fraction", "mean_request"});
    for (const char* name : {"read_share_ops", "read_share_bytes"}) made.push_back(name);
    per_direction({"burstiness", "parallel_intensity"});
    for (const char* name : {"metadata_ops", "metadata_rate_max", "metadata_rate_mean"}) made.push_back(name);
    return made;
  }();
  return names;
}

std::vector<Expected> characterise(const Machine& machine, const Settings& settings) {
  const bool window = settings.link == "window";
  const std::vector<Linked> linked = link_all(machine, settings.link);
  std::vector<Expected> all(machine.jobs.size());
  for (std::size_t j = 0; j < machine.jobs.size(); ++j) {
    const Job& job = machine.jobs[j];
    Expected& e = all[j];
    const std::set<std::string> units = units_of(machine, job, window);
    e.units = units.size();
    e.other_jobs = window ? running_with(machine, j) : linked[j].shares_with.size();
    e.answerable = job.end != no_time && !units.empty();
    if (!e.answerable) continue;
    Grid grid(job, settings);
    std::map<std::string, std::vector<const Piece*>> of_unit;
    for (const Piece& piece : linked[j].pieces) of_unit[piece.server].push_back(&piece);
    for (const auto& [server, pieces] : of_unit) grid.add_unit(pieces);
    std::set<std::string> of_metadata;  // servers that count no data are no units of a window, where there are others
    for (const auto& [server, has] : linked[j].server_has)
      if (window && has != 0 && (has & 15) == 0) of_metadata.insert(server);
    if (of_metadata.size() == units.size()) of_metadata.clear();
    e.units -= of_metadata.size();
    const std::int64_t duration = end_of(job) - begin_of(job);
    Facts facts{linked[j], duration, e.units, coverage_of(machine, linked[j], duration, e.units, of_metadata)};
    for (const Piece& piece : linked[j].pieces)
      for (std::size_t k = 0; k < counter_count; ++k) facts.totals[k] += piece.amount(k);
    look_at(grid, settings, facts);
    e.coverage = facts.coverage;
    e.sampling_step = sampling_step(machine, linked[j]);
    set_flags(e, facts, window);
    for (std::size_t c = 0; c < settings.thresholds.size(); ++c)
      for (const std::uint64_t small : settings.small) e.values.push_back(row_of(facts, c, small));
  }
  set_bounds(all, linked, settings.link);
  return all;
}

}  // namespace fathom::reference
