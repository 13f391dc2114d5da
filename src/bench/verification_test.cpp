// SPDX-License-Identifier: Apache-2.0
#include "bench/verification.h"

#include <gtest/gtest.h>

#include <map>

namespace fathom {
namespace {

BenchTruth test(std::string job, BenchInterface interface, BenchLayout layout, std::uint64_t size, std::uint64_t nodes, Counters amounts) {
  BenchTruth truth;
  truth.head.parameters.interface = interface;
  truth.head.parameters.layout = layout;
  truth.head.parameters.size = size;
  truth.head.nodes = nodes;
  truth.head.job_id = std::move(job);
  truth.amounts = amounts;
  return truth;
}

double number(const Cell& cell) { return std::get<double>(cell); }
std::string text(const Cell& cell) { return std::get<std::string>(cell); }

// Truth of both tests: 1000 bytes read in 10, 2000 written in 20 commands, 4 opens, 4 closes; test b wrote nothing.
// Columns in the order of Counter: read_bytes, write_bytes, read_ops, write_ops, opens, closes.
const Counters truth_a = {1000, 2000, 10, 20, 4, 4, 0, 0}, truth_b = {1000, 0, 10, 0, 4, 4, 0, 0};

const std::map<std::pair<std::string, std::string>, std::array<double, counter_count>> estimates = {
    {{"a", "weighted"}, {1010, 2000, 10, 20, 6, 4, 0, 0}},      // BR +1 %, OC +50 %
    {{"a", "simple"}, {900, 2000, 10, 20, 3, 1, 0, 0}},         // BR -10 %, OC -25 %, CC -75 %
    {{"a", "discard"}, {500, 1000, 5, 10, 3, 2, 0, 0}},         // half of all but OC -25 %
    {{"a", "double-count"}, {2000, 4000, 20, 40, 8, 8, 0, 0}},  // twice all
    {{"b", "weighted"}, {970, 5, 10, 1, 6, 4, 0, 0}},           // BR -3 %
    {{"b", "simple"}, {1000, 0, 9, 0, 4, 2, 0, 0}},             // RdC -10 %, CC -50 %
    {{"b", "discard"}, {1000, 0, 10, 0, 4, 4, 0, 0}},
    {{"b", "double-count"}, {1000, 0, 10, 0, 4, 4, 0, 0}}};

Result<LinkedVolumes> linked(std::string_view job, std::string_view link) {
  const auto found = estimates.find({std::string(job), std::string(link)});
  if (found == estimates.end()) return Error{ErrorKind::not_found, "no such job"};
  return LinkedVolumes{.amounts = found->second};
}

TEST(Verification, ErrorsAreRelativeToTheTruth) {
  const auto verified = verify({test("b", BenchInterface::mpiio, BenchLayout::shared, 4096, 64, truth_b),
                                test("a", BenchInterface::posix, BenchLayout::task_local, 65536, 32, truth_a)},
                               linked);
  ASSERT_TRUE(verified);
  const Table& errors = verified->errors;
  ASSERT_EQ(errors.rows.size(), 8u);
  ASSERT_EQ(errors.columns.size(), 12u);
  EXPECT_EQ(errors.columns[6].name, "BR");
  EXPECT_EQ(errors.columns[11].name, "CC");
  const auto& first = errors.rows[0];  // posix stands before mpiio
  EXPECT_EQ(text(first[0]), "a");
  EXPECT_EQ(text(first[2]), "task-local");
  EXPECT_EQ(text(first[3]), "64Ki");
  EXPECT_EQ(text(first[5]), "weighted");
  EXPECT_NEAR(number(first[6]), 0.01, 1e-12);
  EXPECT_NEAR(number(first[10]), 0.5, 1e-12);
  EXPECT_NEAR(number(first[11]), 0, 1e-12);
  EXPECT_NEAR(number(errors.rows[1][11]), -0.75, 1e-12);
  EXPECT_NEAR(number(errors.rows[3][8]), 1, 1e-12);
  // b wrote nothing: no error can be given in per cent of nothing
  EXPECT_TRUE(std::holds_alternative<std::monostate>(errors.rows[4][8]));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(errors.rows[4][9]));
}

TEST(Verification, SummaryHasMeanAbsoluteErrorsAndTheBest) {
  const auto verified = verify({test("a", BenchInterface::posix, BenchLayout::task_local, 65536, 32, truth_a),
                                test("b", BenchInterface::mpiio, BenchLayout::shared, 4096, 64, truth_b)},
                               linked);
  ASSERT_TRUE(verified);
  const auto& rows = verified->summary.rows;
  ASSERT_EQ(rows.size(), 4u);
  // BR: weighted (1 + 3) / 2 = 2 %, simple (10 + 0) / 2 = 5 %, discard (50 + 0) / 2 = 25 %, double-count 50 %
  for (const auto& [row, mean] : {std::pair{0, 0.02}, {1, 0.05}, {2, 0.25}, {3, 0.5}})
    EXPECT_NEAR(number(rows[static_cast<std::size_t>(row)][2]), mean, 1e-12);
  // BW: test a alone counts: 0, 0, 50 and 100 %
  EXPECT_NEAR(number(rows[2][4]), 0.5, 1e-12);
  // OC: weighted 50, simple (25 + 0) / 2 = 12.5, discard 12.5, double-count 50
  EXPECT_NEAR(number(rows[1][6]), 0.125, 1e-12);
  EXPECT_EQ(text(rows[0].back()), "BR RdC BW WC CC");
  EXPECT_EQ(text(rows[1].back()), "BW WC OC");  // BW and WC as good as weighted
  EXPECT_EQ(text(rows[2].back()), "OC");
  EXPECT_EQ(text(rows[3].back()), "");
}

TEST(Verification, ACounterThatWasNotMeasuredHasNoError) {
  const auto verified =
      verify({test("a", BenchInterface::posix, BenchLayout::shared, 1, 0, truth_a)}, [](auto, auto) -> Result<LinkedVolumes> {
        return LinkedVolumes{.amounts = {1000, 2000, 10, 20, 0, 0, 0, 0}, .has = byte_counters};
      });
  ASSERT_TRUE(verified);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(verified->errors.rows[0][10]));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(verified->errors.rows[0][4]));  // nodes are not known
  EXPECT_EQ(text(verified->summary.rows[0].back()), "BR BW");
}

TEST(Verification, NeedsTheJob) {
  EXPECT_FALSE(verify({test("", BenchInterface::posix, BenchLayout::shared, 1, 0, truth_a)}, linked));
  const auto unknown = verify({test("c", BenchInterface::posix, BenchLayout::shared, 1, 0, truth_a)}, linked);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "no such job");
}

}  // namespace
}  // namespace fathom
