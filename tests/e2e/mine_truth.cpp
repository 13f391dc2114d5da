// SPDX-License-Identifier: Apache-2.0
// How well applications' patterns are found on the synthetic machine `spider`, whose truth is known:
//   mine_truth [--seeds N] [--first SEED] [--days D] [--background B] [--most-running N] [--evidence FILE.csv] [--check] [--quiet] [--with-pattern]
// --with-pattern examines only applications that have one. Prints the tables of docs/mining.md; --check fails below what they promise. --evidence writes every candidate with its evidence and whether it is true.
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "mine/finding.h"
#include "spider_blocks.h"

using namespace fathom;

namespace {

struct Arguments {
  std::uint64_t seeds = 2, first = 1;
  double days = 28;
  titan::SpiderVariant variant{.cases = true};
  std::string evidence;
  bool check = false, quiet = false, with_pattern = false;
};

Arguments read_arguments(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--check") arguments.check = true;
    else if (word == "--quiet") arguments.quiet = true;
    else if (word == "--with-pattern") arguments.with_pattern = true;
    else if (i + 1 == count) std::exit((fmt::print(stderr, "mine_truth: {} needs a value\n", word), 2));
    else if (word == "--seeds") arguments.seeds = std::strtoul(words[++i], nullptr, 10);
    else if (word == "--first") arguments.first = std::strtoul(words[++i], nullptr, 10);
    else if (word == "--days") arguments.days = std::strtod(words[++i], nullptr);
    else if (word == "--background") arguments.variant.background = std::strtod(words[++i], nullptr);
    else if (word == "--most-running") arguments.variant.most_running = std::strtoul(words[++i], nullptr, 10);
    else if (word == "--evidence") arguments.evidence = words[++i];
    else std::exit((fmt::print(stderr, "mine_truth: unknown word {}\n", word), 2));
  }
  return arguments;
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

const TruePattern* match(const TrueApplication& truth, const mine::Pattern& pattern) {
  for (const auto& [number, each] : truth.patterns)
    if (each.direction == pattern.direction && titan::partition_names[each.partition] == pattern.filesystem && std::abs(pattern.period / each.period() - 1) < 0.1) return &each;
  return nullptr;
}

/// Over the seeds, of one pattern of one named application, or of all periodic ones together.
struct Row {
  std::size_t months = 0, found = 0;
  std::vector<double> period, coarse, volume, footprint, throughput;
  std::vector<double> truth_period, share;

  void add(const TruePattern& truth, const mine::Pattern& pattern) {
    ++found;
    period.push_back(std::abs(pattern.period / truth.period() - 1));
    coarse.push_back(std::abs(pattern.coarse_bytes / (truth.bytes / truth.bursts) - 1));
    volume.push_back(std::abs(pattern.burst_bytes / (truth.bytes / truth.bursts) - 1));
    footprint.push_back(std::abs(pattern.footprint / (truth.servers / truth.bursts) - 1));
    throughput.push_back(std::abs(pattern.throughput / median(truth.rates) - 1));
    share.push_back(pattern.support());
  }
  void print(std::string_view name) const {
    const auto percent = [](const std::vector<double>& errors) { return errors.empty() ? std::string("-") : fmt::format("{:.1f} %", 100 * median(errors)); };
    fmt::print("| {:<18} | {:>7.0f} s | {:>2} of {:>2} | {:>4.2f} | {:>6} | {:>6} | {:>6} | {:>6} | {:>6} |\n", name, median(truth_period), found, months, median(share), percent(period), percent(coarse),
               percent(volume), percent(footprint), percent(throughput));
  }
};

struct Tally {
  std::map<std::string, Row> rows;
  Row periodic;                              // all others that could be seen
  std::map<std::string, std::pair<std::size_t, std::size_t>> kinds;  // of applications without a pattern: how many, how many validated
  std::size_t validated = 0, right = 0, strange_patterns = 0, watch = 0;
};

/// "Could be seen": five runs of three bursts at least.
bool enough(const TrueApplication& truth, const TruePattern& pattern) { return pattern.runs >= 5 && pattern.bursts >= 3.5 * pattern.runs && truth.off * 100 <= truth.runs * 38; }

std::vector<mine::Finding> examine_all(const SpiderMonth& month) {
  std::vector<mine::TimedLog> logs(month.logs.begin(), month.logs.end());
  std::vector<mine::Finding> findings(month.applications.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < findings.size(); i = next++) findings[i] = mine::examine(month.applications[i], logs, month.end, {});
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) threads.emplace_back(work);
  work();
  threads.clear();
  return findings;
}

