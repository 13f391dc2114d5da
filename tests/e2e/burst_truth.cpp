// SPDX-License-Identifier: Apache-2.0
// How well bursts are found in the traffic of the synthetic machine `spider`, whose truth is known: burst_truth [SEEDS] [DAYS] [FIRST
// SEED]. Prints a table and fails below what docs/mining.md promises.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "mine/bursts.h"
#include "synth/spider_simulation.h"

using namespace fathom;

namespace {

struct TrueBurst {
  double start, end, bytes;  // seconds of the log
};

/// A partition's aggregate traffic and the regular bursts in it.
struct Partition {
  TrafficSeries series;
  std::vector<TrueBurst> bursts;
};

class Listener : public titan::Watcher {
 public:
  Listener() {
    for (Partition& partition : partitions)
      partition.series = {.start = time_from_seconds(0), .step = std::chrono::seconds{10}, .amounts = {}};
  }
  void reading(titan::Millis t, const titan::StepBytes& values) override {
    if (last_t_) {
      const auto slot = static_cast<std::size_t>(t / titan::step - 1);
      const bool gap = t - *last_t_ > titan::step;
      for (std::size_t p = 0; p < titan::partition_count; ++p) {
        auto& amounts = partitions[p].series.amounts;
        amounts.resize(slot, unknown_amount);
        double sum = 0;
        for (std::size_t d = 0; d < 2; ++d)
          for (std::size_t ost = p * titan::partition_osts; ost < (p + 1) * titan::partition_osts; ++ost)
            sum += static_cast<double>(values[d][ost] >= last_[d][ost] ? values[d][ost] - last_[d][ost] : values[d][ost]);
        amounts.push_back(gap ? unknown_amount : sum);
      }
    }
    last_t_ = t;
    last_ = values;
  }
  void burst(const titan::BurstRecord& record) override {
    const titan::Burst& burst = *record.burst;
    partitions[burst.osts.front() / titan::partition_osts].bursts.push_back(
        {static_cast<double>(burst.begin) / 1e3, static_cast<double>(burst.end) / 1e3, static_cast<double>(burst.moved)});
  }
  Partition partitions[titan::partition_count];

 private:
  std::optional<titan::Millis> last_t_;
  titan::StepBytes last_{};
};

TrafficSeries coarser(const TrafficSeries& fine, std::size_t factor) {
  TrafficSeries coarse{fine.start, fine.step * static_cast<int>(factor), {}};
  for (std::size_t i = 0; i + factor <= fine.size(); i += factor) {
    double sum = 0;
    for (std::size_t j = i; j < i + factor; ++j) sum += fine.amounts[j];
    coarse.amounts.push_back(sum);
  }
  return coarse;
}

struct Score {
  std::size_t truth = 0, touched = 0, found = 0, extra = 0, alone = 0, alone_found = 0;
  double hours = 0;
  std::vector<double> area, height, begin;  // relative errors, and seconds

