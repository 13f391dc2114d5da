// SPDX-License-Identifier: Apache-2.0
#include "dashboard/kept_calls.h"

#include <gtest/gtest.h>

#include <random>

#include "trace_analysis/concurrency.h"
#include "trace_analysis/made_events_test.h"
#include "trace_analysis/summary.h"

namespace fathom::dashboard {
namespace {

using trace::Interface;
using trace::MadeRun;

constexpr std::int64_t us = 1000;

CallChoice in(TimeWindow window) {
  CallChoice choice;
  choice.window = window;
  return choice;
}

/// Whole numbers by chance, below a limit.
class Chance {
 public:
  explicit Chance(unsigned seed) : made_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(made_() % limit); }

 private:
  std::mt19937 made_;
};

/// Calls by chance: MPI writes with POSIX calls inside, POSIX reads alone, locks, opens; some on a pipe.
MadeRun random_run(unsigned seed, std::uint32_t ranks, int calls) {
  Chance chance(seed);
  MadeRun run(ranks);
  const std::uint32_t data = run.file("/data/a"), other = run.file("/data/b"), pipe = run.file("pipe:", trace::FileKind::pipe);
  std::vector<double> free(ranks, 0);
  for (int i = 0; i < calls; ++i) {
    const std::uint32_t rank = chance.below(ranks);
    const double start = free[rank] + chance.below(40), length = chance.below(50) == 0 ? 4000 + chance.below(1000) : chance.below(60);
    free[rank] = start + length;
    const std::uint32_t file = chance.below(2) == 0 ? data : other;
    switch (chance.below(6)) {
      case 0: {
        const std::size_t around = run.call(rank, "MPI_File_write_at", file, start, start + length, {0, 4096});
        run.call(rank, "fcntl.lock", file, start + length * 0.1, start + length * 0.2, {}, around);
        run.call(rank, "pwrite", file, start + length * 0.3, start + length * 0.9, {0, 4096}, around);
        break;
      }
      case 1: run.call(rank, "pread", file, start, start + length, {8192, 1000}); break;
      case 2: run.call(rank, "open", file, start, start + length); break;
      case 3: run.call(rank, "fsync", file, start, start + length); break;
      case 4: run.call(rank, "write", pipe, start, start + length, {trace::no_offset, 100}); break;
      default: {
        const std::size_t around = run.call(rank, "fwrite", file, start, start + length, {trace::no_offset, 10000});
        run.call(rank, "write", file, start, start + length / 2, {trace::no_offset, 4096}, around);
      }
    }
  }
  return run;
}

/// What a picture should show, call by call.
class Plain : public trace::Analysis {
 public:
  struct One {
    std::int64_t start, end;
    std::uint32_t unit;
    Interface interface;
    CallKind kind;
    bool counts, told;
  };
  void take(const trace::Seen& seen) override {
    all.push_back({seen.event.start, seen.event.end, seen.event.unit, seen.call.interface, kind_of(seen.call.operation, seen.direction),
                   seen.counts, seen.told()});
  }
  std::uint64_t time(const CallPicture& picture, std::size_t row, std::size_t column, CallKind kind, Interface interface,
                     std::int64_t until) const {
    const std::int64_t from = picture.t0 + static_cast<std::int64_t>(column) * picture.step, to = std::min(from + picture.step, until);
    std::uint64_t sum = 0;
    for (const One& one : all)
      if (one.counts && one.told && one.interface == interface && one.kind == kind && one.unit / picture.units_per_row == row)
        sum += static_cast<std::uint64_t>(std::max<std::int64_t>(0, std::min(one.end, to) - std::max(one.start, from)));
    return sum;
  }
  std::vector<One> all;
};

void expect_same(const CallPicture& picture, const Plain& plain, Interface interface, std::int64_t until) {
  ASSERT_EQ(picture.time.size(), picture.columns * picture.rows * kind_count);
  for (std::size_t row = 0; row < picture.rows; ++row)
    for (std::size_t column = 0; column < picture.columns; ++column)
      for (std::size_t kind = 0; kind < kind_count; ++kind)
        ASSERT_EQ(picture.at(row, column, static_cast<CallKind>(kind)),
                  plain.time(picture, row, column, static_cast<CallKind>(kind), interface, until))
            << "row " << row << " column " << column << " kind " << kind_names[kind];
}

TEST(KeptCalls, PictureOfAnyWindowIsWhatAddingUpGives) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    Chance chance(seed * 77);
    const std::uint32_t ranks = 1 + chance.below(20);
    const MadeRun run = random_run(seed, ranks, 400);
    KeptCalls kept(run.trace, {.calls = 10'000, .columns = 64, .rows = 256});
    Plain plain;
    run.feed(kept, plain);
    ASSERT_TRUE(kept.exact());
    const auto span = static_cast<std::uint32_t>(run.trace.end - run.trace.start);  // milliseconds
    for (int i = 0; i < 12; ++i) {
      TimeWindow window{run.trace.start + chance.below(span) - span / 8, 0};
      window.to = window.from + 1 + chance.below(span);
      if (i == 0) window = kept.whole();
      const auto interface = chance.below(2) == 0 ? Interface::posix : Interface::mpiio;
      const std::size_t rows = 1 + chance.below(20);
      const CallPicture picture = kept.picture(window, 1 + chance.below(50), rows, interface);
      EXPECT_LE(picture.rows, rows);
      EXPECT_TRUE(picture.exact);
      expect_same(picture, plain, interface, window.to);
      const auto under_way = [&](const Plain::One& one) {
        return one.counts && one.start < window.to && (one.end > window.from || (one.end == window.from && one.start == one.end));
      };
      EXPECT_EQ(picture.calls, static_cast<std::uint64_t>(std::count_if(plain.all.begin(), plain.all.end(), under_way)));
    }
  }
}

TEST(KeptCalls, BeyondTheLimitACoarsePictureIsLeft) {
  const MadeRun run = random_run(5, 9, 600);
  KeptCalls kept(run.trace, {.calls = 300, .columns = 50, .rows = 4});
  Plain plain;
  run.feed(kept, plain);
  EXPECT_FALSE(kept.exact());
  EXPECT_FALSE(kept.choose(in(kept.whole())));
  EXPECT_EQ(kept.seen(), plain.all.size());
  const CallPicture all = kept.picture(kept.whole(), 1000, 256, Interface::posix);
  EXPECT_FALSE(all.exact);
  EXPECT_EQ(all.columns, 50u);
  EXPECT_EQ(all.units_per_row, 3u);
  EXPECT_EQ(all.rows, 3u);
  expect_same(all, plain, Interface::posix, run.trace.end);
  const TimeWindow part{run.trace.start + (run.trace.end - run.trace.start) / 3, run.trace.start + (run.trace.end - run.trace.start) / 2};
  const CallPicture some = kept.picture(part, 3, 2, Interface::mpiio);
  EXPECT_LE(some.t0, part.from);
  EXPECT_GE(some.t0 + static_cast<std::int64_t>(some.columns) * some.step, part.to);
  EXPECT_EQ(some.rows, 2u);
  // The last column may reach over fewer of the coarse ones.
  const std::int64_t step = (run.trace.end - run.trace.start - 1) / 50 + 1;
  expect_same(some, plain, Interface::mpiio, run.trace.start + ((part.to - 1 - run.trace.start) / step + 1) * step);
}

TEST(KeptCalls, WideWindowsOfManyCallsComeFromTheCoarsePicture) {
  const MadeRun run = random_run(8, 7, 900);
  KeptCalls kept(run.trace, {.calls = 10'000, .scanned = 200, .columns = 600, .rows = 256});
  Plain plain;
  run.feed(kept, plain);
  EXPECT_TRUE(kept.exact());
  const CallPicture wide = kept.picture(kept.whole(), 450, 256, Interface::posix);
  EXPECT_FALSE(wide.exact);
  EXPECT_LE(wide.columns, 450u);
  expect_same(wide, plain, Interface::posix, run.trace.end);
  const TimeWindow narrow{run.trace.start, run.trace.start + (run.trace.end - run.trace.start) / 3};
  const CallPicture exact = kept.picture(narrow, 450, 256, Interface::posix);
  EXPECT_TRUE(exact.exact) << "a third of the coarse columns is too few";
  expect_same(exact, plain, Interface::posix, narrow.to);
  CallChoice few = in(kept.whole()), every = few;
  every.limit = 5000;
  few.limit = 40;
  const auto all = kept.choose(every);
  EXPECT_EQ(all->calls.size(), all->total);
  const auto longest = kept.choose(few);
  std::vector<std::int64_t> lengths;
  for (const OneCall& one : all->calls) lengths.push_back(one.end - one.start);
  std::sort(lengths.rbegin(), lengths.rend());
  ASSERT_EQ(longest->calls.size(), 40u);
  for (const OneCall& one : longest->calls) EXPECT_GE(one.end - one.start, lengths[39]);
  EXPECT_TRUE(
      std::is_sorted(longest->calls.begin(), longest->calls.end(), [](const OneCall& a, const OneCall& b) { return a.row < b.row; }));
}

TEST(KeptCalls, ThinnedLevelsReachAsHigh) {
  const MadeRun run = random_run(2, 12, 2000);
  KeptCalls kept(run.trace, {.calls = 10'000, .scanned = 200, .columns = 600, .rows = 256});
  run.feed(kept);
  const CallLevels all = kept.levels(kept.whole(), 1'000'000, Interface::posix), few = kept.levels(kept.whole(), 30, Interface::posix);
  EXPECT_FALSE(few.exact);
  EXPECT_LE(few.steps.size(), 30u);
  EXPECT_EQ(few.most, all.most);
  EXPECT_EQ(few.lasted, all.lasted);
  Levels highest{};
  for (const auto& step : few.steps) raise(highest, step.levels);
  EXPECT_EQ(highest, all.most);
}

TEST(KeptCalls, CallsComeWithWhatIsInThem) {
  MadeRun run(2);
  const std::uint32_t file = run.file("/data");
  const std::size_t outer = run.call(0, "MPI_File_write_at", file, 10, 50, {0, 100});
  run.call(0, "fcntl.lock", file, 12, 14, {}, outer);
  const std::size_t stream = run.call(0, "fwrite", file, 15, 40, {trace::no_offset, 100}, outer);
  run.call(0, "write", file, 16, 30, {trace::no_offset, 100}, stream);
  run.call(1, "write", file, 16, 30, {trace::no_offset, 7});
  run.call(0, "pread", file, 60, 61, {std::int64_t{1} << 40, std::uint64_t{5} << 32, -28});
  KeptCalls kept(run.trace);
  run.feed(kept);
  CallChoice made_by_first = in(kept.whole());
  made_by_first.inside = 0;
  const auto inside = kept.choose(made_by_first);
  ASSERT_TRUE(inside);
  ASSERT_EQ(inside->calls.size(), 3u);
  EXPECT_EQ(run.trace.calls[inside->calls[2].call].name, "write");
  EXPECT_EQ(inside->calls[2].depth, 2u);
  EXPECT_EQ(inside->calls[2].parent, inside->calls[1].row);
  EXPECT_EQ(inside->calls[2].unit, 0u);
  const auto last = kept.choose(in({MadeRun::epoch + 55 * us, MadeRun::epoch + 70 * us}));
  ASSERT_EQ(last->calls.size(), 1u);
  EXPECT_EQ(last->calls[0].offset, std::int64_t{1} << 40);
  EXPECT_EQ(last->calls[0].bytes, std::uint64_t{5} << 32);
  EXPECT_EQ(last->calls[0].result, -28);
  CallChoice of_one = in(kept.whole()), of_mpi = of_one, two = of_one;
  of_one.unit = 1;
  EXPECT_EQ(kept.choose(of_one)->total, 1u);
  of_mpi.interface = Interface::mpiio;
  EXPECT_EQ(kept.choose(of_mpi)->total, 1u);
  two.limit = 2;
  const auto longest = kept.choose(two);
  EXPECT_EQ(longest->total, 6u);
  ASSERT_EQ(longest->calls.size(), 2u);
  EXPECT_EQ(longest->calls[0].row, 0u);
  EXPECT_EQ(run.trace.calls[longest->calls[1].call].name, "fwrite");
}

TEST(KeptCalls, CallsOfManySecondsKeepTheirLength) {
  MadeRun run(1);
  const std::uint32_t file = run.file("/data");
  run.call(0, "write", file, 0, 9e6, {0, 100});
  KeptCalls kept(run.trace);
  run.feed(kept);
  EXPECT_EQ(kept.call(0)->end - kept.call(0)->start, 9'000'000 * us);
  EXPECT_EQ(
      kept.picture({MadeRun::epoch + 8'000'000 * us, MadeRun::epoch + 10'000'000 * us}, 2, 1, Interface::posix).at(0, 0, CallKind::write),
      std::uint64_t{1'000'000'000});
}

TEST(KeptCalls, MostUnderWayIsThatOfTheAnalysis) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const MadeRun run = random_run(seed, 12, 500);
    for (const std::size_t limit : {std::size_t{100'000}, std::size_t{50}}) {
      KeptCalls kept(run.trace, {.calls = limit, .columns = 64, .rows = 8});
      trace::ConcurrencyAnalysis analysis(Interface::posix);
      run.feed(kept, analysis);
      const CallLevels levels = kept.levels(kept.whole(), 4096, Interface::posix);
      for (std::size_t d = 0; d < direction_count; ++d) EXPECT_EQ(levels.most[d], analysis.all()[d].most);
      std::int64_t busy = 0, lasted = levels.lasted[0];
      for (std::size_t n = 1; n < levels.lasted.size(); ++n) busy += levels.lasted[n], lasted += levels.lasted[n];
      EXPECT_EQ(busy, analysis.all()[2].busy);
      EXPECT_EQ(lasted, run.trace.end - run.trace.start);
    }
  }
}

TEST(KeptCalls, LevelsOfAWindow) {
  MadeRun run(3);
  const std::uint32_t file = run.file("/data");
  run.call(0, "read", file, 0, 100, {0, 1});
  run.call(1, "write", file, 20, 40, {0, 1});
  run.call(2, "write", file, 30, 50, {0, 1});
  run.call(2, "write", file, 50, 60, {0, 1});
  KeptCalls kept(run.trace);
  run.feed(kept);
  const auto at = [](double microseconds) { return MadeRun::epoch + static_cast<std::int64_t>(microseconds * 1000); };
  const CallLevels levels = kept.levels({at(10), at(55)}, 100, Interface::posix);
  ASSERT_TRUE(levels.exact);
  std::vector<std::pair<std::int64_t, std::uint32_t>> steps;
  for (const auto& step : levels.steps) steps.emplace_back((step.time - MadeRun::epoch) / us, step.levels[2]);
  EXPECT_EQ(steps, (std::vector<std::pair<std::int64_t, std::uint32_t>>{{10, 1}, {20, 2}, {30, 3}, {40, 2}, {50, 2}}));
  const CallLevels thin = kept.levels({at(10), at(55)}, 3, Interface::posix);
  EXPECT_FALSE(thin.exact);
  ASSERT_EQ(thin.steps.size(), 3u);
  EXPECT_EQ(thin.steps[0].levels[2], 2u);
  EXPECT_EQ(thin.steps[1].levels[2], 3u);
  EXPECT_EQ(thin.steps[2].levels[2], 2u);
}

TEST(KeptCalls, MovedBytesAddUpToTheSummary) {
  const MadeRun run = random_run(3, 6, 500);
  for (const std::size_t limit : {std::size_t{100'000}, std::size_t{50}}) {
    KeptCalls kept(run.trace, {.calls = limit, .columns = 64, .rows = 8});
    trace::SummaryAnalysis summary(run.trace);
    run.feed(kept, summary);
    const MovedBytes moved = kept.moved({run.trace.start, run.trace.end + us}, 37);
    const auto& posix = summary.summary().layers[0];
    for (std::size_t d = 0; d < 2; ++d) {
      double sum = 0;
      for (const double bytes : moved.bytes[d]) sum += bytes;
      EXPECT_NEAR(sum, static_cast<double>(posix.bytes[d]), 1e-6 * static_cast<double>(posix.bytes[d]) + 1e-3);
    }
  }
}

TEST(KeptCalls, NothingAtAll) {
  const MadeRun run(3);
  KeptCalls kept(run.trace);
  run.feed(kept);
  const CallPicture picture = kept.picture(kept.whole(), 10, 10, Interface::posix);
  EXPECT_EQ(picture.rows, 3u);
  EXPECT_EQ(picture.calls, 0u);
  EXPECT_TRUE(kept.interfaces().empty());
  EXPECT_EQ(kept.levels(kept.whole(), 10, Interface::mpiio).most[2], 0u);
  EXPECT_EQ(kept.choose(in(kept.whole()))->total, 0u);
}

}  // namespace
}  // namespace fathom::dashboard
