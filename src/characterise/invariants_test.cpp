// SPDX-License-Identifier: Apache-2.0
// What must hold for every machine, whatever the numbers are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "characterise/engine_test.h"
#include "characterise/made_machine_test.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t machines = 60;
#else
constexpr std::uint64_t machines = 1000;
#endif

constexpr const char* links[] = {"weighted", "simple", "discard", "double-count", "window"};

bool near(double a, double b, double tolerance = 1e-12) {
  return (std::isnan(a) && std::isnan(b)) || a == b || std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b)) ||
         std::fabs(a - b) < 1e-15;
}

const ValueColumn& column(const std::string& name) {
  return *std::find_if(value_columns().begin(), value_columns().end(), [&](const ValueColumn& c) { return c.name == name; });
}

/// Every machine under every link; `look` gets the machine with its settings. Ends at the first failure.
void for_each_machine(const std::function<void(MadeMachine&)>& look) {
  for (const char* link : links) {
    for (std::uint64_t seed = 1; seed <= machines; ++seed) {
      SCOPED_TRACE("machine " + std::to_string(seed) + ", link " + link);
      MadeMachine made = make_machine(1'000'000 + seed);
      made.settings.link = link;
      look(made);
      if (testing::Test::HasFailure()) return;
    }
  }
}

/// Compares all values of all jobs that both can measure; `factor` says what a value is to be multiplied with, 0: do not look at it.
void expect_values(const EngineAnswer& before, const EngineAnswer& after, const reference::Settings& settings,
                   const std::function<double(const ValueColumn&, const Measured& before, const Measured& after)>& factor) {
  ASSERT_EQ(before.jobs.size(), after.jobs.size());
  for (std::size_t j = 0; j < before.jobs.size(); ++j) {
    ASSERT_EQ(before.jobs[j].has_value(), after.jobs[j].has_value());
    if (!before.jobs[j]) continue;
    for (std::size_t c = 0; c < settings.thresholds.size(); ++c) {
      for (std::size_t s = 0; s < settings.small.size(); ++s) {
        for (const ValueColumn& each : value_columns()) {
          const double times = factor(each, *before.jobs[j], *after.jobs[j]);
          if (times == 0) continue;
          const double a = each.value(*before.jobs[j], {c, s}), b = each.value(*after.jobs[j], {c, s});
          EXPECT_TRUE(near(a * times, b)) << each.name << " of job " << j << ": " << b << ", not " << a * times;
        }
      }
    }
  }
}

TEST(Invariants, Ranges) {
  for_each_machine([](MadeMachine& made) {
    const EngineAnswer answer = run_engine(made.machine, made.settings);
    for (const auto& m : answer.jobs) {
      if (!m) continue;
      for (std::size_t c = 0; c < made.settings.thresholds.size(); ++c) {
        for (const ValueColumn& each : value_columns()) {
          const double value = each.value(*m, {c, 0});
          if (std::isnan(value)) continue;
          EXPECT_GE(value, 0) << each.name;
          if (each.column->unit == Unit::fraction) {
            EXPECT_LE(value, 1) << each.name;
          }
        }
        const double reading = column("read_intensity").value(*m, {c, 0}), writing = column("write_intensity").value(*m, {c, 0});
        const double either = column("total_intensity").value(*m, {c, 0});
        if (std::isnan(either)) continue;
        EXPECT_GE(either, std::max(reading, writing));
        EXPECT_LE(either, (reading + writing) * (1 + 1e-15));
        if (c > 0) {  // thresholds ascend
          EXPECT_LE(either, column("total_intensity").value(*m, {c - 1, 0}));
        }
      }
      if (m->coverage) {
        EXPECT_LE(*m->coverage, 1);
      }
    }
  });
}

TEST(Invariants, BandHoldsTheVolume) {
  for_each_machine([](MadeMachine& made) {
    const EngineAnswer answer = run_engine(made.machine, made.settings);
    for (const auto& m : answer.jobs) {
      if (!m) continue;
      for (std::size_t d = 0; d < 2; ++d) {
        if (made.settings.link != "simple") {  // which gives boundary increments away although nobody else claims them
          EXPECT_LE(m->lower[d], m->totals[d] * (1 + 1e-12));
        }
        EXPECT_LE(m->totals[d], m->upper[d] * (1 + 1e-12));
        if (made.settings.link == "discard") {
          EXPECT_TRUE(near(m->totals[d], m->lower[d]));
        }
        if (made.settings.link == "double-count") {
          EXPECT_TRUE(near(m->totals[d], m->upper[d]));
        }
      }
    }
  });
}

