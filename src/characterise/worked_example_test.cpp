// SPDX-License-Identifier: Apache-2.0
// Examples worked out by hand, for the engine and for the reference that it is compared with.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <map>
#include <string>

#include "characterise/engine_test.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

constexpr std::int64_t day = 1'300'060'800;  // a midnight, seconds
constexpr double mebi = 1 << 20;

Time at(double seconds) { return time_from_micros(day * 1'000'000 + std::llround(seconds * 1e6)); }

Job job(const std::string& id, double start, double end, const std::vector<std::string>& servers) {
  Job made;
  made.id = id;
  made.start = at(start);
  made.end = at(end);
  made.servers = servers;
  return made;
}

struct Amounts {
  std::uint64_t read_bytes = 0, write_bytes = 0, read_ops = 0, write_ops = 0;
};

/// Increments between the times given, which are one more than the amounts.
reference::Series series(const std::string& server, const std::vector<double>& times, const std::vector<Amounts>& amounts) {
  reference::Series made{{server, "", ""}, {}};
  for (std::size_t k = 0; k < amounts.size(); ++k) {
    Increment i;
    i.start = at(times[k]);
    i.end = at(times[k + 1]);
    i.has = all_counters;
    i.amounts = {amounts[k].read_bytes, amounts[k].write_bytes, amounts[k].read_ops, amounts[k].write_ops};
    made.increments.push_back(i);
  }
  return made;
}

/// Values of a job by name; NaN where empty. `expect` looks at both the engine's and the reference's.
class Worked {
 public:
  Worked(const reference::Machine& machine, const reference::Settings& settings, std::size_t job) {
    const EngineAnswer answer = run_engine(machine, settings);
    const auto expected = reference::characterise(machine, settings);
    const Measured& m = *answer.jobs[job];
    for (std::size_t k = 0; k < value_columns().size(); ++k) {
      engine_[value_columns()[k].name] = value_columns()[k].value(m, {});
      reference_[reference::columns()[k]] = text(expected[job].values[0][k]);
    }
    engine_["coverage"] = m.coverage.value_or(undefined);
    reference_["coverage"] = text(expected[job].coverage);
    flags_ = expected[job].flags;
    engine_flags_ = m.flags;
  }

  void expect(const std::string& name, double wanted) const {
    for (const auto* values : {&engine_, &reference_}) {
      SCOPED_TRACE(name + (values == &engine_ ? " of the engine" : " of the reference"));
      const double found = values->at(name);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(found)) << found;
      } else {
        EXPECT_NEAR(found, wanted, 1e-12 * std::max(1.0, std::fabs(wanted)));
      }
    }
  }
  void expect(const std::map<std::string, double>& all) const {
    for (const auto& [name, wanted] : all) expect(name, wanted);
  }
  void expect_flags(std::uint8_t engine, const std::vector<std::string>& reference) const {
    EXPECT_EQ(engine_flags_, engine);
    EXPECT_EQ(flags_, reference);
  }

 private:
  static double text(const reference::Value& value) { return value ? static_cast<double>(*value) : undefined; }
  std::map<std::string, double> engine_, reference_;
  std::vector<std::string> flags_;
  std::uint8_t engine_flags_ = 0;
};

reference::Settings settings(const std::string& link, std::uint64_t threshold, std::uint64_t small = 4096) {
  return {link, 1'000'000, {threshold}, {small}};
}

/// Two servers, a job of 100 s. A: samples at 0, 50, 100 with 0, 500, 500 written. B: at 0, 20, 40, 100 with 0, 0, 200, 200.
reference::Machine two_servers() {
  return {{job("j", 0, 100, {"A", "B"})}, {series("A", {0, 50, 100}, {{0, 500}, {}}), series("B", {0, 20, 40, 100}, {{}, {0, 200}, {}})}};
}

