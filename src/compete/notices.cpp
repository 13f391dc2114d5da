// SPDX-License-Identifier: Apache-2.0
#include "compete/notices.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.h"

namespace fathom::compete {
namespace {

constexpr std::array<std::string_view, 3> verbs = {"read", "wrote", "read or wrote"};

std::string clock(std::int64_t nanoseconds) {
  return format_iso8601(std::chrono::floor<std::chrono::seconds>(time_from_micros(nanoseconds / 1000)));
}
std::string length(std::int64_t nanoseconds) { return human_duration(Duration{nanoseconds / 1000}); }

/// `a, b and c`.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

class Teller {
 public:
  Teller(std::span<const Application> applications, const Options& options, const Comparison& comparison)
      : applications_(applications),
        options_(options),
        comparison_(comparison),
        verb_(verbs[static_cast<std::size_t>(options.direction)]) {}

  std::vector<std::string> all() {
    about_overlap();
    for (const Application& application : applications_) {
      about_idle(application);
      about_killed(application);
      about_clocks(application);
    }
    about_shared_nodes();
    return std::move(notices_);
  }

 private:
  void say(std::string text) { notices_.push_back(std::move(text)); }
  /// From the first moment that all of them ran to the last one.
  Stretch window() const {
    return comparison_.together.empty() ? Stretch{} : Stretch{comparison_.together.front().begin, comparison_.together.back().end};
  }

  void about_overlap() {
    if (comparison_.together.empty()) {
      say(fmt::format("they did not run at the same time{}: {}", applications_.size() > 2 ? ", not all of them" : "", run_times()));
    } else if (comparison_.active.slices == 0 &&
               std::none_of(applications_.begin(), applications_.end(), [](const Application& a) { return a.movers.empty(); })) {
      say(fmt::format("they ran at the same time, but there is no slice in which every process {} something: no active overlap{}", verb_,
                      rarest()));
    }
  }

  /// Often it is a single process that wrote a line or two: named, so that it can be left out.
  std::string rarest() const {
    const slices::Process* found = nullptr;
    std::string_view label;
    std::uint64_t fewest = UINT64_MAX, bytes = 0;
    for (const Application& application : applications_)
      for (const slices::Process* process : application.movers) {
        std::uint64_t slices = 0, sum = 0;
        for (const slices::Slice& slice : process->slices) {
          const std::uint64_t one = slices::moved(slice.values, options_.direction);
          slices += one > 0;
          sum += one;
        }
        if (slices > fewest || (slices == fewest && sum >= bytes)) continue;
        found = process;
        label = application.label;
        fewest = slices;
        bytes = sum;
      }
    if (found == nullptr) return "";
    return fmt::format("; process {} of {} on {} did so in {} only, {} in all (--least leaves out those with less)", found->pid, label,
                       found->host, counted(fewest, "slice"), human_bytes(static_cast<double>(bytes)));
  }

  std::string run_times() const {
    std::string text;
    for (const Application& application : applications_)
      text += fmt::format("{}{} ran from {} to {}", text.empty() ? "" : ", ", application.label, clock(application.series.start),
                          clock(application.series.end));
    return text;
  }

  void about_idle(const Application& application) {
    const std::size_t all = application.profile->processes.size(), idle = all - application.movers.size();
    const std::string how = application.least == 1 ? fmt::format("never {} anything", verb_)
                                                   : fmt::format("{} less than {}", verb_, human_size(application.least));
    if (application.movers.empty()) {
      say(fmt::format("{} {}: it competes for nothing in this direction",
                      application.least == 1 ? application.label : "every process of " + application.label, how));
    } else if (idle > 0) {
      say(fmt::format("{} of {} of {} {}: left out of the active overlap, of spread and of shares", idle, counted(all, "process"),
                      application.label, how));
    }
  }

  /// Those that died at another time are no matter of this comparison: their profile says so.
  void about_killed(const Application& application) {
    std::size_t killed = 0;
    std::int64_t first = INT64_MAX;
    for (const slices::Process& process : application.profile->processes) {
      if (process.ended_well || process.end < window().begin || process.end >= window().end) continue;
      ++killed;
      first = std::min(first, process.end);
    }
    if (killed == 0) return;
    say(fmt::format("{} of {} did not end well while all applications ran, the first at {}: the active overlap does not reach beyond",
                    counted(killed, "process"), application.label, clock(first)));
  }

  /// One sentence for each node and change, however many processes saw it.
  void about_clocks(const Application& application) {
    std::set<std::string> said;
    for (const slices::Process& process : application.profile->processes)
      for (const slices::ClockStep& step : process.steps) {
        if (std::max(step.at, step.at + step.by) < window().begin || std::min(step.at, step.at + step.by) >= window().end) continue;
        // To the slice: processes of a node notice the same change a little apart.
        const std::int64_t near = slices::slice_of(step.at, comparison_.slice_length);
        if (!said.insert(fmt::format("{} {} {}", process.host, near, step.by / 1'000'000)).second) continue;
        say(
            fmt::format("the clock of {} was set {} by {} at {}, while all applications ran: slices of {} on it do not line up with the "
                        "others before or after",
                        process.host, step.by < 0 ? "back" : "forward", length(std::abs(step.by)), clock(step.at), application.label));
      }
  }

  void about_shared_nodes() {
    for (std::size_t a = 0; a < applications_.size(); ++a)
      for (std::size_t b = a + 1; b < applications_.size(); ++b) {
        std::vector<std::string> both;
        std::set_intersection(applications_[a].hosts.begin(), applications_[a].hosts.end(), applications_[b].hosts.begin(),
                              applications_[b].hosts.end(), std::back_inserter(both));
        if (both.empty()) continue;
        say(fmt::format("{} and {} share {} ({}): for shares per node such a node is divided by the number of processes on it",
                        applications_[a].label, applications_[b].label, counted(both.size(), "node"), listed(both)));
      }
  }

  std::span<const Application> applications_;
  const Options& options_;
  const Comparison& comparison_;
  std::string_view verb_;
  std::vector<std::string> notices_;
};

}  // namespace

std::vector<std::string> notices(std::span<const Application> applications, const Options& options, const Comparison& comparison) {
  return Teller(applications, options, comparison).all();
}

}  // namespace fathom::compete
