// SPDX-License-Identifier: Apache-2.0
// How well applications' patterns are found on the synthetic machine `spider`, whose truth is known:
//   mine_truth [--seeds N] [--first SEED] [--days D] [--background B] [--running N,N...] [--runs N] [--every N] [--threads N] [--keep
//   FOLDER [--make]]
//              [--evidence FILE.csv] [--check] [--quiet]
// --running: how many jobs may run at a time, seed by seed in turn. --runs: of each application only so many runs. --every: of the
// applications that have no pattern and are no case only every n-th. --keep: months that were made are kept there. Prints the tables of
// docs/mining.md; --check fails below what they promise. --evidence writes every pattern that is reported, valid or not, with its evidence
// and whether it is true.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>

#include "mine/finding.h"
#include "spider_month_file.h"

using namespace fathom;

namespace {

struct Arguments {
  std::uint64_t seeds = 2, first = 1;
  double days = 28;
  titan::SpiderVariant variant{.cases = true};
  std::vector<std::size_t> running = {titan::most_running_jobs};  // seed by seed in turn
  std::size_t runs = 0;                                           // at most so many of each application, chosen evenly; 0: all
  std::size_t every = 1;                                          // of the applications without a pattern and a case only every n-th
  unsigned threads = 1;
  std::string keep, evidence;
  bool check = false, quiet = false, make = false;

  titan::SpiderVariant variant_of(std::uint64_t seed) const {
    titan::SpiderVariant one = variant;
    one.most_running = running[seed % running.size()];
    return one;
  }
};

std::vector<std::size_t> numbers_of(const char* text) {
  std::vector<std::size_t> numbers;
  for (char* end = nullptr; *text != 0; text = *end == ',' ? end + 1 : end) {
    numbers.push_back(std::strtoul(text, &end, 10));
    if (end == text) std::exit((fmt::print(stderr, "mine_truth: no number: {}\n", text), 2));
  }
  return numbers;
}

Arguments read_arguments(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--check")
      arguments.check = true;
    else if (word == "--quiet")
      arguments.quiet = true;
    else if (word == "--make")
      arguments.make = true;
    else if (i + 1 == count)
      std::exit((fmt::print(stderr, "mine_truth: {} needs a value\n", word), 2));
    else if (word == "--seeds")
      arguments.seeds = std::strtoul(words[++i], nullptr, 10);
    else if (word == "--first")
      arguments.first = std::strtoul(words[++i], nullptr, 10);
    else if (word == "--days")
      arguments.days = std::strtod(words[++i], nullptr);
    else if (word == "--background")
      arguments.variant.background = std::strtod(words[++i], nullptr);
    else if (word == "--running")
      arguments.running = numbers_of(words[++i]);
    else if (word == "--runs")
      arguments.runs = std::strtoul(words[++i], nullptr, 10);
    else if (word == "--every")
      arguments.every = std::strtoul(words[++i], nullptr, 10);
    else if (word == "--threads")
      arguments.threads = static_cast<unsigned>(std::strtoul(words[++i], nullptr, 10));
    else if (word == "--keep")
      arguments.keep = words[++i];
    else if (word == "--evidence")
      arguments.evidence = words[++i];
    else
      std::exit((fmt::print(stderr, "mine_truth: unknown word {}\n", word), 2));
  }
  return arguments;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return NAN;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(q * static_cast<double>(values.size())))];
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

const TruePattern* match(const TrueApplication& truth, const mine::Pattern& pattern) {
  for (const auto& [number, each] : truth.patterns)
    if (each.direction == pattern.direction && titan::partition_names[each.partition] == pattern.filesystem &&
        std::abs(pattern.period / each.period() - 1) < 0.1)
      return &each;
  return nullptr;
}

/// Over the seeds, of one pattern of one named application, or of all periodic ones together.
struct Row {
  std::size_t months = 0, found = 0, watched = 0;
  std::vector<double> period, coarse, volume, footprint, throughput;
  std::vector<double> truth_period, share;
  std::vector<double> each_before, each_after;  // of each burst by itself