TEST(WorkedExample, TwoServers) {
  // A moves 10 B/s from 0 to 50, B 10 B/s from 20 to 40. Together 700 bytes; at most 20 B/s, 7 on average.
  // H = 1 from 0 to 50: I = 0.5. One run of 50 s with and one of 50 s without I/O: rho = 1 - tanh(1).
  // sum of pi = 30 * 1/2 + 20 * 1 = 35; Pi = 35 / 50 = 0.7; P = (2 * 0.7 - 1) / (2 - 1) = 0.4.
  for (const std::uint64_t threshold : {0, 9}) {
    const Worked worked(two_servers(), settings("weighted", threshold), 0);
    for (const std::string x : {"write_", "total_"})
      worked.expect({{x + "bytes", 700},
                     {x + "bytes_lower", 700},
                     {x + "bytes_upper", 700},
                     {x + "bw_max", 20},
                     {x + "bw_max_inner", 20},
                     {x + "bw_mean", 7},
                     {x + "intensity", 0.5},
                     {x + "burstiness", 1 - std::tanh(1.0)},
                     {x + "parallel_intensity", 0.4}});
    worked.expect({{"read_bytes", 0},
                   {"read_intensity", 0},
                   {"read_burstiness", 1},
                   {"read_parallel_intensity", 0},
                   {"read_share_bytes", 0},
                   {"read_share_ops", undefined}});
    // B's usual interval is 20 s, so its last one, of 60 s, is a gap: 100 + 40 of 200 s are covered.
    worked.expect("coverage", 0.7);
    worked.expect_flags(low_coverage | gap, {"low_coverage", "gap"});
  }
}

TEST(WorkedExample, ThresholdIsStrict) {
  // Each server moves exactly 10 B/s when it moves something: at c = 10 none is active.
  const Worked worked(two_servers(), settings("weighted", 10), 0);
  worked.expect({{"write_intensity", 0}, {"write_burstiness", 1}, {"write_parallel_intensity", 0}, {"write_bw_max", 20}});
}

/// 1000 bytes until 100 s, 3000 until 200 s; job a until 130 s, job b from then on: 30 s and 70 s of the second increment.
reference::Machine handover() {
  return {{job("a", 0, 130, {"A"}), job("b", 130, 200, {"A"})}, {series("A", {0, 100, 200}, {{0, 1000}, {0, 3000}})}};
}

TEST(WorkedExample, Links) {
  struct Case {
    const char* link;
    double a, b, a_max, b_max;
  };
  // weighted: a gets 0.3 of 3000 in 30 s, b 0.7 in 70 s: both at 30 B/s. double-count: 3000 in 30 s, 3000 in 70 s.
  // simple: the second increment ends at 200, inside b; a keeps the first, at 10 B/s.
  for (const Case& c :
       {Case{"weighted", 1900, 2100, 30, 30}, Case{"discard", 1000, 0, 10, 0}, Case{"double-count", 4000, 3000, 100, 3000.0 / 70},
        Case{"simple", 1000, 3000, 10, 3000.0 / 70}, Case{"window", 4000, 3000, 100, 3000.0 / 70}}) {
    SCOPED_TRACE(c.link);
    const Worked a(handover(), settings(c.link, 0), 0), b(handover(), settings(c.link, 0), 1);
    a.expect({{"write_bytes", c.a},
              {"write_bytes_lower", 1000},
              {"write_bytes_upper", 4000},
              {"write_bw_max", c.a_max},
              {"write_bw_max_inner", 10},
              {"coverage", 1}});
    b.expect({{"write_bytes", c.b},
              {"write_bytes_lower", 0},
              {"write_bytes_upper", 3000},
              {"write_bw_max", c.b_max},
              {"write_bw_max_inner", undefined},
              {"coverage", 1}});
  }
}

TEST(WorkedExample, BoundaryIncrementFakesAPeak) {
  // 1200 MiB of 120 s are squeezed into the one second that the job has of them; inside the job it is 120 MiB in 120 s.
  const reference::Machine machine{{job("j", 119, 300, {"A"})}, {series("A", {0, 120, 240, 360}, {{1200u << 20, 0}, {120u << 20, 0}, {}})}};
  const Worked worked(machine, settings("weighted", 0), 0);
  worked.expect({{"read_bytes", 1320 * mebi}, {"read_bw_max", 1200 * mebi}, {"read_bw_max_inner", mebi}, {"read_intensity", 121.0 / 181}});
  worked.expect_flags(boundary, {"boundary"});
}

TEST(WorkedExample, PartialSlots) {
  // 700 bytes from 0.5 s to 2.25 s: 400 B/s. The first slot has 200 bytes in 0.5 s, the last 100 in 0.25 s: 400 B/s, too.
  const reference::Machine machine{{job("j", 0.5, 2.25, {"A"})}, {series("A", {0.5, 2.25}, {{700, 0}})}};
  Worked(machine, settings("weighted", 399), 0)
      .expect({{"read_intensity", 1}, {"read_burstiness", 0}, {"read_bw_max", 400}, {"read_bw_mean", 400}});
  Worked(machine, settings("weighted", 400), 0)
      .expect({{"read_intensity", 0}, {"read_burstiness", 1}, {"read_parallel_intensity", undefined}});
}

