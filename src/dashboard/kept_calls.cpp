// SPDX-License-Identifier: Apache-2.0
#include "dashboard/kept_calls.h"

#include <algorithm>
#include <cmath>

#include "dashboard/call_bits.h"

namespace fathom::dashboard {
namespace {

using trace::Interface;
using trace::Seen;
using namespace call_bits;

constexpr std::size_t most_levels = 4096;
constexpr std::size_t fine_columns = 400, fine_levels = 200;  // of what is coarse in a window, from which on it may stand for single calls
constexpr std::size_t dear = 4;                               // a sweep takes so many times as long as adding up
constexpr std::size_t byte_bins = 16384;

/// Calls use(column, part) for each column that [start, end) touches; the first one is known.
template <class Use>
void for_each_column(std::int64_t start, std::int64_t end, std::int64_t t0, std::int64_t step, std::size_t first, std::size_t columns,
                     Use&& use) {
  std::int64_t border = t0 + static_cast<std::int64_t>(first + 1) * step;
  for (std::size_t column = first; start < end && column < columns; ++column, border += step) {
    const std::int64_t until = std::min(end, border);
    use(column, until - start);
    start = until;
  }
}

/// Spreads bytes evenly over the time of the call that moved them.
void spread(std::vector<double>& bins, std::int64_t from, std::int64_t to, std::int64_t start, std::int64_t end, double bytes) {
  const double width = static_cast<double>(to - from) / static_cast<double>(bins.size());
  const auto place = [&](std::int64_t time) { return static_cast<double>(time - from) / width; };
  const double first = place(start), last = place(end), length = last - first;
  if (!(length > 0)) {
    if (first >= 0 && first < static_cast<double>(bins.size())) bins[static_cast<std::size_t>(first)] += bytes;
    return;
  }
  const double begin = std::max(first, 0.0), stop = std::min(last, static_cast<double>(bins.size()));
  for (double at = begin; at < stop;) {
    const auto bin = static_cast<std::size_t>(at);
    const double until = std::min(stop, static_cast<double>(bin + 1));
    bins[bin] += bytes * (until - at) / length;
    at = until;
  }
}

/// The most of each part of the window, from steps of the whole run. How long each number lasted is known of the whole run alone.
CallLevels thinned(const CallLevels& whole, TimeWindow window, std::size_t most) {
  CallLevels part;
  part.from = std::max(window.from, whole.from);
  part.to = std::max(part.from + 1, std::min(window.to, whole.to));
  part.exact = false;
  const std::int64_t width = (part.to - part.from - 1) / static_cast<std::int64_t>(std::max<std::size_t>(1, most)) + 1;
  for (std::int64_t time = part.from; time < part.to; time += width) part.steps.push_back({time, {}});
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    const std::int64_t begin = std::max(whole.steps[i].time, part.from),
                       end = std::min(i + 1 < whole.steps.size() ? whole.steps[i + 1].time : whole.to, part.to);
    if (begin >= end) continue;
    for (auto bin = static_cast<std::size_t>((begin - part.from) / width); bin < part.steps.size() && part.steps[bin].time < end; ++bin)
      raise(part.steps[bin].levels, whole.steps[i].levels);
    raise(part.most, whole.steps[i].levels);
  }
  if (window.from <= whole.from && window.to >= whole.to) part.lasted = whole.lasted;
  return part;
}

}  // namespace

CallKind kind_of(trace::Operation operation, std::optional<Direction> direction) {
  if (direction) return *direction == Direction::read ? CallKind::read : CallKind::write;
  switch (operation) {
    case trace::Operation::read: return CallKind::read;
    case trace::Operation::write: return CallKind::write;
    case trace::Operation::sync: return CallKind::sync;
    case trace::Operation::lock:
    case trace::Operation::unlock: return CallKind::lock;
    default: return CallKind::metadata;
  }
}

KeptCalls::KeptCalls(const trace::Trace& trace, KeepLimits limits)
    : limits_(limits), whole_{trace.start, std::max(trace.end, trace.start + 1)}, units_(std::max<std::size_t>(1, trace.ranks())) {
  coarse_step_ = (whole_.to - whole_.from - 1) / static_cast<std::int64_t>(limits.columns) + 1;
  coarse_per_row_ = (units_ - 1) / limits.rows + 1;
  coarse_rows_ = (units_ - 1) / coarse_per_row_ + 1;
  if (trace.records > limits.calls) {
    start_coarse();
    folded_ = true;
    return;
  }
  hot_.reserve(trace.records);
  rest_.reserve(trace.records);
}

