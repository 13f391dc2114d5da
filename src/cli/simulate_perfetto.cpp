// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate_perfetto.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/talk.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/chrome_json_file.h"
#include "simulate/quantity.h"

namespace fathom {
namespace {

using namespace simulate;

/// What a browser still shows, at up to a thousand bytes each.
constexpr std::size_t most_requests_drawn = 500'000;

std::int64_t nanoseconds(Picoseconds time) { return time / 1000; }

Error wrong(std::string_view what) { return {ErrorKind::usage, fmt::format("choosing requests for --perfetto: {}", what)}; }

std::optional<Picoseconds> parse_moment(std::string_view text) {
  auto time = parse_quantity(text, Dimension::time);
  if (!time) time = parse_quantity(std::string(trim(text)) + " s", Dimension::time);  // a plain number is seconds
  if (!time || *time > static_cast<std::uint64_t>(time_limit)) return std::nullopt;
  return static_cast<Picoseconds>(*time);
}

/// Something that grows and shrinks with the requests of one I/O node.
class Level {
 public:
  void change(Picoseconds at, std::int64_t by) { changes_.emplace_back(nanoseconds(at), by); }

  /// One value for each moment at which it is another one, in the window; at its beginning in any case.
  void write(ChromeJsonFile& file, std::string_view name, std::uint64_t process, Picoseconds from, Picoseconds to) {
    std::sort(changes_.begin(), changes_.end());
    std::int64_t level = 0, at = nanoseconds(from);
    const auto put = [&] {
      file.open_counter(name, process, at).operator<<("\"value\":").number(level);
      file.close_event();
    };
    for (std::size_t i = 0; i < changes_.size();) {
      if (changes_[i].first > at) put();
      at = std::max(at, changes_[i].first);
      if (at > nanoseconds(to)) return;
      for (; i < changes_.size() && changes_[i].first <= at; ++i) level += changes_[i].second;
    }
    put();
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> changes_;
};

/// A part of a request's life, which ends then; -1: it does not have this part.
struct Phase {
  std::string_view name;
  Picoseconds end;
};

/// What a compute node waits for, one after the other.
std::vector<Phase> phases(const Completion& each, const Way& way) {
  if (each.kind == Kind::read && way.from_buffer)
    return {{"request in the tree", way.at_io_node}, {"burst buffer", each.stored}, {"tree", each.acked}};
  if (each.kind == Kind::read)
    return {{"request in the tree", way.at_io_node},
            {"request to the disks", way.at_disks},
            {"targets", way.on_disks},
            {"disk link", way.disk_end},
            {"external link", each.stored},
            {"tree", each.acked}};
  if (way.pooled) return {{"tree", way.at_io_node}, {"acknowledgement", each.acked}};
  if (way.in_buffer >= 0)
    return {{"tree", way.at_io_node},
            {"waits for room", way.left_pool},
            {"into the burst buffer", way.in_buffer},
            {"acknowledgement", each.acked}};
  return {{"tree", way.at_io_node},
          {"waits for the link", way.external_start},
          {"external link", way.external_end},
          {"disk link", way.at_disks},
          {"targets", way.on_disks},
          {"acknowledgement", each.acked}};
}

/// Tracks of what an I/O node has once, beside those of its compute nodes.
enum : std::uint64_t { internal_track = 2'000'000'001, external_track };

class Picture {
 public:
  Picture(const Work& work, ChromeJsonFile& file) : work_(work), file_(file) {}

  /// All requests of one I/O node, by compute node and time.
  void draw(std::span<const Completion> requests, Picoseconds from, Picoseconds to) {
    const std::uint32_t node = requests.front().node;
    process_ = node + std::uint64_t{1};
    file_.name_process(process_, 0, fmt::format("I/O node {}", work_.nodes[node].name));
    file_.name_thread(process_, external_track, "external link, writes");
    if (std::any_of(requests.begin(), requests.end(), [](const Completion& each) { return each.way->in_buffer >= 0; }))
      file_.name_thread(process_, internal_track, "link of the burst buffer, writes");
    Level waiting, in_pool, in_buffer;
    std::uint32_t last = UINT32_MAX;
    for (const Completion& each : requests) {
      if (each.compute_node != last) lanes_.clear();
      last = each.compute_node;
      draw(each);
      waiting.change(each.issued, 1);
      waiting.change(each.acked, -1);
      const Way& way = *each.way;
      const auto bytes = static_cast<std::int64_t>(each.bytes);
      const bool buffered = way.in_buffer >= 0;
      if (way.pooled) in_pool.change(way.at_io_node, bytes), in_pool.change(buffered ? way.in_buffer : way.external_end, -bytes);
      if (buffered) in_buffer.change(way.left_pool, bytes), in_buffer.change(way.external_end, -bytes);
    }
    waiting.write(file_, "requests that wait", process_, from, to);
    in_pool.write(file_, "bytes in the page pool", process_, from, to);
    in_buffer.write(file_, "bytes in the burst buffer", process_, from, to);
  }

