// SPDX-License-Identifier: Apache-2.0
// Whatever the order, the split and the overlap of the files: the store holds what the set of all samples says.
#include "ingest/merger.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/random.h"
#include "ingest/ingest.h"
#include "store/survey.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// One record of a log, with names instead of numbers.
struct Record {
  SeriesName name;
  Sample sample;
  bool is_mark = false;
  Mark mark;
};

std::string row_text(const SeriesName& name, const Increment& i) {
  std::string text = fmt::format("{}|{}|{}|{}|{}|{}", name.server, name.filesystem, name.job, micros(i.start), micros(i.end), i.flags);
  for (std::size_t c = 0; c < counter_count; ++c) text += holds(i.has, c) ? fmt::format("|{}", i.amounts[c]) : "|-";
  return text;
}

/// The slow and plain way: all samples of a series sorted, one of each time, each joined to the one before.
std::vector<std::string> expected_rows(const std::vector<Record>& records) {
  std::map<SeriesName, std::vector<Sample>> series;
  std::map<std::string, std::vector<Time>> resets, visits;
  for (const Record& r : records) {
    if (r.is_mark) {
      (r.mark.kind == MarkKind::reset ? resets : visits)[r.mark.server].push_back(r.mark.t);
    } else {
      series[r.name].push_back(r.sample);
    }
  }
  std::vector<std::string> rows;
  for (auto& [name, samples] : series) {
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.t < b.t || (a.t == b.t && prefer(a, b)); });
    samples.erase(std::unique(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.t == b.t; }), samples.end());
    const Sample* before = nullptr;
    for (const Sample& sample : samples) {
      Context context;
      for (const Time t : resets[name.server])
        if (name.job.empty() && t < sample.t && (before == nullptr || t >= before->t)) context.last_reset = std::max(context.last_reset, t);
      if (before == nullptr && !name.job.empty())
        for (const Time t : visits[name.server])
          if (t < sample.t && t >= sample.t - MarkBook::visit_reach) context.last_visit = std::max(context.last_visit, t);
      if (const auto increment = join(before, sample, context)) rows.push_back(row_text(name, *increment));
      before = &sample;
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::string> stored_rows(const Store& store) {
  auto snapshot = store.snapshot();
  auto database = Database::open({});
  std::string counters;
  for (const std::string_view counter : counter_names) counters += fmt::format(", {}", counter);
  auto rows = database->query(fmt::format("SELECT server, filesystem, coalesce(job, ''), start_time, end_time, flags{} FROM {}", counters,
                                          snapshot->rows_of(increments_table)));
  EXPECT_TRUE(rows) << rows.error().message;
  std::vector<std::string> texts;
  while (rows->next()) {
    for (std::size_t i = 0; i < rows->size(); ++i) {
      Increment increment{.start = rows->time(3, i),
                          .end = rows->time(4, i),
                          .series = 0,
                          .source = 0,
                          .has = 0,
                          .flags = static_cast<std::uint8_t>(rows->number(5, i)),
                          .amounts = {}};
      for (std::size_t c = 0; c < counter_count; ++c) {
        if (rows->is_null(6 + c, i)) continue;
        increment.has |= static_cast<CounterMask>(1u << c);
        increment.amounts[c] = static_cast<std::uint64_t>(rows->number(6 + c, i));
      }
      texts.push_back(row_text({std::string(rows->text(0, i)), std::string(rows->text(1, i)), std::string(rows->text(2, i))}, increment));
    }
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// A few servers over some days with everything that goes wrong.
std::vector<Record> random_log(Random& random) {
  std::vector<Record> records;
  const Time base = time_from_seconds(1'300'000'000 + random.whole(0, 86400));
  for (int s = 0; s < 3; ++s) {
    const std::string server = fmt::format("node{}", s);
    const std::uint8_t traits[] = {narrow_ops, narrow_ops | drop_is_unmount, drop_is_expiry, cumulative, per_interval};
    for (int f = 0; f < 2; ++f) {
      const std::uint8_t trait = traits[random.whole(0, 4)];
      const SeriesName name{server, fmt::format("fs{}", f), trait == drop_is_expiry ? "job7" : ""};
      Sample sample;
      sample.traits = trait;
      sample.has = random.chance(0.8) ? all_counters : byte_counters;
      sample.values.fill(static_cast<std::uint64_t>(random.whole(0, 4'294'967'295)));
      sample.t = base + std::chrono::seconds(random.whole(0, 4000));
      const int count = static_cast<int>(random.whole(1, 40));
      for (int i = 0; i < count; ++i) {
        sample.t += std::chrono::microseconds(random.chance(0.1) ? random.whole(1, 200'000'000'000) : random.whole(1, 8'000'000'000));
        for (std::uint64_t& value : sample.values) value += static_cast<std::uint64_t>(random.whole(0, 1000));
        if (random.chance(0.1)) sample.values.fill(static_cast<std::uint64_t>(random.whole(0, 5000)));
        if (random.chance(0.05)) sample.has = random.chance(0.5) ? all_counters : byte_counters;
        if ((trait & narrow_ops) != 0)
          for (std::size_t c = 2; c < counter_count; ++c) sample.values[c] %= std::uint64_t{1} << 32;
        sample.since = (trait == cumulative || trait == drop_is_expiry) && random.chance(0.1)
                           ? sample.t - std::chrono::seconds(random.whole(1, 3000))
                           : no_time;
        Sample kept = sample;
        for (std::size_t c = 0; c < counter_count; ++c)
          if (!holds(kept.has, c)) kept.values[c] = 0;
        records.push_back({name, kept, false, {}});
        if (random.chance(0.1)) records.push_back(records.back());
        if (random.chance(0.05)) {  // the same moment read differently
          Record other = records.back();
          other.sample.values[0] += 1;
          records.push_back(other);
        }
      }
    }
    for (int m = 0; m < 3; ++m)
      records.push_back(
          {{},
           {},
           true,
           {server, "", m == 0 ? MarkKind::visit : MarkKind::reset, base + std::chrono::seconds(random.whole(0, 300'000)), 0}});
  }
  return records;
}

Repairs add_file(const Store& store, const std::vector<Record>& records, std::size_t batch) {
  IngestOptions options;
  options.batch_samples = batch;
  const auto report = ingest_from(
      store, "part", "test",
      [&](Harvest& harvest) -> Result<void> {
        for (const Record& r : records) {
          if (r.is_mark) {
            harvest.mark(r.mark);
          } else {
            Sample sample = r.sample;
            sample.series = harvest.series(r.name.server, r.name.filesystem, r.name.job);
            harvest.sample(sample);
          }
        }
        return {};
      },
      options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? report->repairs : Repairs{};
}

/// What the whole store says.
Repairs surveyed_repairs(const Store& store) {
  auto snapshot = store.snapshot();
  auto database = Database::open({});
  const auto found = survey(*snapshot, *database);
  EXPECT_TRUE(found) << found.error().message;
  return {.resets = found->resets,
          .resets_inferred = found->resets_inferred,
          .wraps = found->wraps,
          .gaps = found->total().gaps,
          .unmounts = found->unmounts,
          .expiries = found->expiries};
}

class AnyOrder : public ::testing::TestWithParam<int> {};

TEST_P(AnyOrder, GivesTheSameStore) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  std::vector<Record> records = random_log(random);
  const auto expected = expected_rows(records);
  if (GetParam() % 2 == 0)
    std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.sample.t < b.sample.t; });
  // Cut into files, which overlap a little and come in any order.
  std::vector<std::vector<Record>> files;
  for (std::size_t at = 0; at < records.size();) {
    const auto size = static_cast<std::size_t>(random.whole(1, static_cast<std::int64_t>(records.size())));
    const std::size_t end = std::min(at + size, records.size());
    files.emplace_back(records.begin() + static_cast<std::ptrdiff_t>(at > 5 ? at - 5 : 0),
                       records.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
  }
  for (std::size_t i = files.size(); i > 1; --i)
    std::swap(files[i - 1], files[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1))]);
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  ASSERT_TRUE(store);
  for (const auto& file : files) add_file(*store, file, static_cast<std::size_t>(random.whole(1, 60)));
  const auto got = stored_rows(*store);
  EXPECT_EQ(got, expected);
  // All of it again, in one piece: nothing changes.
  EXPECT_EQ(add_file(*store, records, 1000), Repairs{});
  EXPECT_EQ(stored_rows(*store), expected);
}

TEST_P(AnyOrder, OneIngestTellsTheRepairsThatTheStoreHas) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 1000);
  std::vector<Record> records = random_log(random);
  for (std::size_t i = records.size(); i > 1; --i)
    std::swap(records[i - 1], records[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1))]);
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  ASSERT_TRUE(store);
  const Repairs told = add_file(*store, records, static_cast<std::size_t>(random.whole(20, 200)));
  EXPECT_EQ(told, surveyed_repairs(*store));
  EXPECT_GT(told.resets + told.resets_inferred + told.wraps, 0u);
}

/// One sample every minute, and none from the tenth to the fortieth: one gap.
std::vector<Record> log_with_a_gap(const SeriesName& name) {
  std::vector<Record> records;
  for (int minute = 0; minute < 60; ++minute) {
    if (minute > 10 && minute < 40) continue;
    Record& record = records.emplace_back();
    record.name = name;
    record.sample.t = time_from_seconds(1'300'000'000 + 60 * minute);
    record.sample.has = all_counters;
    record.sample.values.fill(static_cast<std::uint64_t>(minute));
  }
  return records;
}

TEST(Gaps, OfTotalsAndJobTagsCountOnlyWithoutFileSystemsWhicheverComesFirst) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  ASSERT_TRUE(store);
  EXPECT_EQ(add_file(*store, log_with_a_gap({"a", "", "job7"}), 1000).gaps, 1u);
  EXPECT_EQ(add_file(*store, log_with_a_gap({"a", "work", ""}), 1000).gaps, 1u);
  EXPECT_EQ(add_file(*store, log_with_a_gap({"a", "", ""}), 1000).gaps, 0u);
  EXPECT_EQ(add_file(*store, log_with_a_gap({"b", "", ""}), 1000).gaps, 1u);
  std::vector<Record> both = log_with_a_gap({"c", "", "job7"});
  for (const Record& record : log_with_a_gap({"c", "", ""})) both.push_back(record);
  EXPECT_EQ(add_file(*store, both, 1000).gaps, 1u);
  EXPECT_EQ(surveyed_repairs(*store).gaps, 3u);
}

TEST(Gaps, AreNoMoreWhereLateSamplesFillThem) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  ASSERT_TRUE(store);
  std::vector<Record> records = log_with_a_gap({"a", "", ""});
  for (int minute = 11; minute < 40; ++minute) {
    records.push_back(records[static_cast<std::size_t>(minute % 10)]);
    records.back().sample.t = time_from_seconds(1'300'000'000 + 60 * minute);
    records.back().sample.values.fill(static_cast<std::uint64_t>(minute));
  }
  EXPECT_EQ(add_file(*store, records, 25), Repairs{});
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyOrder, ::testing::Range(1, 13));

TEST(RemoveSource, LeavesWhatTheOthersSay) {
  Random random(99);
  std::vector<Record> first = random_log(random), second = random_log(random);
  // Two machines' logs, so that no sample is in both.
  for (Record& r : second) {
    r.name.server += "b";
    r.mark.server += "b";
  }
  // And every other sample of the first machine comes with the second file.
  std::vector<Record> kept, moved;
  for (std::size_t i = 0; i < first.size(); ++i) (i % 2 == 0 ? kept : moved).push_back(first[i]);
  std::erase_if(moved, [&](const Record& r) {
    return std::any_of(kept.begin(), kept.end(),
                       [&](const Record& k) { return !r.is_mark && !k.is_mark && k.name == r.name && k.sample.t == r.sample.t; });
  });
  second.insert(second.end(), moved.begin(), moved.end());
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  add_file(*store, kept, 1000);
  const auto before = stored_rows(*store);
  EXPECT_EQ(before, expected_rows(kept));
  add_file(*store, second, 1000);
  EXPECT_NE(stored_rows(*store), before);
  {
    auto transaction = store->begin();
    Merger merger(*transaction);
    ASSERT_TRUE(merger.begin());
    const auto removed = merger.remove_source(2);
    ASSERT_TRUE(removed) << removed.error().message;
    ASSERT_TRUE(transaction->commit());
  }
  EXPECT_EQ(stored_rows(*store), before);
}

}  // namespace
}  // namespace fathom