TEST(Invariants, NothingIsLost) {
  for_each_machine([](MadeMachine& made) {
    const EngineAnswer answer = run_engine(made.machine, made.settings);
    EXPECT_TRUE(answer.ledger.conserved());
    std::array<double, flow_count> sums{};
    for (std::size_t j = 0; j < answer.jobs.size(); ++j) {
      if (answer.jobs[j]) {
        for (std::size_t f = 0; f < flow_count; ++f) sums[f] += answer.jobs[j]->totals[f];
        continue;
      }
      for (const LinkedPart& part : answer.parts[j])  // still running: not measured, but it got its part
        for (const auto* stretches : {&part.inner, &part.edge})
          for (const Stretch& s : *stretches)
            for (std::size_t f = 0; f < flow_count; ++f) sums[f] += static_cast<double>(s.amounts[f]) * s.share();
    }
    const Ledger& l = answer.ledger;
    for (std::size_t f = 0; f < flow_count; ++f) {
      EXPECT_TRUE(l.to_jobs[f] + l.unattributed[f] + l.discarded[f] - l.repeated[f] == l.total[f]);
      EXPECT_TRUE(near(sums[f], static_cast<double>(l.to_jobs[f]))) << sums[f] << ", not " << static_cast<double>(l.to_jobs[f]);
    }
  });
}

TEST(Invariants, Scaling) {
  // k times the bytes, with k times the thresholds and sizes: volumes and bandwidths are k times as large, all else stays.
  constexpr std::uint64_t k = 3;
  for_each_machine([](MadeMachine& made) {
    const EngineAnswer before = run_engine(made.machine, made.settings);
    for (reference::Series& series : made.machine.series)
      for (Increment& i : series.increments)
        for (std::size_t d = 0; d < 2; ++d) i.amounts[d] *= k;
    for (auto& threshold : made.settings.thresholds) threshold *= k;
    for (auto& small : made.settings.small) small *= k;
    const EngineAnswer after = run_engine(made.machine, made.settings);
    expect_values(before, after, made.settings, [](const ValueColumn& each, const Measured&, const Measured&) {
      return each.column->unit == Unit::bytes || each.column->unit == Unit::bytes_per_second ? static_cast<double>(k) : 1.0;
    });
    for (std::size_t j = 0; j < before.jobs.size(); ++j)
      if (before.jobs[j]) {
        EXPECT_EQ(before.jobs[j]->swept.activity, after.jobs[j]->swept.activity);
      }
  });
}

TEST(Invariants, IdleServers) {
  // U * Pi, the mean number of active servers, stays; so P' = (U Pi - 1) / (U + 2 - 1) = P (U - 1) / (U + 1).
  for_each_machine([](MadeMachine& made) {
    if (made.settings.link == "window") return;  // there all measured servers are everybody's
    std::erase_if(made.machine.jobs, [](const Job& job) { return job.servers.empty(); });
    const EngineAnswer before = run_engine(made.machine, made.settings);
    for (Job& job : made.machine.jobs) {
      job.servers.push_back("zz idle 1");
      job.servers.push_back("zz idle 2");
    }
    const EngineAnswer after = run_engine(made.machine, made.settings);
    const auto parallel = [](const ValueColumn& each) { return each.name.ends_with("parallel_intensity"); };
    expect_values(before, after, made.settings, [&](const ValueColumn& each, const Measured& m, const Measured&) {
      if (!parallel(each)) return 1.0;
      return m.units > 1 ? (m.units - 1.0) / (m.units + 1.0) : 0.0;
    });
    for (std::size_t j = 0; j < after.jobs.size(); ++j) {
      if (!before.jobs[j]) continue;
      const Measured &a = *before.jobs[j], &b = *after.jobs[j];
      EXPECT_EQ(b.units, a.units + 2);
      if (a.coverage) {
        EXPECT_TRUE(near(*b.coverage, *a.coverage * a.units / (a.units + 2.0)));
      }
      if (a.units > 1) continue;
      for (const ValueColumn& each : value_columns()) {  // of a lone server P is undefined; with idle ones beside it is 0
        const double value = each.value(b, {});
        if (parallel(each) && !std::isnan(value)) {
          EXPECT_EQ(value, 0);
        }
      }
    }
  });
}