void KeptCalls::take(const Seen& seen) {
  ++seen_;
  const std::uint32_t who = who_of(seen);
  const trace::Event& event = seen.event;
  const auto interface = static_cast<std::size_t>(seen.call.interface);
  if (is_drawn(who)) used_[interface] = true;
  if (moves_data(who, seen.call.interface)) {
    if (!sweeps_[interface]) sweeps_[interface].emplace(whole_.from, whole_.to, most_levels);
    sweeps_[interface]->take(event.start, event.end, direction_of(who));
  }
  if (!coarse_made_ && hot_.size() >= std::min(limits_.scanned, limits_.calls)) start_coarse();
  if (!folded_ && hot_.size() >= limits_.calls) drop_single();
  if (coarse_made_) fold(who, event.start, event.end, seen.bytes_moved());
  if (!folded_) keep(seen);
}

void KeptCalls::keep(const Seen& seen) {
  const trace::Event& event = seen.event;
  const auto row = static_cast<std::uint32_t>(hot_.size());
  const std::int64_t length = std::max<std::int64_t>(0, event.duration());
  const bool is_long = length >= long_call;
  if (is_long) long_.emplace(row, length);
  hot_.push_back({event.start, is_long ? long_call : static_cast<std::uint32_t>(length), who_of(seen)});
  // A result below zero is minus an error number: those fit too, seen as unsigned numbers of 32 bits.
  const bool sized = event.bytes != trace::no_bytes;
  const bool fits = (!sized || event.bytes < (1u << 31)) && event.result < (std::int64_t{1} << 31) && event.result > -(1 << 30) &&
                    event.thread < UINT16_MAX;
  if (!fits) wide_.emplace(row, Wide{event.bytes, event.result, event.thread});
  rest_.push_back({event.offset,
                   !fits   ? wide
                   : sized ? static_cast<std::uint32_t>(event.bytes)
                           : no_size,
                   fits ? static_cast<std::uint32_t>(static_cast<std::int32_t>(event.result)) : wide, event.file,
                   event.parent == trace::no_row ? none : static_cast<std::uint32_t>(event.parent), event.call,
                   fits ? static_cast<std::uint16_t>(event.thread) : std::uint16_t{0}});
  if (row % block == 0) latest_.push_back(INT64_MIN);
  latest_.back() = std::max(latest_.back(), event.start + length);
}

/// What was kept so far goes into the coarse picture.
void KeptCalls::start_coarse() {
  coarse_made_ = true;
  coarse_calls_.assign(limits_.columns, 0);
  for (auto& bins : coarse_bytes_) bins.assign(byte_bins, 0);
  for (std::size_t row = 0; row < hot_.size(); ++row) {
    const std::int64_t result = made(row).result;
    fold(hot_[row].who, hot_[row].start, end_of(row),
         (hot_[row].who & moves_bit) != 0 && result > 0 ? static_cast<std::uint64_t>(result) : 0);
  }
}

/// Too many of them.
void KeptCalls::drop_single() {
  folded_ = true;
  hot_ = {};
  rest_ = {};
  long_ = {};
  wide_ = {};
  latest_ = {};
}

void KeptCalls::fold(std::uint32_t who, std::int64_t start, std::int64_t end, std::uint64_t moved) {
  if ((who & counts_bit) == 0 || unit_of(who) >= units_) return;
  const std::int64_t from = std::clamp(start, whole_.from, whole_.to - 1), to = std::clamp(end, from, whole_.to);
  const auto first = static_cast<std::size_t>((from - whole_.from) / coarse_step_);
  ++coarse_calls_[first];
  if (!is_drawn(who)) return;
  auto& cells = coarse_[static_cast<std::size_t>(interface_of(who))];
  if (cells.empty()) cells.assign(limits_.columns * coarse_rows_ * kind_count, 0);
  const std::size_t place = unit_of(who) / coarse_per_row_ * kind_count + static_cast<std::size_t>(kind_of(who));
  for_each_column(from, to, whole_.from, coarse_step_, first, limits_.columns, [&](std::size_t column, std::int64_t part) {
    cells[column * coarse_rows_ * kind_count + place] += static_cast<std::uint64_t>(part);
  });
  if (moves_data(who, Interface::posix))
    spread(coarse_bytes_[static_cast<std::size_t>(direction_of(who))], whole_.from, whole_.to, from, to, static_cast<double>(moved));
}

