// SPDX-License-Identifier: Apache-2.0
// Machines made by chance: the engine and the reference must agree in every value, for every way of linking, and the engine must give the
// same bits however the increments are cut and in whatever order they come.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "characterise/engine_test.h"
#include "characterise/made_machine_test.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

/// 10,000 where time does not matter (the test characterise_long).
const std::uint64_t machines = std::getenv("FATHOM_LONG") != nullptr ? 10'000 : 2'000;

constexpr const char* links[] = {"weighted", "simple", "discard", "double-count", "window"};

/// 1e-9 of the value. Fractions such as 1 - tanh(x) lose digits near 0: there the last bits of 1 count.
bool close(double found, long double wanted, Unit unit) {
  if (wanted == 0) return found == 0 || (unit == Unit::fraction && std::fabs(found) < 1e-15);
  const long double floor = unit == Unit::fraction ? 1e-15L : 0;
  return std::fabs(static_cast<long double>(found) - wanted) <= 1e-9L * std::fabs(wanted) + floor;
}

std::vector<std::string> names_of(std::uint8_t flags) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < measured_flag_names.size(); ++i)
    if ((flags >> i & 1) != 0) names.emplace_back(measured_flag_names[i]);
  return names;
}

std::vector<std::string> without(std::vector<std::string> names, const std::vector<std::string>& unsure) {
  std::erase_if(names, [&](const std::string& name) { return std::find(unsure.begin(), unsure.end(), name) != unsure.end(); });
  return names;
}

void compare_values(const Measured& m, const reference::Expected& e, const reference::Settings& settings) {
  for (std::size_t c = 0; c < settings.thresholds.size(); ++c) {
    for (std::size_t s = 0; s < settings.small.size(); ++s) {
      const auto& wanted = e.at(c, s, settings.small.size());
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        const ValueColumn& column = value_columns()[k];
        const double found = column.value(m, {c, s});
        if (std::isnan(found) && !wanted[k]) continue;
        EXPECT_FALSE(std::isnan(found)) << column.name << " is empty, not " << static_cast<double>(*wanted[k]);
        EXPECT_TRUE(wanted[k].has_value()) << column.name << " is " << found << ", not empty";
        if (std::isnan(found) || !wanted[k]) continue;
        EXPECT_TRUE(close(found, *wanted[k], column.column->unit))
            << column.name << " at threshold " << settings.thresholds[c] << ", small " << settings.small[s] << ": " << found << ", not "
            << static_cast<double>(*wanted[k]);
      }
    }
  }
}

void compare(const Measured& m, const reference::Expected& e, const reference::Settings& settings) {
  EXPECT_EQ(m.units, e.units);
  EXPECT_EQ(m.sampling_step, e.sampling_step);
  EXPECT_EQ(m.coverage.has_value(), e.coverage.has_value());
  if (m.coverage && e.coverage) {
    EXPECT_TRUE(close(*m.coverage, *e.coverage, Unit::fraction)) << *m.coverage << ", not " << static_cast<double>(*e.coverage);
  }
  EXPECT_EQ(without(names_of(m.flags), e.unsure_flags), without(e.flags, e.unsure_flags));
  compare_values(m, e, settings);
}

void compare_ledger(const Ledger& ledger, const reference::Conservation& wanted) {
  EXPECT_TRUE(ledger.conserved());
  for (std::size_t f = 0; f < flow_count; ++f) {
    EXPECT_TRUE(ledger.total[f] == wanted.total[f]);
    EXPECT_TRUE(ledger.to_jobs[f] == wanted.to_jobs[f]);
    EXPECT_TRUE(ledger.unattributed[f] == wanted.unattributed[f]);
    EXPECT_TRUE(ledger.discarded[f] == wanted.discarded[f]);
    EXPECT_TRUE(ledger.repeated[f] == wanted.repeated[f]);
  }
}

/// Counts what was met, so that a test of nothing cannot pass.
struct Met {
  std::uint64_t jobs = 0, empty = 0, zero_length = 0, conflicts = 0;
};

