// SPDX-License-Identifier: Apache-2.0
// How well applications' patterns are found on the synthetic machine `spider`, whose truth is known: mine_truth [SEEDS] [DAYS] [FIRST SEED].
#include <chrono>
#include <cmath>

#include "mine/pattern.h"
#include "spider_blocks.h"

using namespace fathom;

int main(int count, char** arguments) {
  const auto seeds = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 1;
  const double days = count > 2 ? std::strtod(arguments[2], nullptr) : 28;
  const std::uint64_t first = count > 3 ? std::strtoul(arguments[3], nullptr, 10) : 1;
  const bool all = count > 4;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const auto t0 = std::chrono::steady_clock::now();
    SpiderMonth month;
    titan::simulate({.seed = seed, .days = days, .jobs = std::nullopt, .progress = [](double) {}}, month);
    const auto t1 = std::chrono::steady_clock::now();
    std::vector<mine::TimedLog> logs(month.logs.begin(), month.logs.end());
    std::size_t found = 0, wrong = 0, missed = 0;
    for (const mine::Application& application : month.applications) {
      const TrueApplication& truth = month.truths[application.name];
      const bool has = !truth.patterns.empty();
      if (getenv("ONLY") && !has) continue;
      bool valid = false;
      std::string lines;
      for (const mine::TimedLog& log : logs)
        for (const mine::Pattern& pattern : mine::find_patterns(application, log, {})) {
          valid = valid || pattern.verdict == mine::Verdict::valid;
          char line[400];
          std::snprintf(line, sizeof line, "    %s %zu verdict %d period %.1f +- %.1f spread %.2f jit %.3f shown %zu/%zu elsewhere %.3f chance %.1f shuf %.3f %.1f scope %zu/%zu bytes %.3g (%.3g) s %.1f fp %.1f score %.0f\n",
                        pattern.filesystem.c_str(), pattern.direction, static_cast<int>(pattern.verdict), pattern.period, pattern.period_error, pattern.spread, pattern.jitter, pattern.shown, pattern.judged,
                        pattern.elsewhere, pattern.log10_chance, pattern.shuffled_steady, pattern.log10_disorder, pattern.scope_hits, pattern.scope_windows, pattern.burst_bytes, pattern.coarse_bytes, pattern.burst_s, pattern.footprint, pattern.score);
          if (getenv("BRIEF") && pattern.verdict != mine::Verdict::valid) { bool near=false; for (auto& [n,t]: truth.patterns) near = near || (t.partition == (size_t)(pattern.filesystem=="atlas2") && std::abs(pattern.period/t.period()-1)<0.1); if (!near) continue; }
          if (pattern.verdict == mine::Verdict::valid || has) lines += line;
        }
      found += valid && has;
      wrong += valid && !has;
      missed += !valid && has;
      if ((valid && !has) || (has && (all || !valid))) {
        std::printf("%s %s %s %u: kind %d runs %zu off %zu\n", valid ? has ? "FOUND" : "WRONG" : "MISSED", application.name.user.c_str(), application.name.name.c_str(), application.name.nodes,
                    static_cast<int>(truth.kind), truth.runs, truth.off);
        for (const auto& [number, pattern] : truth.patterns)
          std::printf("  truth atlas%zu %zu period %.1f bursts %.0f in %.0f runs, bytes %.3g s %.1f fp %.1f\n", pattern.partition + 1, pattern.direction, pattern.period(), pattern.bursts, pattern.runs,
                      pattern.bytes / pattern.bursts, pattern.seconds / pattern.bursts, pattern.servers / pattern.bursts);
        std::printf("%s", lines.c_str());
      }
    }
    const auto t2 = std::chrono::steady_clock::now();
    std::printf("seed %lu: %zu applications, found %zu, wrong %zu, missed %zu; bursts %zu %zu %zu %zu; %.1f s made, %.1f s searched\n", seed, month.applications.size(), found, wrong, missed,
                month.logs[0].bursts.size(), month.logs[1].bursts.size(), month.logs[2].bursts.size(), month.logs[3].bursts.size(), std::chrono::duration<double>(t1 - t0).count(),
                std::chrono::duration<double>(t2 - t1).count());
  }
}
