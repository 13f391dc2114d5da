// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "mine/burst_clusters.h"
#include "mine/confidence.h"
#include "mine/counted.h"
#include "mine/outside.h"
#include "mine/pattern.h"
#include "mine/pattern_measures.h"
#include "mine/sightings.h"

namespace fathom::mine {
namespace {

// For groups and periods; all runs are asked for the best of them.
constexpr std::size_t most_runs_searched = 120, least_runs_searched = 30, most_bursts_searched = 2500;
constexpr std::size_t first_runs = 16;    // are searched first;
constexpr double promising = 0.3;         // if fewer of them show anything, so do the others
constexpr std::size_t least_samples = 2;  // one run cannot tell what comes again
constexpr double worth_a_look =
    0.25;  // share of the searched runs that show a group's bursts with a period; with fewer it will not become common
constexpr double remarkable = 2.5;       // standard deviations by which a time between bursts is more frequent than by chance
constexpr double alike = 0.85;           // share of a cluster that another one within it has: one of them is enough
constexpr std::size_t few_bursts = 200;  // so few may be too few for clusters: they are also tried all together
constexpr double one_size = 1.5;         // bursts whose areas differ by no more than this are of one size
constexpr std::size_t periods_kept = 2;  // of those that are frequent, tried with all spreads
constexpr double spreads[] = {0.03, 0.06, 0.12};
constexpr double least_spread_asked = 0.08;  // bursts wait for others' bursts: a run that is asked for a known pattern may be less even
constexpr double beyond_doubt = -10;         // log10 of the chance that as many steps are as even in disorder
constexpr std::size_t most_judged = 12;      // candidates that are compared with the time outside, best first
constexpr double shared_bursts = 0.3;        // patterns that have more in common are one

class Search {
 public:
  Search(const Application& application, const TimedLog& log, const PatternSettings& settings)
      : application_(application),
        settings_(settings),
        log_(log),
        lookout_(log_, settings_),
        counted_until_(mine::counted_until(application.runs)),
        busy_(application.runs, counted_until_) {}

  FoundPatterns all() {
    const std::size_t affordable = find_samples();
    if (samples_.size() < least_samples) return {};
    // Most applications have nothing to show, and a few of their runs tell.
    if (affordable >= 2 * first_runs) {
      search(first_runs);
      if (std::none_of(candidates_.begin(), candidates_.end(), [](const Pattern& each) { return each.support() >= promising; }))
        return choose();
    }
    search(affordable);
    return choose();
  }

 private:
  struct Sample {
    std::uint32_t run;
    double start, end, seen;
  };
  struct Member {
    std::uint32_t sample, burst;
  };

  /// Returns of how many of them the bursts are worth searching.
  std::size_t find_samples() {
    std::size_t bursts = 0;
    for (std::uint32_t i = 0; i < application_.runs.size(); ++i) {
      const Run& run = application_.runs[i];
      if (run.end > counted_until_) continue;
      const double start = seconds(run.start.time_since_epoch()), end = seconds(run.end.time_since_epoch());
      const double seen = log_.seen(start, end);
      if (!lookout_.can_show(seen, 2 * log_.step())) continue;
      samples_.push_back({i, start, end, seen});
      const auto [first, last] = log_.within(start, end);
      if (samples_.size() == 1) first_burst_ = first;
      bursts += last - first;
    }
    const std::size_t affordable = samples_.size() * most_bursts_searched / std::max(bursts, most_bursts_searched);
    return std::min(samples_.size(), std::clamp(affordable, least_runs_searched, most_runs_searched));
  }

  /// Of very many runs some, evenly: what is common to all of them is common to these.
  void search(std::size_t runs) {
    searched_.clear();
    searched_seen_.clear();
    members_.clear();
    candidates_.clear();
    for (std::size_t k = 0; k < runs; ++k) {
      const auto s = static_cast<std::uint32_t>(k * samples_.size() / runs);
      searched_.push_back(s);
      searched_seen_.push_back(samples_[s].seen);
      const auto [first, last] = log_.within(samples_[s].start, samples_[s].end);
      for (std::uint32_t burst = first; burst < last; ++burst) members_.push_back({s, burst});
    }
    std::sort(searched_seen_.begin(), searched_seen_.end());
    if (members_.size() >= settings_.least_bursts) try_groups();
  }

