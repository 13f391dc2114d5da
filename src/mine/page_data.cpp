// SPDX-License-Identifier: Apache-2.0
#include "mine/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mine/burst_book.h"
#include "mine/knowledge.h"
#include "mine/page_bins.h"
#include "mine/timed_log.h"

namespace fathom::mine {
namespace {

using Json = nlohmann::ordered_json;

double unix_seconds(Time time) { return seconds(time.time_since_epoch()); }
double length_of(const Run& run) { return unix_seconds(run.end) - unix_seconds(run.start); }

/// Whole seconds; null for what no calendar has: a browser would fail on it.
Json moment(Time time) {
  const double s = std::floor(unix_seconds(time));
  return std::abs(s) < 2e11 ? Json(static_cast<std::int64_t>(s)) : Json(nullptr);
}

/// Figures that are read, not drawn: as they are, since whoever writes them out rounds them, and rounding twice can give another number.
Json figure(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// 0 stands for what nobody could tell.
Json known(double value) { return value > 0 ? figure(value) : Json(nullptr); }

/// Runs with their patterns, by the numbers that sightings use: runs that cannot be have none. Those that do not count yet are not asked.
class Runs {
 public:
  Runs(const Dossier& dossier, std::size_t patterns) : all_(dossier.application.runs) {
    for (std::size_t r = 0; r < all_.size(); ++r)
      if (possible(all_[r])) numbered_.push_back(r);
    const Time counted = counted_until(all_);
    for (std::size_t p = 0; p < patterns; ++p) {
      shows_.emplace_back(all_.size(), 'x');
      bursts_.emplace_back(all_.size());
      for (const std::size_t run : numbered_) shows_[p][run] = all_[run].end > counted ? 'l' : 's';
      for (const Sighting& sighting : dossier.finding.patterns[p].sightings) {
        const std::size_t run = numbered_[sighting.run];
        shows_[p][run] = sighting.shown ? (sighting.again ? 'a' : 'y') : 'n';
        bursts_[p][run] = sighting.shown ? sighting.bursts.size() : 0;
      }
    }
  }

  const Run& operator[](std::size_t run) const { return all_[run]; }
  std::size_t size() const { return all_.size(); }
  /// Those that can be, in order of their start.
  const std::vector<std::size_t>& numbered() const { return numbered_; }
  char shows(std::size_t pattern, std::size_t run) const { return shows_[pattern][run]; }
  std::size_t bursts(std::size_t pattern, std::size_t run) const { return bursts_[pattern][run]; }

 private:
  const std::vector<Run>& all_;
  std::vector<std::size_t> numbered_;
  std::vector<std::string> shows_;                // by pattern and run
  std::vector<std::vector<std::size_t>> bursts_;  // likewise
};

Json table_of(const Runs& runs, std::size_t patterns) {
  Json job = Json::array(), start = Json::array(), length = Json::array(), shows = Json::array(), bursts = Json::array();
  const std::vector<std::size_t> chosen = evenly(runs.size(), most_rows);
  for (const std::size_t r : chosen) {
    job.push_back(runs[r].job);
    start.push_back(moment(runs[r].start));
    length.push_back(possible(runs[r]) ? json_rounded(length_of(runs[r])) : Json(nullptr));
  }
  for (std::size_t p = 0; p < patterns; ++p) {
    std::string letters;
    Json counts = Json::array();
    for (const std::size_t r : chosen) {
      letters += runs.shows(p, r);
      counts.push_back(runs.bursts(p, r));
    }
    shows.push_back(letters);
    bursts.push_back(counts);
  }
  return {{"job", job}, {"start", start}, {"length", length}, {"shows", shows}, {"bursts", bursts}};
}

Json pattern_data(const Dossier& dossier, const Pattern& pattern) {
  const TimedLog timed(dossier.log_of(pattern));
  std::vector<double> steps;
  std::vector<KnownBurst> bursts;
  for (const Sighting& sighting : pattern.sightings) {
    if (!sighting.shown || sighting.again) continue;
    for (std::size_t i = 0; i < sighting.bursts.size(); ++i) {
      bursts.push_back(timed.log().bursts[sighting.bursts[i]]);
      if (i > 0) steps.push_back((timed.start(sighting.bursts[i]) - timed.start(sighting.bursts[i - 1])) / pattern.period);
    }
  }
  return {{"filesystem", pattern.filesystem},
          {"direction", direction_names[pattern.direction]},
          {"verdict", verdict_name(pattern.verdict)},
          {"period", pattern.period},
          {"period_error", figure(pattern.period_error)},
          {"jitter", figure(pattern.jitter)},
          {"burst_bytes", known(pattern.burst_bytes)},
          {"coarse_bytes", known(pattern.coarse_bytes)},
          {"burst_s", known(pattern.burst_s)},
          {"throughput", known(pattern.throughput)},
          {"peak", known(pattern.peak)},
          {"footprint", known(pattern.footprint)},
          {"io_share", figure(pattern.io_share)},
          {"confidence", figure(pattern.confidence)},
          {"shown", pattern.shown},
          {"judged", pattern.judged},
          {"bursts", pattern.bursts},
          {"first_seen", moment(pattern.first_seen)},
          {"last_seen", moment(pattern.last_seen)},
          {"used", figure(pattern.used)},
          {"steady", figure(pattern.steady)},
          {"shuffled_steady", figure(pattern.shuffled_steady)},
          {"log10_disorder", figure(pattern.log10_disorder)},
          {"elsewhere", figure(pattern.elsewhere)},
          {"log10_chance", figure(pattern.log10_chance)},
          {"scope_windows", pattern.scope_windows},
          {"scope_hits", pattern.scope_hits},
          {"steps", step_bins(steps)},
          {"volume", volume_bins(bursts)},
          {"servers", server_bins(bursts)}};
}

/// By burst of a log: 1 + the pattern that has it, 0 for others'.
std::vector<std::uint8_t> owners(const Dossier& dossier, std::size_t patterns, const BurstLog& log) {
  std::vector<std::uint8_t> of(log.bursts.size());
  for (std::size_t p = patterns; p-- > 0;)  // the best pattern last: it keeps what several have
    if (&dossier.log_of(dossier.finding.patterns[p]) == &log)
      for (const Sighting& sighting : dossier.finding.patterns[p].sightings)
        if (sighting.shown)
          for (const std::uint32_t burst : sighting.bursts) of[burst] = static_cast<std::uint8_t>(p + 1);
  return of;
}

/// AID's Fig. 4: bursts in all runs by area and height.
Json scatter_of(const Runs& runs, const TimedLog& timed, const std::vector<std::uint8_t>& owner) {
  std::array<std::vector<std::uint32_t>, 2> found;  // others', patterns'
  std::uint32_t done = 0;
  for (const std::size_t r : runs.numbered()) {
    const auto [first, last] = timed.within(unix_seconds(runs[r].start), unix_seconds(runs[r].end));
    for (std::uint32_t i = std::max(done, first); i < last; ++i) {
      const KnownBurst& burst = timed.log().bursts[i];
      if (burst.height > 0 && burst.area > 0) found[owner[i] > 0].push_back(i);
    }
    done = std::max(done, last);  // runs at the same time have the same bursts
  }
  Json points = Json::array();
  for (const std::vector<std::uint32_t>& each : found)
    for (const std::size_t k : evenly(each.size(), most_points)) {
      const KnownBurst& burst = timed.log().bursts[each[k]];
      points.push_back(Json::array({json_rounded(burst.area), json_rounded(burst.height), owner[each[k]]}));
    }
  return {{"others", found[0].size()}, {"of_patterns", found[1].size()}, {"points", points}};
}

struct Strip {
  std::size_t run = 0;
  std::vector<std::vector<std::size_t>> columns;  // of others' bursts, then of each pattern's
};

/// One mark in a column is enough.
std::vector<Strip> strips_in(const Runs& runs, const std::vector<std::size_t>& chosen, const TimedLog& timed,
                             const std::vector<std::uint8_t>& owner, std::size_t patterns, double column) {
  std::vector<Strip> strips;
  for (const std::size_t r : chosen) {
    Strip strip{r, std::vector<std::vector<std::size_t>>(patterns + 1)};
    const double start = unix_seconds(runs[r].start);
    const auto [first, last] = timed.within(start, unix_seconds(runs[r].end));
    for (std::uint32_t i = first; i < last; ++i) {
      std::vector<std::size_t>& columns = strip.columns[owner[i]];
      const auto at = static_cast<std::size_t>((timed.start(i) - start) / column);
      if (columns.empty() || columns.back() != at) columns.push_back(at);
    }
    strips.push_back(std::move(strip));
  }
  return strips;
}

/// AID's Fig. 5: bursts of runs on their own clocks.
Json strips_of(const Runs& runs, const TimedLog& timed, const std::vector<std::uint8_t>& owner, std::size_t patterns) {
  std::vector<std::size_t> chosen;
  double longest = 0;
  for (const std::size_t k : evenly(runs.numbered().size(), most_strips)) {
    chosen.push_back(runs.numbered()[k]);
    longest = std::max(longest, length_of(runs[chosen.back()]));
  }
  std::vector<Strip> strips;
  double column = longest / static_cast<double>(most_columns);
  for (std::size_t halvings = 0; halvings < 5; ++halvings, column *= 2) {
    strips = strips_in(runs, chosen, timed, owner, patterns, column);
    std::size_t marks = 0;
    for (const Strip& strip : strips)
      for (const auto& columns : strip.columns) marks += columns.size();
    if (marks <= most_marks || halvings == 4) break;
  }
  Json list = Json::array();
  for (const Strip& strip : strips) {
    std::string shows;
    for (std::size_t p = 0; p < patterns; ++p) shows += runs.shows(p, strip.run);
    list.push_back({{"job", runs[strip.run].job},
                    {"start", moment(runs[strip.run].start)},
                    {"length", json_rounded(length_of(runs[strip.run]))},
                    {"shows", shows},
                    {"columns", strip.columns}});
  }
  return {{"column", column}, {"of", runs.numbered().size()}, {"runs", list}};
}

Json views_of(const Dossier& dossier, const Runs& runs, std::size_t patterns) {
  std::vector<const BurstLog*> logs;
  for (std::size_t p = 0; p < patterns; ++p) {
    const BurstLog* log = &dossier.log_of(dossier.finding.patterns[p]);
    if (std::find(logs.begin(), logs.end(), log) == logs.end()) logs.push_back(log);
  }
  Json views = Json::array();
  for (const BurstLog* log : logs) {
    const TimedLog timed(*log);
    const std::vector<std::uint8_t> owner = owners(dossier, patterns, *log);
    views.push_back({{"filesystem", log->filesystem},
                     {"direction", direction_names[log->direction]},
                     {"scatter", scatter_of(runs, timed, owner)},
                     {"strips", strips_of(runs, timed, owner, patterns)}});
  }
  return views;
}

}  // namespace

Json page_data(const Dossier& dossier, const PageOptions& options) {
  const Finding& finding = dossier.finding;
  const std::size_t patterns = std::min(finding.patterns.size(), most_patterns);
  const Runs runs(dossier, patterns);
  const PatternSettings& s = options.settings;
  Json data{{"format", 1},
            {"title", fmt::format("{}/{}/{}", finding.name.user, finding.name.name, finding.name.nodes)},
            {"generated", options.generated},
            {"version", options.version}};
  data["notes"] = Json::array();
  if (patterns < finding.patterns.size())
    data["notes"].push_back(fmt::format("{} patterns were found; the best {} of them are shown.", finding.patterns.size(), patterns));
  data["user"] = finding.name.user;
  data["name"] = finding.name.name;
  data["nodes"] = finding.name.nodes;
  data["state"] = state_name(finding.state);
  data["reason"] = finding.reason;
  data["provisional"] = finding.provisional;
  data["runs"] = finding.runs;
  data["runs_left_out"] = finding.runs_left_out;
  data["limits"] = {{"common", s.common},
                    {"support", s.support},
                    {"used", s.used},
                    {"jitter", s.most_jitter},
                    {"log10_disorder", s.log10_disorder},
                    {"log10_chance", s.log10_chance},
                    {"sure", s.sure},
                    {"scope_share", s.scope_share},
                    {"scope_periods", s.scope_periods}};
  data["patterns"] = Json::array();
  for (std::size_t p = 0; p < patterns; ++p) data["patterns"].push_back(pattern_data(dossier, finding.patterns[p]));
  data["views"] = views_of(dossier, runs, patterns);
  data["table"] = table_of(runs, patterns);
  return data;
}

}  // namespace fathom::mine