  void add(const TrafficSeries& series, std::vector<TrueBurst> bursts, const BurstOptions& options) {
    std::sort(bursts.begin(), bursts.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    const auto detected = find_bursts(series, options);
    if (!detected) std::exit((std::fprintf(stderr, "%s\n", detected.error().message.c_str()), 2));
    const double step = seconds(series.step);
    std::vector<bool> used(detected->size(), false);
    for (std::size_t k = 0; k < bursts.size(); ++k) {
      const TrueBurst& burst = bursts[k];
      ++truth;
      bool lonely = true;
      for (std::size_t o = k; o-- > 0 && bursts[o].start > burst.start - 1200;) lonely = lonely && bursts[o].end + step < burst.start;
      for (std::size_t o = k + 1; o < bursts.size() && bursts[o].start < burst.end + step; ++o) lonely = false;
      double best = 0;
      std::size_t which = 0;
      for (std::size_t i = 0; i < detected->size(); ++i) {
        const double start = seconds((*detected)[i].start.time_since_epoch()), end = seconds((*detected)[i].end.time_since_epoch());
        if (end < burst.start - step || start > burst.end + step) continue;
        const double common = std::min(end, burst.end + step / 2) - std::max(start, burst.start - step / 2);
        if (common <= 0) continue;
        used[i] = true;
        const double agreement = common / (std::max(end, burst.end) - std::min(start, burst.start));
        if (agreement > best) best = agreement, which = i;
      }
      touched += best > 0;
      alone += lonely;
      if (best < 0.5) continue;
      ++found;
      alone_found += lonely;
      const Burst& seen = (*detected)[which];
      area.push_back(seen.area / burst.bytes - 1);
      height.push_back(seen.height / (burst.bytes / std::max(burst.end - burst.start, 1.0) * 1.055) - 1);
      begin.push_back(seconds(seen.start.time_since_epoch()) - burst.start);
    }
    extra += static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
    hours += static_cast<double>(series.size()) * step / 3600;
  }
};

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double median_size(std::vector<double> values, double q) {
  for (double& value : values) value = std::abs(value);
  return quantile(std::move(values), q);
}

void print(const char* name, const Score& s) {
  const auto share = [](std::size_t a, std::size_t b) { return b > 0 ? 100.0 * static_cast<double>(a) / static_cast<double>(b) : 0; };
  std::printf(
      "| %-28s | %6zu | %5.1f %% | %5.1f %% | %5.1f %% | %5.2f | %+5.1f / %4.1f / %5.1f %% | %+5.1f / %4.1f / %5.1f %% | %4.1f s |\n", name,
      s.truth, share(s.touched, s.truth), share(s.found, s.truth), share(s.alone_found, s.alone), static_cast<double>(s.extra) / s.hours,
      100 * quantile(s.area, 0.5), 100 * median_size(s.area, 0.5), 100 * median_size(s.area, 0.9), 100 * quantile(s.height, 0.5),
      100 * median_size(s.height, 0.5), 100 * median_size(s.height, 0.9), median_size(s.begin, 0.5));
}

}  // namespace

int main(int count, char** arguments) {
  const auto seeds = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 3;
  const double days = count > 2 ? std::strtod(arguments[2], nullptr) : 2;
  std::vector<std::array<Partition, 2>> machines;
  const std::uint64_t first = count > 3 ? std::strtoul(arguments[3], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    Listener listener;
    titan::simulate({.seed = seed, .days = days, .jobs = std::nullopt, .progress = [](double) {}}, listener);
    machines.push_back({listener.partitions[0], listener.partitions[1]});
  }
  std::printf(
      "| series                       | truth  | touched | found   | alone   | others/h | area: median, |50 %%|, |90 %%| | height: the "
      "same         | start |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  Score moderate;
  for (const bool wavelet : {true, false})
    for (const std::size_t factor : {1u, 3u, 6u, 12u})
      for (const bool heavy : {false, true}) {
        if (factor > 1 && heavy) continue;
        Score score;
        for (std::size_t m = 0; m < machines.size(); ++m)
          for (std::size_t p = 0; p < 2; ++p) {
            TrafficSeries series = machines[m][p].series;
            std::vector<TrueBurst> bursts = machines[m][p].bursts;
            for (std::size_t o = 1; heavy && o < std::min<std::size_t>(machines.size(), 3); ++o) {
              const Partition& other = machines[(m + o) % machines.size()][p];
              for (std::size_t i = 0; i < series.size(); ++i) series.amounts[i] += other.series.amounts[i];
              bursts.insert(bursts.end(), other.bursts.begin(), other.bursts.end());
            }
            score.add(coarser(series, factor), bursts, {.weak = wavelet});
          }
        char name[64];
        std::snprintf(name, sizeof name, "%s, %zu s, %s", wavelet ? "all" : "strong", factor * 10, heavy ? "heavy" : "moderate");
        print(name, score);
        if (wavelet && factor == 1 && !heavy) moderate = score;
      }
  // Fresh seeds give 89 %, those the settings were chosen on 93 %.
  return moderate.alone_found * 100 >= moderate.alone * 85 ? 0 : 1;
}
