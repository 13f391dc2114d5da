// SPDX-License-Identifier: Apache-2.0
// How well servers and volume of a burst are told in the traffic of the synthetic machine `spider`, whose truth is known: footprint_truth
// [SEEDS] [DAYS] [FIRST SEED]. Prints a table by application and fails below what docs/mining.md promises.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <optional>

#include "mine/burst_log.h"
#include "synth/spider_simulation.h"

using namespace fathom;

namespace {

struct TrueBurst {
  std::string application;
  std::size_t direction;
  double start, end, bytes, servers;  // seconds of the log
};

struct Partition {
  mine::TrafficMatrix matrix;
  std::vector<TrueBurst> bursts;
};

class Listener : public titan::Watcher {
 public:
  Listener() {
    for (Partition& partition : partitions)
      partition.matrix.start = time_from_seconds(0), partition.matrix.step = std::chrono::seconds{10},
      partition.matrix.servers = titan::partition_osts;
  }
  void reading(titan::Millis t, const titan::StepBytes& values) override {
    if (last_t_) {
      const auto slot = static_cast<std::size_t>(t / titan::step - 1);
      const bool gap = t - *last_t_ > titan::step;
      for (std::size_t p = 0; p < titan::partition_count; ++p) {
        mine::TrafficMatrix& matrix = partitions[p].matrix;
        matrix.slots = slot + 1;
        for (std::size_t d = 0; d < 2; ++d) {
          auto& amounts = matrix.amounts[d];
          amounts.resize(slot * matrix.servers, static_cast<float>(unknown_amount));
          for (std::size_t ost = p * titan::partition_osts; ost < (p + 1) * titan::partition_osts; ++ost)
            amounts.push_back(static_cast<float>(
                gap ? unknown_amount
                    : static_cast<double>(values[d][ost] >= last_[d][ost] ? values[d][ost] - last_[d][ost] : values[d][ost])));
        }
      }
    }
    last_t_ = t;
    last_ = values;
  }
  void burst(const titan::BurstRecord& record) override {
    const titan::Burst& burst = *record.burst;
    partitions[burst.osts.front() / titan::partition_osts].bursts.push_back(
        {record.application->name, static_cast<std::size_t>(burst.direction), static_cast<double>(burst.begin) / 1e3,
         static_cast<double>(burst.end) / 1e3, static_cast<double>(burst.moved), static_cast<double>(burst.osts.size())});
  }
  Partition partitions[titan::partition_count];