TEST(Invariants, NamesOfServers) {
  // The order of names turned round: sums may differ in their last bits, times with I/O in none.
  for_each_machine([](MadeMachine& made) {
    const EngineAnswer before = run_engine(made.machine, made.settings);
    const auto renamed = [](const std::string& name) {
      return name.size() == 2 && name[0] == 's' ? "t" + std::to_string('9' - name[1]) : "a " + name;
    };
    for (Job& job : made.machine.jobs) {
      for (std::string& server : job.servers) server = renamed(server);
      std::sort(job.servers.begin(), job.servers.end());
    }
    for (reference::Series& series : made.machine.series) series.name.server = renamed(series.name.server);
    std::reverse(made.machine.series.begin(), made.machine.series.end());
    const EngineAnswer after = run_engine(made.machine, made.settings);
    expect_values(before, after, made.settings, [](const ValueColumn&, const Measured&, const Measured&) { return 1.0; });
    for (std::size_t j = 0; j < before.jobs.size(); ++j) {
      if (!before.jobs[j]) continue;
      EXPECT_EQ(before.jobs[j]->swept.activity, after.jobs[j]->swept.activity);
      EXPECT_EQ(before.jobs[j]->sampling_step, after.jobs[j]->sampling_step);
    }
  });
}

/// Counters that grow evenly, sampled where jobs begin and end; cut at more moments by chance, they grow as before.
void cut_at_more_moments(reference::Machine& machine, Random& chance) {
  for (reference::Series& series : machine.series) {
    std::vector<Increment> finer;
    for (const Increment& i : series.increments) {
      const std::int64_t start = micros(i.start), length = micros(i.end) - start;
      std::vector<std::int64_t> times = {0, length};
      for (std::int64_t n = chance.whole(0, 3); n > 0; --n) times.push_back(chance.whole(1, length));
      std::sort(times.begin(), times.end());
      for (std::size_t t = 1; t < times.size(); ++t) {
        if (times[t] == times[t - 1]) continue;
        Increment part = i;
        part.start = time_from_micros(start + times[t - 1]);
        part.end = time_from_micros(start + times[t]);
        for (std::size_t k = 0; k < flow_count; ++k)
          part.amounts[k] = i.amounts[k] / static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(times[t] - times[t - 1]);
        for (std::size_t k = flow_count; k < counter_count; ++k) part.amounts[k] = 0;
        finer.push_back(part);
      }
    }
    series.increments = std::move(finer);
  }
}

TEST(Invariants, SampledMoreOften) {
  for (std::uint64_t seed = 1; seed <= machines; ++seed) {
    SCOPED_TRACE("machine " + std::to_string(seed));
    Random chance(seed);
    MadeMachine made = make_machine(2'000'000 + seed);
    made.settings.link = "weighted";
    // Whole amounts per microsecond, and samples of every series at the jobs' begins and ends.
    std::vector<std::int64_t> marks;
    for (const Job& job : made.machine.jobs) {
      marks.push_back(micros(job.start));
      if (job.end != no_time) marks.push_back(micros(job.end));
    }
    std::sort(marks.begin(), marks.end());
    for (reference::Series& series : made.machine.series) {
      std::vector<Increment> with_marks;
      for (const Increment& i : series.increments) {
        Increment rest = i;
        const auto put = [&](Increment part) {
          for (std::size_t k = 0; k < counter_count; ++k)
            part.amounts[k] = holds(part.has, k) && k < flow_count
                                  ? static_cast<std::uint64_t>(chance.whole(0, 3) * (micros(part.end) - micros(part.start)))
                                  : 0;
          with_marks.push_back(part);
        };
        for (const std::int64_t mark : marks) {
          if (mark <= micros(rest.start) || mark >= micros(rest.end)) continue;
          Increment part = rest;
          part.end = rest.start = time_from_micros(mark);
          put(part);
        }
        put(rest);
      }
      series.increments = std::move(with_marks);
    }
    reference::Machine finer = made.machine;
    cut_at_more_moments(finer, chance);
    const EngineAnswer before = run_engine(made.machine, made.settings), after = run_engine(finer, made.settings);
    expect_values(before, after, made.settings, [&](const ValueColumn&, const Measured& a, const Measured& b) {
      // A long interval may turn into a gap when the usual one becomes shorter: then the job may not be covered at all.
      return a.coverage && *a.coverage > 0 && *b.coverage > 0 ? 1.0 : 0.0;
    });
    for (std::size_t j = 0; j < before.jobs.size(); ++j)
      if (before.jobs[j]) {
        EXPECT_EQ(before.jobs[j]->swept.activity, after.jobs[j]->swept.activity);
      }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace fathom