void KeptCalls::finish() {
  for (std::size_t i = 0; i < sweeps_.size(); ++i) {
    if (sweeps_[i])
      whole_levels_[i] = sweeps_[i]->finish();
    else
      whole_levels_[i] = LevelSweep(whole_.from, whole_.to, 1).finish();
    sweeps_[i].reset();
  }
}

std::vector<Interface> KeptCalls::interfaces() const {
  std::vector<Interface> found;
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (used_[i]) found.push_back(static_cast<Interface>(i));
  return found;
}

/// Calls use(row) for each call that was under way in the window, or began and ended at a moment of it; in order.
template <class Use>
void KeptCalls::for_each_in(TimeWindow window, Use&& use) const {
  const auto before = [](const Hot& call, std::int64_t time) { return call.start < time; };
  const auto end = static_cast<std::size_t>(std::lower_bound(hot_.begin(), hot_.end(), window.to, before) - hot_.begin());
  for (std::size_t b = 0; b * block < end; ++b) {
    if (latest_[b] < window.from) continue;
    const std::size_t until = std::min(end, (b + 1) * block);
    for (std::size_t row = b * block; row < until; ++row) {
      const std::int64_t over = end_of(row);
      if (over > window.from || (over == window.from && hot_[row].start == over)) use(row);
    }
  }
}

std::size_t KeptCalls::about(TimeWindow window) const {
  const auto before = [](const Hot& call, std::int64_t time) { return call.start < time; };
  const auto end = static_cast<std::size_t>(std::lower_bound(hot_.begin(), hot_.end(), window.to, before) - hot_.begin());
  std::size_t blocks = 0;
  for (std::size_t b = 0; b * block < end; ++b) blocks += latest_[b] >= window.from;
  return std::min(end, blocks * block);
}

template <class Use>
void KeptCalls::for_each_inside(std::uint64_t row, Use&& use) const {
  if (row >= hot_.size()) return;
  const std::int64_t over = end_of(row);
  const std::uint32_t unit = unit_of(hot_[row].who);
  for (std::size_t at = row + 1; at < hot_.size() && hot_[at].start <= over; ++at) {
    if (unit_of(hot_[at].who) != unit) continue;
    std::uint64_t above = rest_[at].parent;
    while (above != none && above > row) above = rest_[above].parent;
    if (above == row) use(at);
  }
}

OneCall KeptCalls::made(std::size_t row) const {
  const Hot& hot = hot_[row];
  const Rest& rest = rest_[row];
  OneCall one;
  one.row = row;
  one.parent = rest.parent == none ? trace::no_row : rest.parent;
  one.unit = unit_of(hot.who);
  one.thread = rest.thread;
  one.file = rest.file;
  for (std::uint32_t above = rest.parent; above != none; above = rest_[above].parent) ++one.depth;
  one.call = rest.call;
  one.kind = kind_of(hot.who);
  one.counts = (hot.who & counts_bit) != 0;
  one.start = hot.start;
  one.end = end_of(row);
  one.offset = rest.offset;
  one.bytes = rest.bytes == no_size ? trace::no_bytes : rest.bytes;
  one.result = static_cast<std::int32_t>(rest.result);
  if (rest.bytes != wide) return one;
  const Wide& numbers = wide_.at(static_cast<std::uint32_t>(row));
  one.bytes = numbers.bytes;
  one.result = numbers.result;
  one.thread = numbers.thread;
  return one;
}

std::optional<OneCall> KeptCalls::call(std::uint64_t row) const { return row < hot_.size() ? std::optional(made(row)) : std::nullopt; }

/// Whole rows of the coarse picture, so that both kinds of picture have the same.
std::size_t KeptCalls::units_per_row(std::size_t rows) const {
  return coarse_per_row_ * ((coarse_rows_ - 1) / std::clamp<std::size_t>(rows, 1, limits_.rows) + 1);
}