 private:
  /// A compute node that has several requests in flight has a track for each of them.
  std::uint64_t thread_of(const Completion& each) {
    std::size_t lane = 0;
    while (lane < lanes_.size() && lanes_[lane] > each.issued) ++lane;
    const std::uint64_t thread = lane * 1'000'000 + each.compute_node + 1;
    if (lane == lanes_.size()) {
      lanes_.push_back(0);
      file_.name_thread(
          process_, thread,
          lane == 0 ? fmt::format("compute node {}", each.compute_node) : fmt::format("compute node {}, {}", each.compute_node, lane + 1));
    }
    lanes_[lane] = each.acked;
    return thread;
  }

  void draw(const Completion& each) {
    const std::uint64_t thread = thread_of(each);
    const std::int64_t begin = nanoseconds(each.issued);
    const std::string_view kind = kind_names[static_cast<std::size_t>(each.kind)];
    const auto details = [&](TextOutput& out) {
      out << "\"index\":";
      out.number(each.index) << ",\"bytes\":";
      out.number(each.bytes) << ",\"" << (each.kind == Kind::write ? "on_disk_after_us" : "at_io_node_after_us") << "\":";
      out.number(static_cast<double>(nanoseconds(each.stored) - begin) / 1000);
      file_.close_event();
    };
    details(file_.open_slice(kind, "request", process_, thread, begin, nanoseconds(each.acked) - begin));
    const Way& way = *each.way;
    std::int64_t before = begin;
    for (const Phase& phase : phases(each, way)) {
      const std::int64_t end = nanoseconds(phase.end);
      if (phase.end < 0 || end <= before) continue;
      file_.open_slice(phase.name, "phase", process_, thread, before, end - before);
      file_.close_event();
      before = end;
    }
    if (each.kind != Kind::write) return;
    const auto on_link = [&](std::uint64_t track, Picoseconds start, Picoseconds end) {
      if (start >= 0 && end >= start)
        details(file_.open_slice(kind, "link", process_, track, nanoseconds(start), nanoseconds(end) - nanoseconds(start)));
    };
    if (way.in_buffer >= 0) on_link(internal_track, way.left_pool, way.in_buffer);
    on_link(external_track, way.external_start, way.external_end);
  }

  const Work& work_;
  ChromeJsonFile& file_;
  std::uint64_t process_ = 0;
  std::vector<Picoseconds> lanes_;  // of a compute node: when each is free again
};

}  // namespace

Result<RequestPicture> RequestPicture::of(const Work& work, const std::string& window, const std::vector<std::string>& nodes) {
  RequestPicture picture(work);
  if (!window.empty()) {
    const std::size_t comma = window.find(',');
    const auto from = parse_moment(std::string_view(window).substr(0, comma));
    const auto to = comma == std::string::npos ? std::nullopt : parse_moment(std::string_view(window).substr(comma + 1));
    if (!from || !to || *from >= *to)
      return wrong(fmt::format("--perfetto-window must be FROM,TO in simulated time, like 90,2min, not '{}'", excerpt(window, 40)));
    picture.from_ = *from;
    picture.to_ = *to;
  }
  TRY_VOID(picture.choose(nodes));
  return picture;
}

Result<void> RequestPicture::choose(const std::vector<std::string>& names) {
  if (names.empty()) wanted_.assign(wanted_.size(), true);
  std::vector<std::string_view> known;
  for (const NodeWork& node : work_->nodes) known.push_back(node.name);
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string_view close = closest_word(name, known);
      return wrong(fmt::format("there is no I/O node '{}'{}", excerpt(name, 40),
                               close.empty() ? fmt::format("; they are '{}' to '{}'", known.front(), known.back())
                                             : fmt::format("; did you mean '{}'?", close)));
    }
    wanted_[static_cast<std::size_t>(found - known.begin())] = true;
  }
  return {};
}

void RequestPicture::add(const Completion& each) {
  if (!wanted_[each.node] || each.issued > to_ || std::max(each.acked, each.stored) < from_) return;
  if (requests_.size() == most_requests_drawn) too_many_ = true;
  if (too_many_) return;
  requests_.push_back(each);
  ways_.push_back(*each.way);
}

Result<void> RequestPicture::write(const std::string& file) {
  if (too_many_)
    return wrong(fmt::format("more than {} are under way; choose fewer with --perfetto-window and --perfetto-nodes",
                             human_count(most_requests_drawn)));
  for (std::size_t i = 0; i < requests_.size(); ++i) requests_[i].way = &ways_[i];
  std::sort(requests_.begin(), requests_.end(), [](const Completion& a, const Completion& b) {
    const auto place = [](const Completion& c) { return std::tuple(c.node, c.compute_node, c.issued, c.index); };
    return place(a) < place(b);
  });
  TRY(TextOutput out, TextOutput::open(file));
  ChromeJsonFile json(out);
  json.begin(0);
  Picture picture(*work_, json);
  // Counters end where the last request does.
  Picoseconds last = from_;
  for (const Completion& each : requests_) last = std::max({last, each.acked, each.stored});
  for (std::size_t i = 0, end = 0; i < requests_.size(); i = end) {
    while (end < requests_.size() && requests_[end].node == requests_[i].node) ++end;
    picture.draw(std::span(requests_).subspan(i, end - i), from_, std::min(to_, last));
  }
  json.end();
  TRY_VOID(out.finish());
  tell("wrote {} ({}): open it at https://ui.perfetto.dev or chrome://tracing\n", file, counted(requests_.size(), "request"));
  return {};
}

}  // namespace fathom
