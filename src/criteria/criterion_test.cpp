// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

double value_of(const Measured& job, std::string_view name) {
  for (const ValueColumn& column : value_columns())
    if (column.name == name) return column.value(job, {});
  ADD_FAILURE() << name;
  return undefined;
}

std::string reason(const Measured& job, std::string_view id) { return why_undefined(*criterion_with_id(id), job); }

Measured without_length(CounterMask has) {
  Measured job;
  job.start = job.end = 5;
  job.units = 1;
  job.has = has;
  job.swept.activity.resize(1);
  job.swept.sizes.prepare(1, false);
  return job;
}

// It moved nothing: that is known of what was counted when it was there, and of nothing else.
TEST(Criterion, JobWithoutLength) {
  const Measured nowhere = without_length(0);
  for (const ValueColumn& column : value_columns()) EXPECT_TRUE(std::isnan(column.value(nowhere, {}))) << column.name;
  EXPECT_EQ(reason(nowhere, "1.1"), "nothing was measured while it ran");

  const Measured bytes = without_length(byte_counters);
  EXPECT_EQ(value_of(bytes, "read_bytes"), 0);
  EXPECT_EQ(value_of(bytes, "total_bytes_upper"), 0);
  for (const char* name : {"read_ops", "opens", "closes", "dirs", "inode_updates", "metadata_ops", "metadata_rate_mean", "read_bw_max",
                           "total_intensity", "read_share_bytes", "read_mean_request"})
    EXPECT_TRUE(std::isnan(value_of(bytes, name))) << name;
  EXPECT_EQ(reason(bytes, "1.2"), "operations were not counted");
  EXPECT_EQ(reason(bytes, "1.3"), "it has no length");
  EXPECT_EQ(reason(bytes, "1.5"), "not counted by its servers");
  EXPECT_EQ(reason(bytes, "1.7"), "not counted by its servers");

  const Measured metadata = without_length(mask(Counter::opens) | mask(Counter::metadata_ops));
  EXPECT_EQ(value_of(metadata, "opens"), 0);
  EXPECT_EQ(value_of(metadata, "metadata_ops"), 0);
  EXPECT_TRUE(std::isnan(value_of(metadata, "closes")));
  EXPECT_EQ(reason(metadata, "1.1"), "bytes were not counted");
  EXPECT_EQ(reason(metadata, "1.5"), "not counted by its servers");
  EXPECT_EQ(reason(metadata, "1.7"), "it has no length");
}

// 1,000,100 bytes and 5 requests in all, of which 3 have a size that is known, together 150 bytes.
TEST(Criterion, MeanRequestIsOfKnownSizes) {
  Measured job;
  job.end = 10'000'000;
  job.units = 1;
  job.coverage = 1;
  job.has = all_counters;
  job.totals = {1'000'100, 0, 5, 0};
  job.swept.activity.resize(1);
  job.swept.sizes.prepare(1, false);
  job.swept.sizes.sized = {3, 0};
  job.swept.sized_bytes = {150, 0};
  EXPECT_EQ(value_of(job, "read_mean_request"), 50);
  EXPECT_EQ(value_of(job, "total_mean_request"), 50);
  EXPECT_TRUE(std::isnan(value_of(job, "write_mean_request")));
  job.has = static_cast<CounterMask>(all_counters & ~mask(Counter::read_ops));
  EXPECT_TRUE(std::isnan(value_of(job, "read_mean_request")));
  EXPECT_TRUE(std::isnan(value_of(job, "total_mean_request")));
}

}  // namespace
}  // namespace fathom