CallPicture KeptCalls::picture(TimeWindow window, std::size_t columns, std::size_t rows, Interface interface) const {
  window.to = std::max(window.to, window.from + 1);
  columns = std::max<std::size_t>(1, columns);
  const bool fine = (window.to - window.from) / coarse_step_ >= static_cast<std::int64_t>(std::min(fine_columns, columns));
  const bool many = coarse_made_ && fine && about(window) > limits_.scanned;
  return folded_ || many ? coarse_picture(window, columns, rows, interface) : exact_picture(window, columns, rows, interface);
}

CallPicture KeptCalls::exact_picture(TimeWindow window, std::size_t columns, std::size_t rows, Interface interface) const {
  CallPicture picture;
  picture.t0 = window.from;
  picture.step = (window.to - window.from - 1) / static_cast<std::int64_t>(columns) + 1;
  picture.columns = static_cast<std::size_t>((window.to - window.from - 1) / picture.step + 1);
  picture.units_per_row = units_per_row(rows);
  picture.rows = (units_ - 1) / picture.units_per_row + 1;
  picture.time.assign(picture.columns * picture.rows * kind_count, 0);
  std::vector<std::uint32_t> row_of(units_);  // divided once
  for (std::size_t unit = 0; unit < units_; ++unit) row_of[unit] = static_cast<std::uint32_t>(unit / picture.units_per_row * kind_count);
  const std::size_t per_column = picture.rows * kind_count;
  const std::uint32_t mask = drawn | 3u << interface_shift, wanted = drawn | static_cast<std::uint32_t>(interface) << interface_shift;
  // Calls come in order of their start: the column in which they begin only moves on.
  std::size_t first = 0;
  std::int64_t border = window.from + picture.step;
  for_each_in(window, [&](std::size_t row) {
    const Hot& call = hot_[row];
    const std::uint32_t unit = unit_of(call.who);
    if ((call.who & counts_bit) == 0 || unit >= units_) return;
    ++picture.calls;
    if ((call.who & mask) != wanted) return;
    for (; call.start >= border; ++first) border += picture.step;
    const std::int64_t start = std::max(call.start, window.from), end = std::min(end_of(row), window.to);
    std::uint64_t* const cells = picture.time.data() + row_of[unit] + static_cast<std::size_t>(kind_of(call.who));
    if (end <= border)
      cells[first * per_column] += static_cast<std::uint64_t>(end - start);
    else
      for_each_column(start, end, window.from, picture.step, first, picture.columns,
                      [&](std::size_t column, std::int64_t part) { cells[column * per_column] += static_cast<std::uint64_t>(part); });
  });
  return picture;
}

CallPicture KeptCalls::coarse_picture(TimeWindow window, std::size_t columns, std::size_t rows, Interface interface) const {
  const auto place = [&](std::int64_t time) {
    return static_cast<std::size_t>((std::clamp(time, whole_.from, whole_.to - 1) - whole_.from) / coarse_step_);
  };
  const std::size_t first = place(window.from), last = place(window.to - 1);
  const std::size_t together = (last - first) / columns + 1;
  CallPicture picture;
  picture.exact = false;
  picture.t0 = whole_.from + static_cast<std::int64_t>(first) * coarse_step_;
  picture.step = coarse_step_ * static_cast<std::int64_t>(together);
  picture.columns = (last - first) / together + 1;
  picture.units_per_row = units_per_row(rows);
  picture.rows = (units_ - 1) / picture.units_per_row + 1;
  picture.time.assign(picture.columns * picture.rows * kind_count, 0);
  const auto& cells = coarse_[static_cast<std::size_t>(interface)];
  const std::size_t rows_together = picture.units_per_row / coarse_per_row_;
  for (std::size_t column = first; column <= last; ++column) {
    picture.calls += coarse_calls_[column];
    if (cells.empty()) continue;
    for (std::size_t row = 0; row < coarse_rows_; ++row)
      for (std::size_t kind = 0; kind < kind_count; ++kind)
        picture.time[((column - first) / together * picture.rows + row / rows_together) * kind_count + kind] +=
            cells[(column * coarse_rows_ + row) * kind_count + kind];
  }
  return picture;
}