  void try_groups() {
    std::vector<BurstSize> sizes;
    for (const Member& member : members_) sizes.push_back({log_.log().bursts[member.burst].height, log_.log().bursts[member.burst].area});
    const BurstClusters groups = cluster_bursts(sizes, BurstClusterSettings::of(sizes.size()));
    std::vector<XiClusters::Cluster> tried;
    for (const auto& cluster : groups.clusters) {
      const auto nearly_the_same = [&](const XiClusters::Cluster& other) {
        return other.first >= cluster.first && other.last <= cluster.last &&
               other.last - other.first >= alike * (cluster.last - cluster.first);
      };
      if (std::any_of(tried.begin(), tried.end(), nearly_the_same)) continue;
      tried.push_back(cluster);
      const auto members = groups.bursts(cluster);
      try_group({members.begin(), members.end()});
    }
    // Few bursts may be too few for clusters. And bursts that are all alike make clusters of what only their place on the grid has in
    // common: each of one run, or of every third burst.
    if (members_.size() > few_bursts && !all_alike(sizes)) return;
    std::vector<std::uint32_t> everything(members_.size());
    std::iota(everything.begin(), everything.end(), 0u);
    try_group(std::move(everything));
  }

  /// But for one in twenty at either end.
  static bool all_alike(const std::vector<BurstSize>& sizes) {
    std::vector<double> areas;
    for (const BurstSize& size : sizes) areas.push_back(size.area);
    const auto low = areas.begin() + static_cast<std::ptrdiff_t>(areas.size() / 20),
               high = areas.end() - 1 - static_cast<std::ptrdiff_t>(areas.size() / 20);
    std::nth_element(areas.begin(), low, areas.end());
    const double smallest = *low;
    std::nth_element(areas.begin(), high, areas.end());
    return *high <= one_size * smallest;
  }

  /// Members of a group by sample: [begin, end) of `group_`.
  struct Part {
    std::uint32_t sample, begin, end;
  };

  void try_group(std::vector<std::uint32_t> members) {
    std::sort(members.begin(), members.end());
    group_.clear();
    std::vector<Part> parts;
    for (const std::uint32_t each : members) {
      const Member& member = members_[each];
      if (parts.empty() || parts.back().sample != member.sample)
        parts.push_back({member.sample, static_cast<std::uint32_t>(group_.size()), 0});
      group_.push_back(member.burst);
      parts.back().end = static_cast<std::uint32_t>(group_.size());
    }
    std::erase_if(parts, [this](const Part& part) { return part.end - part.begin < settings_.least_bursts; });
    if (parts.empty()) return;
    double longest = 0;
    for (const Part& part : parts) longest = std::max(longest, samples_[part.sample].seen / static_cast<double>(settings_.least_bursts));
    const ChainLimits limits{.shortest = 2 * log_.step(), .longest = std::min(longest, longest_period), .resolution = log_.step()};
    if (limits.longest <= limits.shortest) return;
    LagCounts lags(limits);
    std::vector<double> times;
    for (const Part& part : parts) {
      times.clear();
      for (std::uint32_t i = part.begin; i < part.end; ++i) times.push_back(log_.start(group_[i]));
      lags.add(times);
    }
    std::vector<double> lengths;
    for (const std::uint32_t burst : group_) lengths.push_back(log_.length(burst));
    const double usual_length = median(lengths);
    std::vector<Pattern> tried;
    for (const double period : lags.frequent(remarkable))
      if (Pattern pattern = with(parts, period, spreads[1], usual_length); pattern.shown > 0) tried.push_back(std::move(pattern));
    if (tried.empty()) return;
    std::stable_sort(tried.begin(), tried.end(), [](const Pattern& a, const Pattern& b) { return a.score > b.score; });
    Pattern best = tried[0];
    for (std::size_t i = 0; i < std::min(tried.size(), periods_kept); ++i)
      for (const double spread : {spreads[0], spreads[2]})
        if (Pattern pattern = with(parts, tried[i].period, spread, usual_length); pattern.score > best.score) best = std::move(pattern);
    if (best.shown == 0) return;
    // Bursts of the pattern that the group does not have: by their size alone, twice, as the size becomes clearer.
    for (int i = 0; i < 2 && best.shown > 0; ++i) ask(best, searched_);
    if (best.shown > 0) candidates_.push_back(std::move(best));
  }