TEST(WorkedExample, SlotWithTwoIncrements) {
  // 200 B/s until 1.5 s, then nothing: the slots have 200, 100 and 0 bytes.
  const reference::Machine machine{{job("j", 0, 3, {"A"})}, {series("A", {0, 1.5, 3}, {{300, 0}, {}})}};
  Worked(machine, settings("weighted", 99), 0)
      .expect({{"read_intensity", 2.0 / 3}, {"read_bw_max", 200}, {"read_burstiness", 1 - std::tanh(2.0)}});
  Worked(machine, settings("weighted", 100), 0).expect({{"read_intensity", 1.0 / 3}, {"read_burstiness", 1 - std::tanh(0.5)}});
}

TEST(WorkedExample, BurstinessCountsRuns) {
  // With I/O: 10 s, 30 s (mean 20 s); without: 20 s, 40 s, 20 s (mean 80/3 s). rho = 1 - tanh(20 / (80/3)) = 1 - tanh(0.75).
  const reference::Machine machine{{job("j", 0, 120, {"A"})}, {series("A", {0, 20, 30, 70, 100, 120}, {{}, {10, 0}, {}, {300, 0}, {}})}};
  Worked(machine, settings("weighted", 0), 0).expect({{"read_intensity", 40.0 / 120}, {"read_burstiness", 1 - std::tanh(0.75)}});
}

TEST(WorkedExample, SmallRequests) {
  // Ten requests of 4096 bytes on average are small, ten of 4097 are not; bytes without requests have no size but are bytes.
  const reference::Machine machine{{job("j", 0, 30, {"A"})},
                                   {series("A", {0, 10, 20, 30}, {{40960, 0, 10, 0}, {40970, 0, 10, 0}, {5000, 0, 0, 0}})}};
  const Worked worked(machine, settings("weighted", 0, 4096), 0);
  worked.expect({{"read_small_fraction", 0.5},
                 {"write_small_fraction", undefined},
                 {"total_small_fraction", 0.5},
                 {"read_mean_request", 81930.0 / 20},
                 {"total_mean_request", 81930.0 / 20},
                 {"read_iops_max", 1},
                 {"read_iops_mean", 20.0 / 30},
                 {"read_share_ops", 1},
                 {"write_ops", 0}});
}

TEST(WorkedExample, MeanRequestIsOfIncrementsWithOperations) {
  // A million bytes come in an increment in which no request ended, then 100 bytes in one request: the one size that is known is 100.
  const reference::Machine lone{{job("j", 0, 20, {"A"})}, {series("A", {0, 10, 20}, {{1'000'000, 0, 0, 0}, {100, 0, 1, 0}})}};
  Worked(lone, settings("weighted", 0), 0)
      .expect({{"read_bytes", 1'000'100},
               {"read_ops", 1},
               {"read_small_fraction", 1},
               {"read_mean_request", 100},
               {"write_mean_request", undefined},
               {"total_mean_request", 100}});
  // Each direction by itself: 100 bytes in 1 read, 600 in 2 writes; the 1000 and the 50 bytes are left out. Total: 700 bytes in 3.
  const reference::Machine two{{job("j", 0, 20, {"A"})}, {series("A", {0, 10, 20}, {{1000, 600, 0, 2}, {100, 50, 1, 0}})}};
  Worked(two, settings("weighted", 0), 0)
      .expect({{"read_mean_request", 100}, {"write_mean_request", 300}, {"total_mean_request", 700.0 / 3}, {"total_bytes", 1750}});
}

TEST(WorkedExample, MeanRequestOfSharedIncrements) {
  // As in `handover`: of the second increment a has 0.3, b 0.7. With 1000 bytes in 10 requests, then 3000 in 6: a has 1900 bytes in 11.8.
  reference::Machine machine = handover();
  machine.series = {series("A", {0, 100, 200}, {{0, 1000, 0, 10}, {0, 3000, 0, 6}})};
  Worked(machine, settings("weighted", 0), 0).expect("write_mean_request", 1900 / 11.8);
  Worked(machine, settings("weighted", 0), 1).expect("write_mean_request", 500);
  // No request in the second one: a is left with 1000 bytes in 10, b with bytes alone.
  machine.series = {series("A", {0, 100, 200}, {{0, 1000, 0, 10}, {0, 3000}})};
  Worked(machine, settings("weighted", 0), 0).expect({{"write_bytes", 1900}, {"write_mean_request", 100}});
  Worked(machine, settings("weighted", 0), 1).expect({{"write_bytes", 2100}, {"write_mean_request", undefined}});
}