  void add(const TruePattern& truth, const mine::Pattern& pattern, const MonthOfSpider& month) {
    ++found;
    const auto log = std::find_if(month.logs.begin(), month.logs.end(), [&](const mine::BurstLog& each) {
      return each.filesystem == pattern.filesystem && each.direction == pattern.direction;
    });
    for (const mine::Sighting& sighting : pattern.sightings)
      for (const std::uint32_t burst : sighting.shown ? sighting.bursts : std::vector<std::uint32_t>{}) {
        if (log->bursts[burst].servers == 0) continue;
        each_before.push_back(std::abs(log->bursts[burst].area / (truth.bytes / truth.bursts) - 1));
        each_after.push_back(std::abs(log->bursts[burst].own_area / (truth.bytes / truth.bursts) - 1));
      }
    period.push_back(std::abs(pattern.period / truth.period() - 1));
    coarse.push_back(std::abs(pattern.coarse_bytes / (truth.bytes / truth.bursts) - 1));
    volume.push_back(std::abs(pattern.burst_bytes / (truth.bytes / truth.bursts) - 1));
    footprint.push_back(std::abs(pattern.footprint / (truth.servers / truth.bursts) - 1));
    throughput.push_back(std::abs(pattern.throughput / median(truth.rates) - 1));
    share.push_back(pattern.support());
  }
  void print(std::string_view name) const {
    const auto percent = [](const std::vector<double>& errors) {
      return errors.empty() ? std::string("-") : fmt::format("{:.1f} %", 100 * median(errors));
    };
    const auto both = [](const std::vector<double>& errors) {
      return errors.empty() ? std::string("-") : fmt::format("{:.1f} / {:.0f} %", 100 * median(errors), 100 * quantile(errors, 0.9));
    };
    fmt::print("| {:<22} | {:>5.0f} s | {} of {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, median(truth_period), found,
               months, watched, share.empty() ? "-" : fmt::format("{:.2f}", median(share)), percent(period), percent(coarse),
               percent(volume), percent(footprint), percent(throughput), both(each_before), both(each_after));
  }
};

/// How often what is said with such a confidence is true.
struct Reliability {
  double said = 0, right = 0, claimed = 0;
};
constexpr std::array<double, 8> bins = {0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1.01};

struct Tally {
  std::map<std::string, Row> rows;
  Row periodic;                                                      // all others that could be seen
  std::map<std::string, std::pair<std::size_t, std::size_t>> kinds;  // of applications without a pattern: how many, how many validated
  std::size_t validated = 0, right = 0, patterns = 0, strange_patterns = 0, watch = 0, could = 0, seen = 0;
  std::map<mine::ApplicationState, std::size_t> states;
  std::array<Reliability, bins.size()> reliability;
};

/// "Could be seen": five runs of three bursts at least.
bool enough(const TrueApplication& truth, const TruePattern& pattern) {
  return pattern.runs >= 5 && pattern.bursts >= 3.5 * pattern.runs && truth.off * 100 <= truth.runs * 38;
}

std::vector<mine::Finding> examine_all(const MonthOfSpider& month, unsigned thread_count) {
  std::vector<mine::TimedLog> logs(month.logs.begin(), month.logs.end());
  std::vector<mine::Finding> findings(month.applications.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < findings.size(); i = next++) findings[i] = mine::examine(month.applications[i], logs, month.end, {});
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 1; t < thread_count; ++t) threads.emplace_back(work);
  work();
  threads.clear();
  return findings;
}

/// Of applications of which only some are examined, each counts for those that are not.
bool one_of_many(const MonthOfSpider& month, const mine::ApplicationName& name) {
  return month.truths.at(name).patterns.empty() && name.user != MonthOfSpider::case_user;
}

/// Fewer applications, and fewer runs of each.
void thin_out(MonthOfSpider& month, const Arguments& arguments) {
  std::size_t number = 0;
  std::erase_if(month.applications,
                [&](const mine::Application& each) { return one_of_many(month, each.name) && number++ % arguments.every != 0; });
  if (arguments.runs == 0) return;
  for (mine::Application& each : month.applications) {
    if (each.runs.size() <= arguments.runs) continue;
    std::vector<mine::Run> some;
    for (std::size_t i = 0; i < arguments.runs; ++i) some.push_back(each.runs[(2 * i + 1) * each.runs.size() / (2 * arguments.runs)]);
    each.runs = std::move(some);
  }
}

