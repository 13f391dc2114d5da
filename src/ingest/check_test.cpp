// SPDX-License-Identifier: Apache-2.0
#include "ingest/check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "store/series_times.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// What `check` says of a store whose one segment has two rows of ten seconds, and this note.
std::vector<std::string> problems_with(const std::vector<FooterNote>& notes) {
  const std::string path = fs::temp_directory_path() / ("fathom-check-test-" + std::to_string(::getpid()));
  fs::remove_all(path);
  auto store = Store::open_or_create(path);
  EXPECT_TRUE(store);
  {
    auto change = store->begin();
    EXPECT_TRUE(change);
    std::string columns;
    for (const std::string_view counter : counter_names) columns += ", 1::BIGINT AS " + std::string(counter);
    const auto staged =
        change->stage_query(increments_table, 0,
                            "SELECT 's1' AS server, '' AS filesystem, NULL::VARCHAR AS job, make_timestamp(i * 10000000) AS "
                            "start_time, make_timestamp(i * 10000000 + 10000000) AS end_time" +
                                columns + ", 0::BIGINT AS flags, 1::BIGINT AS source FROM range(2) t(i)",
                            notes);
    EXPECT_TRUE(staged) << staged.error().message;
    EXPECT_TRUE(change->commit());
  }
  const auto report = check_store(*store);
  EXPECT_TRUE(report) << report.error().message;
  fs::remove_all(path);
  return report ? report->problems : std::vector<std::string>{};
}

bool of_its_note(const std::vector<std::string>& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const std::string& problem) { return problem.find("its footer notes other times") != std::string::npos; });
}

TEST(Check, ANoteMustSayWhatTheRowsSay) {
  const auto note = [](const std::string& text) { return std::vector<FooterNote>{{"fathom_series_times", text}}; };
  EXPECT_FALSE(of_its_note(problems_with({})));
  EXPECT_FALSE(of_its_note(problems_with(note("s1\t\t\t0\t20000000\t2\t10000000\t2\n"))));
  EXPECT_FALSE(of_its_note(problems_with(note("not understood, so the rows are read"))));
  EXPECT_TRUE(of_its_note(problems_with(note("s1\t\t\t0\t20000000\t2\t10000000\t1\t9000000\t1\n"))));
  EXPECT_TRUE(of_its_note(problems_with(note("s1\t\t\t0\t30000000\t2\t10000000\t2\n"))));
  EXPECT_TRUE(of_its_note(problems_with(note("s2\t\t\t0\t20000000\t2\t10000000\t2\n"))));
  EXPECT_TRUE(of_its_note(problems_with(note(""))));
}

}  // namespace
}  // namespace fathom