TEST(WorkedExample, BoundaryIncrementFakesAPeakOfOperations) {
  // 1200 requests of 120 s in the one second that the job has of them; inside the job there is none. Bytes come inside it alone: 2 B/s.
  const reference::Machine machine{{job("j", 119, 240, {"A"})}, {series("A", {0, 120, 240}, {{0, 0, 0, 1200}, {0, 240, 0, 0}})}};
  const Worked worked(machine, settings("weighted", 0), 0);
  worked.expect({{"write_iops_max", 1200},
                 {"write_iops_max_inner", 0},
                 {"total_iops_max", 1200},
                 {"total_iops_max_inner", 0},
                 {"read_iops_max", 0},
                 {"write_bw_max", 2},
                 {"write_bw_max_inner", 2}});
  worked.expect_flags(boundary, {"boundary"});
}

TEST(WorkedExample, JobWithoutLength) {
  const reference::Machine machine{{job("j", 5, 5, {"A", "B"})}, {series("A", {0, 10}, {{1000, 0, 1, 0}})}};
  for (const char* link : {"weighted", "simple", "discard", "double-count", "window"}) {
    const Worked worked(machine, settings(link, 0), 0);
    worked.expect({{"read_bytes", 0},
                   {"read_bytes_upper", 0},
                   {"read_ops", 0},
                   {"opens", 0},
                   {"read_bw_max", undefined},
                   {"read_bw_mean", undefined},
                   {"read_intensity", undefined},
                   {"read_share_bytes", undefined},
                   {"read_burstiness", undefined},
                   {"coverage", undefined}});
  }
}

TEST(WorkedExample, JobWithoutLengthKnowsWhatWasCountedAtItsMoment) {
  // Bytes alone are counted, in (0, 10] and (10, 20], not from 20 to 30, and in a gap of 60 s (the usual interval is 10 s).
  reference::Series counted = series("A", {0, 10, 20, 30, 90}, {{7, 7}, {7, 7}, {}, {7, 7}});
  for (Increment& i : counted.increments) i.has = byte_counters;
  counted.increments[2].flags = expired;
  counted.increments[2].has = 0;
  const std::map<double, bool> moments = {{0, false},  {1e-6, true}, {5, true},   {10, true},  {20, true},
                                          {25, false}, {30, false},  {60, false}, {90, false}, {300, false}};
  for (const auto& [moment, known] : moments) {
    SCOPED_TRACE(moment);
    const reference::Machine machine{{job("j", moment, moment, {"A", "B"})}, {counted}};
    for (const char* link : {"weighted", "simple", "discard", "double-count", "window"}) {
      const Worked worked(machine, settings(link, 0), 0);
      for (const char* name : {"read_bytes", "write_bytes_lower", "total_bytes_upper", "total_bytes"})
        worked.expect(name, known ? 0 : undefined);
      for (const char* name : {"read_ops", "total_ops", "opens", "closes", "dirs", "inode_updates", "metadata_ops", "metadata_rate_max",
                               "read_bw_max", "read_intensity", "coverage"})
        worked.expect(name, undefined);
    }
  }
}

TEST(WorkedExample, JobWithoutLengthWhereAnotherEnds) {
  // At 100 s the one job ends and the next begins: the increment that ends there is wholly inside the first, and says for the one of that
  // moment what was counted. From 200 s on nothing was.
  const reference::Machine machine{
      {job("a", 0, 100, {"A"}), job("moment", 100, 100, {"A"}), job("b", 100, 200, {"A"}), job("late", 201, 201, {"A"})},
      {series("A", {0, 50, 100, 150, 200}, {{0, 5}, {0, 5}, {0, 5}, {0, 5}})}};
  Worked(machine, settings("weighted", 0), 0).expect({{"write_bytes", 10}, {"coverage", 1}});
  Worked(machine, settings("weighted", 0), 1)
      .expect({{"write_bytes", 0}, {"write_ops", 0}, {"metadata_ops", 0}, {"write_bw_max", undefined}});
  Worked(machine, settings("weighted", 0), 2).expect({{"write_bytes", 10}, {"coverage", 1}});
  Worked(machine, settings("weighted", 0), 3).expect({{"write_bytes", undefined}, {"write_ops", undefined}, {"metadata_ops", undefined}});
}