void judge_patterns(const MonthOfSpider& month, const mine::Finding& finding, Tally& tally, bool quiet) {
  const TrueApplication& truth = month.truths.at(finding.name);
  const bool validated = finding.state == mine::ApplicationState::validated;
  for (const auto& [number, pattern] : truth.patterns) {
    const bool named = truth.kind == titan::Kind::pseudo || finding.name.user == month.case_user;
    const bool could = enough(truth, pattern) && finding.name.name != "IOR_H";
    if (!named && !could) continue;
    Row& row = named ? tally.rows[finding.name.name + (number > 0 ? " (second)" : "")] : tally.periodic;
    ++row.months;
    row.truth_period.push_back(pattern.period());
    row.watched += finding.state == mine::ApplicationState::watch_list;
    const auto found = std::find_if(finding.patterns.begin(), finding.patterns.end(),
                                    [&, one = &pattern](const mine::Pattern& each) { return validated && match(truth, each) == one; });
    tally.could += could;
    tally.seen += could && found != finding.patterns.end();
    if (found != finding.patterns.end())
      row.add(pattern, *found, month);
    else if (!quiet)
      fmt::print("  missed: {} {} every {:.0f} s, {} runs of which {} without I/O: {}, {}\n", finding.name.name, finding.name.nodes,
                 pattern.period(), truth.runs, truth.off, state_name(finding.state), finding.reason);
  }
}

void judge(const MonthOfSpider& month, const std::vector<mine::Finding>& findings, Tally& tally, const Arguments& arguments) {
  const bool quiet = arguments.quiet;
  for (const mine::Finding& finding : findings) {
    const TrueApplication& truth = month.truths.at(finding.name);
    const bool validated = finding.state == mine::ApplicationState::validated;
    ++tally.states[finding.state];
    tally.validated += validated;
    std::size_t right = 0;
    for (const mine::Pattern& pattern : finding.patterns) {
      const bool true_one = match(truth, pattern) != nullptr;
      Reliability& bin =
          tally.reliability[static_cast<std::size_t>(std::upper_bound(bins.begin(), bins.end() - 1, pattern.confidence) - bins.begin())];
      const double weight = one_of_many(month, finding.name) ? static_cast<double>(arguments.every) : 1;
      bin.said += weight;
      bin.right += true_one ? weight : 0;
      bin.claimed += weight * pattern.confidence;
      if (!validated) continue;
      ++tally.patterns;
      right += true_one;
      if (true_one) continue;
      ++tally.strange_patterns;
      if (!quiet)
        fmt::print("  strange: {} {} ({}): {:.0f} s\n", finding.name.name, finding.name.nodes, titan::kind_name(truth.kind),
                   pattern.period);
    }
    tally.right += right > 0;
    if (truth.patterns.empty()) {
      auto& [all, wrong] = tally.kinds[std::string(titan::kind_name(truth.kind))];
      ++all;
      wrong += validated;
    }
    if (validated && right == 0 && !quiet)
      fmt::print("  false: {} {} {}: {}\n", finding.name.user, finding.name.name, finding.name.nodes, finding.reason);
    judge_patterns(month, finding, tally, quiet);
  }
}

void write_evidence(std::FILE* file, std::uint64_t seed, const Arguments& arguments, const MonthOfSpider& month,
                    const std::vector<mine::Finding>& findings) {
  for (const mine::Finding& finding : findings) {
    const TrueApplication& truth = month.truths.at(finding.name);
    for (const mine::Pattern& p : finding.patterns)
      fmt::print(file, "{},{},{},{},\"{}\",{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.2f},{:.2f},{},{},{:.1f},{:.3f},{:.0f},{:.4f}\n",
                 seed, arguments.variant.background, arguments.runs, one_of_many(month, finding.name) ? arguments.every : 1,
                 finding.name.name, titan::kind_name(truth.kind), match(truth, p) != nullptr ? 1 : 0, state_name(finding.state),
                 static_cast<int>(p.verdict), p.shown, p.judged, p.jitter, p.elsewhere, p.steady, p.shuffled_steady, p.log10_chance,
                 p.log10_disorder, p.scope_hits, p.scope_windows, p.score, p.used, p.period, p.confidence);
  }
}

double share(std::size_t part, std::size_t all) { return static_cast<double>(part) / std::max(static_cast<double>(all), 1.0); }

void print(const Tally& tally) {
  fmt::print(
      "| application | period | validated | watch list | runs that show it | period | volume before | volume | footprint | throughput | "
      "one burst before | one burst |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, row] : tally.rows) row.print(name);
  tally.periodic.print("other periodic");
  for (const auto& [kind, counts] : tally.kinds)
    fmt::print("{} applications without a pattern: {}, validated: {}\n", kind, counts.first, counts.second);
  for (const auto& [state, count] : tally.states) fmt::print("{}: {}  ", state_name(state), count);
  fmt::print("\nvalidated {}, of which {} have such a pattern: precision {:.4f}; of {} patterns {} are none\n", tally.validated,
             tally.right, share(tally.right, tally.validated), tally.patterns, tally.strange_patterns);
  fmt::print("patterns that could be seen {}, seen {}: recall {:.4f}\n", tally.could, tally.seen, share(tally.seen, tally.could));
  fmt::print("| confidence | said | mean | true |\n|---|---|---|---|\n");
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const Reliability& bin = tally.reliability[i];
    if (bin.said > 0)
      fmt::print("| {:g} to {:g} | {:.0f} | {:.3f} | {:.3f} |\n", i > 0 ? bins[i - 1] : 0, std::min(bins[i], 1.0), bin.said,
                 bin.claimed / bin.said, bin.right / bin.said);
  }
}

