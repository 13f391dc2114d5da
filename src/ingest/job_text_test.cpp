// SPDX-License-Identifier: Apache-2.0
#include "ingest/job_text.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

using namespace std::chrono_literals;

TEST(JobText, TimeSpans) {
  EXPECT_EQ(parse_time_span("5-00:00:26", 1min), 5 * 24h + 26s);
  EXPECT_EQ(parse_time_span("1-12", 1min), 36h);
  EXPECT_EQ(parse_time_span("1-12:30", 1min), 36h + 30min);
  EXPECT_EQ(parse_time_span("96:00:00", 1min), 96h);
  EXPECT_EQ(parse_time_span("30:10", 1min), 30min + 10s);
  EXPECT_EQ(parse_time_span("90", 1min), 90min);
  EXPECT_EQ(parse_time_span("90", 1s), 90s);
  for (const char* bad : {"", "-", "1-", "a", "1:2:3:4", "1:", ":1", "-1", "1-2-3", "99999999999999999999", "9999999-00:00:00"})
    EXPECT_FALSE(parse_time_span(bad, 1s)) << bad;
}

TEST(JobText, UnreadableLimitsAreCountedOthersAreNone) {
  JobText text({});
  EXPECT_FALSE(text.time_limit("UNLIMITED", 1min));
  EXPECT_FALSE(text.time_limit("Partition_Limit", 1min));
  EXPECT_FALSE(text.time_limit("soon", 1min));
  EXPECT_FALSE(text.time_limit("later", 1min));
  SeriesTable series;
  Harvest harvest(series, 10, [](Batch&) {});
  text.tell(harvest);
  ASSERT_EQ(harvest.account().notices.size(), 1u);
  EXPECT_EQ(harvest.account().notices[0], "2 jobs have a time limit that cannot be read (the first: 'soon'); they are kept without one");
}

TEST(JobText, TheFirstLineSkipsBlankOnesAndTheMark) {
  EXPECT_EQ(first_line_of("\xef\xbb\xbf\r\n  \njob_id,start\nx"), "job_id,start");
  EXPECT_EQ(first_line_of("\n\n"), "");
}

}  // namespace
}  // namespace fathom