TEST(WorkedExample, GapsAndMissingTime) {
  // Usual interval 10 s. 25 s is not longer than 2.5 times that, 26 s is: its bytes count, its seconds do not. B was not measured at all.
  // A: 10 + 10 + 10 + 10 + 25 = 65 of 100 s; with B 65 of 200 s.
  const std::vector<double> times = {0, 10, 20, 30, 40, 65, 91};
  const reference::Machine machine{{job("j", 0, 100, {"A", "B"}), job("unknown", 0, 100, {"B"})},
                                   {series("A", times, {{}, {}, {}, {}, {}, {0, 260}})}};
  const Worked worked(machine, settings("weighted", 0), 0);
  worked.expect(
      {{"coverage", 65.0 / 200}, {"write_bytes", 260}, {"write_bw_max", 10}, {"write_intensity", 0.26}, {"write_parallel_intensity", 0}});
  worked.expect_flags(low_coverage | gap, {"low_coverage", "gap"});
  Worked(machine, settings("weighted", 0), 1)
      .expect({{"coverage", 0},
               {"write_bytes", undefined},
               {"write_bytes_lower", undefined},
               {"opens", undefined},
               {"write_intensity", undefined},
               {"write_burstiness", undefined}});
}

TEST(WorkedExample, TieOfThreeFractions) {
  // Three file systems of one server move 1/3 byte each in a slot, in increments of 3 s with 1 byte: exactly one byte per second.
  reference::Machine machine{{job("j", 0, 3, {"A"})}, {}};
  for (const char* filesystem : {"x", "y", "z"}) {
    machine.series.push_back(series("A", {0, 3}, {{1, 0}}));
    machine.series.back().name.filesystem = filesystem;
  }
  Worked(machine, settings("weighted", 1), 0).expect("read_intensity", 0);
  machine.series.back().increments[0].amounts[0] = 2;
  Worked(machine, settings("weighted", 1), 0).expect("read_intensity", 1);
}

TEST(WorkedExample, NoDifferenceIsTooSmall) {
  // Three file systems with increments of d microseconds that have no common factor, D their product. In a slot each moves a * 10^6 / d
  // bytes. With a = (10^6 D / d)^-1 mod d their sum times D is 1 modulo every d, hence 1 modulo D: the sum is 1 / D above a whole number c,
  // which is 6e-25 bytes. With a = -(...)^-1 it is as much below one. The slots 0 to 118 lie wholly inside all three increments.
  using boost::multiprecision::cpp_int;
  const std::array<std::int64_t, 3> lengths = {119'999'999, 120'000'001, 120'000'007};
  const cpp_int product = cpp_int(lengths[0]) * lengths[1] * lengths[2];
  for (const bool above : {true, false}) {
    reference::Machine machine{{job("j", 0, 200, {"A"})}, {}};
    cpp_int sum = 0;
    for (const std::int64_t d : lengths) {
      const cpp_int factor = product / d * 1'000'000;
      cpp_int r0 = d, r1 = factor % d, t0 = 0, t1 = 1;
      while (r1 != 0) {
        const cpp_int quotient = r0 / r1, r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;
        r0 = r1, r1 = r2, t0 = t1, t1 = t2;
      }
      ASSERT_EQ(r0, 1);
      const cpp_int inverse = ((above ? t0 : -t0) % d + d) % d;
      sum += inverse * factor;
      machine.series.push_back(series("A", {0, static_cast<double>(d) / 1e6}, {{inverse.convert_to<std::uint64_t>(), 0}}));
      machine.series.back().name.filesystem = std::to_string(d);
    }
    const cpp_int nearest = sum - (above ? 1 : -1), threshold = nearest / product;
    ASSERT_EQ(threshold * product + (above ? 1 : -1), sum);
    Worked(machine, settings("weighted", threshold.convert_to<std::uint64_t>()), 0).expect("read_intensity", above ? 119.0 / 200 : 0);
  }
}

}  // namespace
}  // namespace fathom