/// What docs/mining.md promises.
int check(const Tally& tally) {
  int failed = 0;
  const auto expect = [&](bool good, const std::string& what) {
    if (!good) fmt::print("FAILED: {}\n", what), failed = 1;
  };
  std::vector<double> before, after;
  for (const auto& [name, row] : tally.rows) {
    if (name.starts_with("few_runs") || name == "IOR_H")
      expect(row.found == 0, fmt::format("{} validated {} times: too few runs, or too weak", name, row.found));
    if (!name.starts_with("IOR_") || name == "IOR_H") continue;
    expect(row.found == row.months, fmt::format("{} found in {} of {}", name, row.found, row.months));
    expect(median(row.period) <= 0.02, name + ": period");
    expect(median(row.volume) <= 0.10, name + ": volume per burst");
    expect(median(row.footprint) <= 0.10, name + ": footprint");
    expect(median(row.throughput) <= 0.15, name + ": throughput");
    before.insert(before.end(), row.each_before.begin(), row.each_before.end());
    after.insert(after.end(), row.each_after.begin(), row.each_after.end());
  }
  expect(!before.empty() && median(after) < 0.7 * median(before),
         fmt::format("volumes of single bursts are {:.1f} % off after refinement, {:.1f} % before", 100 * median(after),
                     100 * median(before)));
  Reliability sure, unlikely;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    Reliability& side = i > 0 && bins[i - 1] >= 0.97 ? sure : unlikely;
    if (&side == &unlikely && bins[i] > 0.1) continue;
    side.said += tally.reliability[i].said;
    side.right += tally.reliability[i].right;
  }
  expect(sure.right >= 0.95 * sure.said && sure.said > 0,
         fmt::format("of {:.0f} patterns with a confidence of 0.97 or more {:.0f} are true", sure.said, sure.right));
  expect(unlikely.right <= 0.02 * unlikely.said,
         fmt::format("of {:.0f} patterns with a confidence below 0.1 {:.0f} are true", unlikely.said, unlikely.right));
  for (const auto& [kind, counts] : tally.kinds)
    expect(counts.second == 0, fmt::format("{} of {} {} applications validated", counts.second, counts.first, kind));
  return failed;
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = read_arguments(count, words);
  std::FILE* const evidence = arguments.evidence.empty() ? nullptr : std::fopen(arguments.evidence.c_str(), "w");
  if (evidence)
    fmt::print(evidence,
               "seed,background,runs,weight,name,kind,true,state,verdict,shown,judged,jitter,elsewhere,steady,shuffled,log10_chance,log10_"
               "disorder,scope_hits,scope_windows,score,used,period,confidence\n");
  Tally tally;
  double made = 0, examined = 0;
  for (std::uint64_t seed = arguments.first; seed < arguments.first + arguments.seeds; ++seed) {
    const auto begin = std::chrono::steady_clock::now();
    const std::unique_ptr<MonthOfSpider> month = spider_month(arguments.keep, seed, arguments.days, arguments.variant_of(seed));
    const auto middle = std::chrono::steady_clock::now();
    made += std::chrono::duration<double>(middle - begin).count();
    if (arguments.make) continue;
    thin_out(*month, arguments);
    const std::vector<mine::Finding> findings = examine_all(*month, arguments.threads);
    examined += std::chrono::duration<double>(std::chrono::steady_clock::now() - middle).count();
    judge(*month, findings, tally, arguments);
    if (evidence) write_evidence(evidence, seed, arguments, *month, findings);
    std::fflush(stdout);
  }
  if (evidence) std::fclose(evidence);
  print(tally);
  fmt::print("{} months of {:g} days, background {:g}: {:.0f} s to make, {:.0f} s to examine\n", arguments.seeds, arguments.days,
             arguments.variant.background, made, examined);
  return arguments.check ? check(tally) : 0;
}
