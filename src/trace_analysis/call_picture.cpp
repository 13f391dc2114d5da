// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/call_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace fathom::trace {

std::uint64_t CollectiveCalls::number(const Seen& seen) {
  if (!seen.counts || !seen.moves() || (seen.traits & collective) == 0) return 0;
  return ++made_[static_cast<std::uint64_t>(seen.event.file) << 32 | seen.event.unit];
}

void FindCalls::take(const Seen& seen) {
  const std::uint64_t number = collective_.number(seen);
  if (!seen.is(Interface::mpiio) || !seen.counts || !seen.direction) return;
  const Event& event = seen.event;
  if (row_ != no_row) {
    if (event.row == row_) found_.push_back({event.row, event.file, number, event.duration()});
    return;
  }
  const auto same = number == 0 ? found_.end() : std::find_if(found_.begin(), found_.end(), [&](const CallChoice& each) {
    return each.number == number && each.file == event.file;
  });
  if (same != found_.end()) {
    if (event.duration() > same->duration) same->row = event.row, same->duration = event.duration();
    return;
  }
  if (found_.size() < count_) {
    found_.push_back({event.row, event.file, number, event.duration()});
    return;
  }
  const auto least =
      std::min_element(found_.begin(), found_.end(), [](const CallChoice& a, const CallChoice& b) { return a.duration < b.duration; });
  if (least != found_.end() && least->duration < event.duration()) *least = {event.row, event.file, number, event.duration()};
}

void FindCalls::finish() {
  std::sort(found_.begin(), found_.end(),
            [](const CallChoice& a, const CallChoice& b) { return a.duration != b.duration ? a.duration > b.duration : a.row < b.row; });
}

PictureAnalysis::PictureAnalysis(const std::vector<CallChoice>& choices) {
  for (const CallChoice& choice : choices) pictures_.push_back({choice, "", INT64_MAX, INT64_MIN, {}});
}

std::optional<std::size_t> PictureAnalysis::picture_of(const Seen& seen, std::uint64_t number) const {
  for (std::size_t p = 0; p < pictures_.size(); ++p) {
    const CallChoice& choice = pictures_[p].choice;
    if (choice.row == seen.event.row || (number > 0 && choice.number == number && choice.file == seen.event.file)) return p;
  }
  return std::nullopt;
}

void PictureAnalysis::take(const Seen& seen) {
  const std::uint64_t number = collective_.number(seen);
  const Event& event = seen.event;
  if (seen.is(Interface::mpiio)) {
    if (!seen.counts || !seen.direction) return;
    const auto at = picture_of(seen, number);
    if (!at) return;
    CallPicture& picture = pictures_[*at];
    picture.call = seen.call.name;
    picture.start = std::min(picture.start, event.start);
    picture.end = std::max(picture.end, event.end);
    places_[event.row] = {*at, picture.ranks.size()};
    picture.ranks.push_back({event.unit, event.row, event.start, event.end, seen.bytes_moved(), {}, {}});
    return;
  }
  if (!seen.is(Interface::posix) || !seen.outermost || seen.mpi_call == no_row) return;
  const auto place = places_.find(seen.mpi_call);
  if (place == places_.end()) return;
  PicturedRank& rank = pictures_[place->second.picture].ranks[place->second.rank];
  const Part part = part_of(seen.call.operation);
  rank.parts.push_back({event.start, event.end, part});
  ++rank.calls[static_cast<std::size_t>(part)];
}

void PictureAnalysis::finish() {
  for (CallPicture& picture : pictures_)
    std::sort(picture.ranks.begin(), picture.ranks.end(), [](const PicturedRank& a, const PicturedRank& b) { return a.unit < b.unit; });
}

std::string bar_of(const PicturedRank& rank, std::int64_t start, std::int64_t end, std::size_t width) {
  // Nanoseconds of each part in each column; what no POSIX call took is waiting.
  std::vector<std::array<double, part_count>> columns(width);
  const double column = std::max(1.0, static_cast<double>(end - start)) / static_cast<double>(width);
  const auto add = [&](std::int64_t from, std::int64_t to, Part part, double sign) {
    const double a = static_cast<double>(from - start) / column, b = static_cast<double>(to - start) / column;
    for (auto c = static_cast<std::size_t>(std::max(0.0, a)); c < width && static_cast<double>(c) < b; ++c) {
      const double part_of_column = std::min(b, static_cast<double>(c + 1)) - std::max(a, static_cast<double>(c));
      if (part_of_column > 0) columns[c][static_cast<std::size_t>(part)] += sign * part_of_column;
    }
  };
  add(rank.start, rank.end, Part::waiting, 1);
  for (const PicturedPart& part : rank.parts) {
    add(part.start, part.end, part.part, 1);
    add(part.start, part.end, Part::waiting, -1);
  }
  std::string bar;
  for (const auto& amounts : columns) {
    const auto most = std::max_element(amounts.begin(), amounts.end());
    bar += *most <= 1e-9 ? ' ' : part_letters[static_cast<std::size_t>(most - amounts.begin())];
  }
  return bar;
}

std::string picture_text(const CallPicture& picture, const Trace& trace, std::size_t width, std::size_t most) {
  std::string text = fmt::format("{}, row {}, {}{}: {:.6f} s\n", picture.call, picture.choice.row,
                                 picture.choice.file == no_file ? "" : trace.files[picture.choice.file].path,
                                 picture.choice.number > 0 ? fmt::format(", collective call {} on it", picture.choice.number) : "",
                                 seconds_of(picture.end - picture.start));
  std::size_t shown = 0;
  for (const PicturedRank& rank : picture.ranks) {
    if (shown++ == most) {
      text += fmt::format("  ... and {}\n", counted(picture.ranks.size() - most, "more rank"));
      break;
    }
    std::string counts;
    for (std::size_t p = 0; p + 1 < part_count; ++p)
      if (rank.calls[p] > 0) counts += fmt::format(" {}{}", rank.calls[p], part_letters[p]);
    text +=
        fmt::format("{:>6} |{}| {:.6f} s, {}{}\n", trace.units[rank.unit].rank, bar_of(rank, picture.start, picture.end, width),
                    seconds_of(rank.end - rank.start), human_bytes(static_cast<double>(rank.bytes)), counts.empty() ? "" : ":" + counts);
  }
  return text + "  R read, W write, L lock, U unlock, o other, . waiting\n";
}

}  // namespace fathom::trace