 private:
  std::optional<titan::Millis> last_t_;
  titan::StepBytes last_{};
};

/// A day with what its surroundings have.
mine::TrafficMatrix cut(const mine::TrafficMatrix& all, Time from, Time to) {
  mine::TrafficMatrix part{.start = std::max(from, all.start), .step = all.step, .slots = 0, .servers = all.servers, .amounts = {}};
  const auto first = static_cast<std::size_t>((part.start - all.start) / all.step);
  part.slots = std::min(all.slots, static_cast<std::size_t>((to - all.start) / all.step)) - first;
  for (std::size_t d = 0; d < 2; ++d)
    part.amounts[d].assign(all.amounts[d].begin() + static_cast<std::ptrdiff_t>(first * all.servers),
                           all.amounts[d].begin() + static_cast<std::ptrdiff_t>((first + part.slots) * all.servers));
  return part;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double size_quantile(std::vector<double> values, double q) {
  for (double& value : values) value = std::abs(value);
  return quantile(std::move(values), q);
}

struct Score {
  std::size_t truth = 0;
  double footprint = 0;
  std::vector<double> servers, area, own_area, length;  // relative errors of the bursts that were found
  void add(const Score& other) {
    truth += other.truth;
    servers.insert(servers.end(), other.servers.begin(), other.servers.end());
    area.insert(area.end(), other.area.begin(), other.area.end());
    own_area.insert(own_area.end(), other.own_area.begin(), other.own_area.end());
    length.insert(length.end(), other.length.begin(), other.length.end());
  }
};

void compare(const TrueBurst& truth, const std::vector<mine::KnownBurst>& bursts, Score& score) {
  ++score.truth;
  score.footprint = truth.servers;
  const mine::KnownBurst* best = nullptr;
  double most = 0.5;
  for (const mine::KnownBurst& burst : bursts) {
    const double start = seconds(burst.start.time_since_epoch()), end = seconds(burst.end.time_since_epoch());
    const double agreement =
        (std::min(end, truth.end) - std::max(start, truth.start)) / (std::max(end, truth.end) - std::min(start, truth.start));
    if (agreement >= most) most = agreement, best = &burst;
  }
  if (best == nullptr) return;
  score.servers.push_back(best->servers / truth.servers - 1);
  score.area.push_back(best->area / truth.bytes - 1);
  score.own_area.push_back(best->own_area / truth.bytes - 1);
  score.length.push_back(seconds(best->end - best->start) / (truth.end - truth.start) - 1);
}

void print(const std::string& name, const Score& s) {
  const auto cell = [](const std::vector<double>& errors) {
    std::printf(" %+6.1f / %5.1f / %6.1f %% |", 100 * quantile(errors, 0.5), 100 * size_quantile(errors, 0.5),
                100 * size_quantile(errors, 0.9));
  };
  std::printf("| %-16s | %4.0f | %5zu | %5zu |", name.c_str(), s.footprint, s.truth, s.servers.size());
  cell(s.servers), cell(s.area), cell(s.own_area), cell(s.length);
  std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) {
  const auto seeds = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 3;
  const double days = count > 2 ? std::strtod(arguments[2], nullptr) : 2;
  const std::uint64_t first = count > 3 ? std::strtoul(arguments[3], nullptr, 10) : 1;
  std::map<std::string, Score> scores;
  double spent = 0;
  std::size_t blocks = 0, bursts = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    Listener listener;
    titan::simulate({.seed = seed, .days = days, .jobs = std::nullopt, .progress = [](double) {}}, listener);
    for (const Partition& partition : listener.partitions)
      for (Time from = partition.matrix.start; from < partition.matrix.end(); from += mine::block_length) {
        const Time to = from + mine::block_length;
        const mine::TrafficMatrix matrix = cut(partition.matrix, from - mine::block_context, to + mine::block_context);
        const std::clock_t begin = std::clock();
        const auto block = mine::bursts_of_block(matrix, from, to);
        spent += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (!block) return std::fprintf(stderr, "%s\n", block.error().message.c_str()), 2;
        ++blocks, bursts += block->bursts[0].size() + block->bursts[1].size();
        for (const TrueBurst& burst : partition.bursts) {
          const Time start = Time{Duration{static_cast<std::int64_t>(burst.start * 1e6)}};
          const std::string name =
              burst.application.starts_with("IOR_") ? burst.application : burst.application + "-" + std::to_string(seed);
          if (start >= from && start < to) compare(burst, block->bursts[burst.direction], scores[name]);
        }
      }
  }
  std::printf(
      "| application      | OSTs | truth | found | servers: median, |50 %%|, |90 %%| | area: the same | own area: the same "
      "|\n|---|---|---|---|---|---|---|\n");
  Score all;
  for (const auto& [name, score] : scores) print(name, score), all.add(score);
  print("all", all);
  std::size_t good_servers = 0, good_area = 0, better = 0, counted = 0;
  for (const auto& [name, score] : scores) {
    if (score.servers.size() < 5) continue;
    ++counted;
    good_servers += size_quantile(score.servers, 0.5) <= 0.1;
    good_area += size_quantile(score.own_area, 0.5) <= 0.1;
    better += size_quantile(score.own_area, 0.5) <= size_quantile(score.area, 0.5);
  }
  std::printf(
      "%zu applications with 5 bursts found: servers within 10 %%: %zu, volume within 10 %%: %zu, volume as good as before or better: "
      "%zu\n",
      counted, good_servers, good_area, better);
  std::printf("%zu blocks, %.0f bursts each, %.3f s of processor time each\n", blocks,
              static_cast<double>(bursts) / static_cast<double>(blocks), spent / static_cast<double>(blocks));
  return good_servers * 10 >= counted * 9 && good_area * 10 >= counted * 9 ? 0 : 1;
}