std::optional<ChosenCalls> KeptCalls::choose(const CallChoice& choice) const {
  if (folded_) return std::nullopt;
  struct Chosen {
    std::int64_t length;
    std::uint32_t row;
  };
  // Of calls as long as each other the earlier ones, so that an enclosing call stays with what is in it.
  const auto longer = [](const Chosen& a, const Chosen& b) { return a.length != b.length ? a.length > b.length : a.row < b.row; };
  ChosenCalls chosen;
  std::vector<Chosen> rows;
  const std::size_t limit = std::max<std::size_t>(1, choice.limit), room = 4 * limit + 1024;
  std::int64_t too_short = -1;
  const auto keep_longest = [&] {
    if (rows.size() <= limit) return;
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(limit) - 1, rows.end(), longer);
    rows.resize(limit);
    too_short = rows.back().length;  // later ones must be longer than the shortest of these
  };
  const auto take = [&](std::size_t row) {
    const std::uint32_t who = hot_[row].who, unit = unit_of(who);
    if (unit >= units_ || (!choice.all && (who & counts_bit) == 0) || (choice.unit && unit != *choice.unit) ||
        (choice.interface && interface_of(who) != *choice.interface))
      return;
    ++chosen.total;
    const std::int64_t length = length_of(row);
    if (length <= too_short) return;
    rows.push_back({length, static_cast<std::uint32_t>(row)});
    if (rows.size() >= room) keep_longest();
  };
  if (choice.inside) {
    for_each_inside(*choice.inside, [&](std::size_t row) {
      if (hot_[row].start < choice.window.to && end_of(row) >= choice.window.from) take(row);
    });
  } else {
    for_each_in(choice.window, take);
  }
  keep_longest();
  std::sort(rows.begin(), rows.end(), [](const Chosen& a, const Chosen& b) { return a.row < b.row; });
  chosen.calls.reserve(rows.size());
  for (const Chosen& one : rows) chosen.calls.push_back(made(one.row));
  return chosen;
}

CallLevels KeptCalls::levels(TimeWindow window, std::size_t most, Interface interface) const {
  const CallLevels& whole = whole_levels_[static_cast<std::size_t>(interface)];
  window.to = std::max(window.to, window.from + 1);
  if (window.from <= whole.from && window.to >= whole.to && whole.steps.size() <= most) return whole;
  const bool fine =
      static_cast<double>(window.to - window.from) / static_cast<double>(whole.to - whole.from) * static_cast<double>(most_levels) >=
      static_cast<double>(fine_levels);
  if (!folded_ && (about(window) <= limits_.scanned / dear || !fine)) {
    LevelSweep sweep(window.from, window.to, most);
    for_each_in(window, [&](std::size_t row) {
      if (moves_data(hot_[row].who, interface)) sweep.take(hot_[row].start, end_of(row), direction_of(hot_[row].who));
    });
    return sweep.finish();
  }
  return thinned(whole, window, most);
}

MovedBytes KeptCalls::moved(TimeWindow window, std::size_t bins) const {
  MovedBytes moved;
  window.to = std::max(window.to, window.from + 1);
  for (auto& each : moved.bytes) each.assign(std::max<std::size_t>(1, bins), 0);
  if (!folded_) {
    for_each_in(window, [&](std::size_t row) {
      const std::uint32_t who = hot_[row].who;
      if (!moves_data(who, Interface::posix)) return;
      const std::int64_t result = made(row).result;
      if (result > 0)
        spread(moved.bytes[static_cast<std::size_t>(direction_of(who))], window.from, window.to, hot_[row].start, end_of(row),
               static_cast<double>(result));
    });
    return moved;
  }
  const double width = static_cast<double>(whole_.to - whole_.from) / static_cast<double>(byte_bins);
  for (std::size_t d = 0; d < 2; ++d)
    for (std::size_t bin = 0; bin < byte_bins; ++bin) {
      if (coarse_bytes_[d][bin] == 0) continue;
      const auto start = whole_.from + static_cast<std::int64_t>(width * static_cast<double>(bin)),
                 end = whole_.from + static_cast<std::int64_t>(width * static_cast<double>(bin + 1));
      if (end > window.from && start < window.to) spread(moved.bytes[d], window.from, window.to, start, end, coarse_bytes_[d][bin]);
    }
  return moved;
}

}  // namespace fathom::dashboard