void judge(const SpiderMonth& month, const std::vector<mine::Finding>& findings, Tally& tally, bool quiet) {
  for (const mine::Finding& finding : findings) {
    const TrueApplication& truth = month.truths.at(finding.name);
    const bool validated = finding.state == mine::ApplicationState::validated;
    tally.validated += validated;
    tally.watch += finding.state == mine::ApplicationState::watch_list;
    std::set<const TruePattern*> seen;
    for (const mine::Pattern& pattern : finding.patterns) {
      if (!validated) break;
      const TruePattern* const one = match(truth, pattern);
      if (one) seen.insert(one);
      else ++tally.strange_patterns;
    }
    const bool has = !truth.patterns.empty();
    tally.right += validated && !seen.empty();
    if (!has) {
      auto& [all, wrong] = tally.kinds[std::string(titan::kind_name(truth.kind))];
      ++all;
      wrong += validated;
    }
    if (validated && seen.empty() && !quiet) fmt::print("  false: {} {} {}: {}\n", finding.name.user, finding.name.name, finding.name.nodes, finding.reason);
    for (const auto& [number, pattern] : truth.patterns) {
      const bool named = truth.kind == titan::Kind::pseudo || finding.name.user == month.case_user;
      if (!named && !enough(truth, pattern)) continue;
      Row& row = named ? tally.rows[finding.name.name + (number > 0 ? " (second)" : "")] : tally.periodic;
      ++row.months;
      row.truth_period.push_back(pattern.period());
      const mine::Pattern* best = nullptr;
      for (const mine::Pattern& each : finding.patterns)
        if (validated && match(truth, each) == &pattern && best == nullptr) best = &each;
      if (best) row.add(pattern, *best);
      else if (!quiet) fmt::print("  missed: {} {} every {:.0f} s, {} runs of which {} without I/O: {}, {}\n", finding.name.name, finding.name.nodes, pattern.period(), truth.runs, truth.off, state_name(finding.state), finding.reason);
    }
    if (!has && finding.name.user == month.case_user && truth.kind != titan::Kind::silent) continue;
  }
}

void write_evidence(std::FILE* file, std::uint64_t seed, const Arguments& arguments, const SpiderMonth& month) {
  std::vector<mine::TimedLog> logs(month.logs.begin(), month.logs.end());
  for (const mine::Application& application : month.applications) {
    const TrueApplication& truth = month.truths.at(application.name);
    for (const mine::TimedLog& log : logs)
      for (const mine::Pattern& p : mine::find_patterns(application, log, {})) {
        if (p.verdict == mine::Verdict::rare) continue;
        fmt::print(file, "{},{},{},{},{},{},{},{},{:.3f},{:.4f},{:.4f},{:.4f},{:.2f},{:.2f},{},{},{:.1f},{:.3f},{:.0f}\n", seed, arguments.variant.background, application.name.name, titan::kind_name(truth.kind),
                   match(truth, p) != nullptr ? 1 : 0, static_cast<int>(p.verdict), p.shown, p.judged, p.support(), p.jitter, p.elsewhere, p.shuffled_steady, p.log10_chance, p.log10_disorder, p.scope_hits,
                   p.scope_windows, p.score, p.used, p.period);
      }
  }
}

/// What docs/mining.md promises.
int check(const Tally& tally) {
  int failed = 0;
  const auto expect = [&](bool good, const std::string& what) {
    if (!good) fmt::print("FAILED: {}\n", what), failed = 1;
  };
  for (const auto& [name, row] : tally.rows) {
    if (!name.starts_with("IOR_")) continue;
    if (name == "IOR_H") {
      expect(row.found == 0, "IOR_H is too weak to be told");
      continue;
    }
    expect(row.found == row.months, fmt::format("{} found in {} of {}", name, row.found, row.months));
    expect(median(row.period) <= 0.02, name + ": period");
    expect(median(row.volume) <= 0.10, name + ": volume per burst");
    expect(median(row.footprint) <= 0.10, name + ": footprint");
    expect(median(row.throughput) <= 0.15, name + ": throughput");
  }
  for (const auto& [kind, counts] : tally.kinds)
    if (kind != "irregular") expect(counts.second == 0, fmt::format("{} of {} {} applications validated", counts.second, counts.first, kind));
  return failed;
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = read_arguments(count, words);
  std::FILE* const evidence = arguments.evidence.empty() ? nullptr : std::fopen(arguments.evidence.c_str(), "w");
  if (evidence) fmt::print(evidence, "seed,background,name,kind,true,verdict,shown,judged,support,jitter,elsewhere,shuffled,log10_chance,log10_disorder,scope_hits,scope_windows,score,used,period\n");
  Tally tally;
  double made = 0, examined = 0;
  for (std::uint64_t seed = arguments.first; seed < arguments.first + arguments.seeds; ++seed) {
    const auto begin = std::chrono::steady_clock::now();
    auto month = std::make_unique<SpiderMonth>();
    titan::simulate({.seed = seed, .days = arguments.days, .jobs = std::nullopt, .progress = [](double) {}}, *month, true, arguments.variant);
    if (arguments.with_pattern) std::erase_if(month->applications, [&](const mine::Application& each) { return month->truths.at(each.name).patterns.empty(); });
    const auto middle = std::chrono::steady_clock::now();
    const std::vector<mine::Finding> findings = examine_all(*month);
    examined += std::chrono::duration<double>(std::chrono::steady_clock::now() - middle).count();
    made += std::chrono::duration<double>(middle - begin).count();
    judge(*month, findings, tally, arguments.quiet);
    if (evidence) write_evidence(evidence, seed, arguments, *month);
    std::fflush(stdout);
  }
  if (evidence) std::fclose(evidence);
  fmt::print("| application        |    period |  found   | shown | period | volume before | volume | footprint | throughput |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, row] : tally.rows) row.print(name);
  tally.periodic.print("other periodic");
  for (const auto& [kind, counts] : tally.kinds) fmt::print("{} applications without a pattern: {}, validated: {}\n", kind, counts.first, counts.second);
  fmt::print("validated {}, of which {} have such a pattern (precision {:.3f}); patterns that are none: {}; on the watch list: {}\n", tally.validated, tally.right,
             static_cast<double>(tally.right) / std::max<double>(1, static_cast<double>(tally.validated)), tally.strange_patterns, tally.watch);
  fmt::print("{} months of {:g} days, background {:g}: {:.0f} s to make, {:.0f} s to examine\n", arguments.seeds, arguments.days, arguments.variant.background, made, examined);
  return arguments.check ? check(tally) : 0;
}