  Pattern with(const std::vector<Part>& parts, double period, double spread, double usual_length) {
    Pattern pattern;
    pattern.period = period;
    pattern.spread = spread;
    pattern.usual_length = usual_length;
    ++generation_;
    const auto able = searched_seen_.end() - std::partition_point(searched_seen_.begin(), searched_seen_.end(),
                                                                  [&](double seen) { return !lookout_.can_show(seen, period); });
    const double needed = worth_a_look * static_cast<double>(able);
    std::size_t left = parts.size();
    for (const Part& part : parts) {
      if (static_cast<double>(pattern.shown + left--) < needed || hopeless(pattern)) return {};
      const Sample& sample = samples_[part.sample];
      if (!lookout_.can_show(sample.seen, period)) continue;
      Sighting sighting = lookout_.look_at(std::span(group_).subspan(part.begin, part.end - part.begin), sample.start, sample.end, period,
                                           spread, usual_length);
      sighting.run = sample.run;
      count(pattern, std::move(sighting));
    }
    return pattern;
  }

  /// So few of the runs so far that the rest will hardly make up for it.
  static bool hopeless(const Pattern& pattern) {
    const auto asked = static_cast<double>(pattern.sightings.size());
    return static_cast<double>(pattern.shown) < worth_a_look * asked - 1.5 * std::sqrt(asked * worth_a_look * (1 - worth_a_look));
  }

  /// Runs at the same time see the same bursts: that is one observation, not several.
  void count(Pattern& pattern, Sighting sighting) {
    if (sighting.shown) {
      const auto known = [this](std::uint32_t burst) {
        return counted_.size() > burst - first_burst_ && counted_[burst - first_burst_] == generation_;
      };
      const auto shared = static_cast<std::size_t>(std::count_if(sighting.bursts.begin(), sighting.bursts.end(), known));
      sighting.again = 2 * shared > sighting.bursts.size();
      counted_.resize(std::max<std::size_t>(counted_.size(), sighting.bursts.back() - first_burst_ + 1), 0);
      for (const std::uint32_t burst : sighting.bursts) counted_[burst - first_burst_] = generation_;
    }
    pattern.judged += !sighting.again;
    if (sighting.shown && !sighting.again) {
      ++pattern.shown;
      pattern.bursts += sighting.bursts.size();
      pattern.alike += sighting.alike;
      pattern.typical += sighting.typical;
      pattern.score += sighting.score;
    }
    pattern.sightings.push_back(std::move(sighting));
  }

  void ask(Pattern& pattern, const std::vector<std::uint32_t>& samples) {
    measure_period(pattern, log_);
    Pattern next;
    next.period = pattern.period;
    next.period_error = pattern.period_error;
    next.spread = std::max(pattern.spread, least_spread_asked);
    next.region = region_of(pattern, log_);
    next.usual_length = usual_length_of(pattern, log_);
    ++generation_;
    for (const std::uint32_t each : samples) {
      const Sample& sample = samples_[each];
      if (!lookout_.can_show(sample.seen, next.period)) continue;
      Sighting sighting = lookout_.look(sample.start, sample.end, next.period, next.spread, next.usual_length, next.region);
      sighting.run = sample.run;
      count(next, std::move(sighting));
    }
    pattern = std::move(next);
  }