void compare_machine(std::uint64_t seed, MadeMachine made, const char* link, Met& met) {
  made.settings.link = link;
  SCOPED_TRACE("machine " + std::to_string(seed) + ", link " + link);
  const auto expected = reference::characterise(made.machine, made.settings);
  Random cuts(seed);
  const EngineAnswer answer = run_engine(made.machine, made.settings, &cuts);
  const EngineAnswer in_one = run_engine(made.machine, made.settings);
  compare_ledger(answer.ledger, reference::conservation(made.machine, link));
  for (std::size_t j = 0; j < expected.size(); ++j) {
    SCOPED_TRACE("job " + made.machine.jobs[j].id);
    EXPECT_EQ(answer.jobs[j].has_value(), expected[j].answerable);
    if (!answer.jobs[j] || !expected[j].answerable) continue;
    compare(*answer.jobs[j], expected[j], made.settings);
    EXPECT_TRUE(identical(*answer.jobs[j], *in_one.jobs[j])) << "another split of the same increments gives other bits";
    ++met.jobs;
    met.empty += !expected[j].values[0][0].has_value();
    met.zero_length += !expected[j].coverage.has_value();
    met.conflicts += expected[j].other_jobs > 0;
  }
}

TEST(Agreement, Columns) {
  std::vector<std::string> names;
  for (const ValueColumn& column : value_columns()) names.push_back(column.name);
  EXPECT_EQ(names, reference::columns());
}

TEST(Agreement, EngineAndReference) {
  for (const char* link : links) {
    Met met;
    for (std::uint64_t seed = 1; seed <= machines; ++seed) {
      compare_machine(seed, make_machine(seed), link, met);
      if (HasFailure()) FAIL() << "stopped at machine " << seed << ", link " << link;
    }
    EXPECT_GT(met.jobs, 2 * machines);
    EXPECT_GT(met.empty, machines / 20);
    EXPECT_GT(met.zero_length, machines / 20);
    EXPECT_GT(met.conflicts, machines / 4);
  }
}

/// Jobs of many slots, with samples around every slot where the engine goes from one window of slots to the next.
MadeMachine make_long(std::uint64_t seed) {
  constexpr std::int64_t second = 1'000'000, window = 1 << 15;
  Random chance(seed);
  MadeMachine made;
  made.settings = {"weighted", second, {0, 1000}, {4096}};
  const std::int64_t base = 1'300'060'800 * second, start = base + (chance.chance(0.5) ? 0 : chance.whole(1, second - 1));
  Job job;
  job.id = "long";
  job.start = time_from_micros(start);
  job.end = time_from_micros(start + chance.whole(window - 2, 2 * window + 3000) * second + chance.whole(0, 1) * chance.whole(0, second));
  for (std::int64_t s = chance.whole(1, 3); s > 0; --s) {
    std::vector<std::int64_t> times;
    const std::int64_t step = chance.whole(1000, 9000) * second;
    for (std::int64_t t = base - step; t < micros(job.end) + step; t += step) times.push_back(t);
    for (const std::int64_t boundary : {base + window * second, base + 2 * window * second})
      for (std::int64_t n = chance.whole(1, 4); n > 0; --n)
        times.push_back(boundary + (chance.chance(0.5) ? chance.whole(-2, 2) * second : chance.whole(-2 * second, 2 * second)));
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    job.servers.insert(job.servers.begin(), "s" + std::to_string(s));
    reference::Series series{{job.servers.front(), "", ""}, {}};
    for (std::size_t i = 1; i < times.size(); ++i) {
      Increment increment{time_from_micros(times[i - 1]), time_from_micros(times[i]), 0, 0, all_counters, plain, {}};
      const std::int64_t exactly = 1000 * (times[i] - times[i - 1]) / second;
      for (std::size_t d = 0; d < 2; ++d)
        if (chance.chance(0.7))
          increment.amounts[d] = static_cast<std::uint64_t>(chance.chance(0.5) ? exactly : chance.whole(0, 3 * exactly));
      increment.amounts[2] = increment.amounts[0] / 4096;
      series.increments.push_back(increment);
    }
    made.machine.series.push_back(std::move(series));
  }
  made.machine.jobs.push_back(std::move(job));
  return made;
}

TEST(Agreement, LongJobs) {
  Met met;
  for (std::uint64_t seed = 1; seed <= machines / 100 && !HasFailure(); ++seed) compare_machine(seed, make_long(seed), "weighted", met);
  EXPECT_EQ(met.empty, 0u);
}

}  // namespace
}  // namespace fathom