  static std::vector<std::uint32_t> bursts_of(const Pattern& pattern) {
    std::vector<std::uint32_t> all;
    for (const Sighting& sighting : pattern.sightings)
      if (counts(sighting)) all.insert(all.end(), sighting.bursts.begin(), sighting.bursts.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  static bool same(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    std::vector<std::uint32_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return static_cast<double>(both.size()) > shared_bursts * static_cast<double>(std::min(a.size(), b.size()));
  }

  FoundPatterns choose() {
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Pattern& a, const Pattern& b) { return a.score > b.score; });
    std::vector<Pattern> chosen;
    std::vector<std::vector<std::uint32_t>> taken;
    std::size_t judged = 0;
    for (const bool valid_ones : {true, false})
      for (Pattern& candidate : candidates_) {
        if (valid_ones && candidate.verdict == Verdict::rare) judge(candidate, judged);
        if ((candidate.verdict == Verdict::valid) != valid_ones) continue;
        std::vector<std::uint32_t> bursts = bursts_of(candidate);
        if (std::any_of(taken.begin(), taken.end(), [&](const auto& other) { return same(bursts, other); })) continue;
        taken.push_back(std::move(bursts));
        describe(candidate, application_, log_);
        chosen.push_back(std::move(candidate));
      }
    return {std::move(chosen), judged > 0};
  }

  void judge(Pattern& pattern, std::size_t& judged) {
    if (!pattern.common(settings_.common) || judged == most_judged) return;
    ++judged;
    if (searched_.size() < samples_.size()) {
      std::vector<std::uint32_t> everyone(samples_.size());
      std::iota(everyone.begin(), everyone.end(), 0u);
      ask(pattern, everyone);
      if (!pattern.common(settings_.common)) return;
    }
    compare_shuffled(application_, log_, lookout_, steps_of(pattern, log_), pattern);
    compare_elsewhere(application_, busy_, log_, settings_, lookout_, pattern);
    check_scope(application_, busy_, log_, settings_, pattern);
    const bool goes_on = pattern.scope_windows > 0 &&
                         static_cast<double>(pattern.scope_hits) >= settings_.scope_share * static_cast<double>(pattern.scope_windows);
    pattern.used = static_cast<double>(pattern.typical) / static_cast<double>(std::max<std::size_t>(pattern.alike, 1));
    // Few runs cannot prove much; they only lead to the watch list.
    const double weight = std::min(1.0, static_cast<double>(pattern.shown) / static_cast<double>(settings_.support + 2));
    const double blur = log_.step() / std::sqrt(6.0) / pattern.period;
    // Bursts that wait for others' are less even, whatever the program does; if there are so many that chance is out of the question, more
    // is allowed.
    const double allowed = pattern.log10_disorder <= beyond_doubt ? 2 * settings_.most_jitter : settings_.most_jitter;
    const bool regular = pattern.jitter <= std::hypot(allowed, blur) && pattern.used >= settings_.used &&
                         pattern.log10_disorder <= weight * settings_.log10_disorder;
    pattern.confidence = confidence_of(pattern);
    const bool chance = pattern.log10_chance > weight * settings_.log10_chance && pattern.confidence < settings_.sure;
    pattern.verdict = !regular ? Verdict::irregular : goes_on ? Verdict::out_of_scope : chance ? Verdict::chance : Verdict::valid;
  }

  const Application& application_;
  const PatternSettings& settings_;
  const TimedLog& log_;
  Lookout lookout_;
  Time counted_until_;
  RunTimes busy_;
  std::vector<Sample> samples_;
  std::vector<std::uint32_t> searched_;  // of the samples
  std::vector<double> searched_seen_;    // their measured seconds, rising
  std::vector<Member> members_;
  std::vector<std::uint32_t> group_;
  std::vector<Pattern> candidates_;
  std::uint32_t first_burst_ = 0;       // of all samples
  std::vector<std::uint32_t> counted_;  // by burst from there on: the generation of patterns that has it
  std::uint32_t generation_ = 0;
};

}  // namespace

FoundPatterns find_patterns(const Application& application, const TimedLog& log, const PatternSettings& settings) {
  return Search(application, log, settings).all();
}

}  // namespace fathom::mine
