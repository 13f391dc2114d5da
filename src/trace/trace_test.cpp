// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "trace/made_trace_test.h"
#include "trace/opened_trace_test.h"

namespace fathom::trace {
namespace {

TEST(Trace, OneCall) {
  MadeTrace made;
  MadeProcess& rank = made.process({.rank = 3, .ranks = 4, .host = "node7"});
  const auto file = rank.open_file("/data/a", {.size = 77});
  rank.call(CallId::pwrite, 1000, 3000, {.object = file, .offset = 8192, .bytes = 4096, .detail = 1});
  const Trace trace = opened(made.write());
  EXPECT_TRUE(trace.troubles.empty());
  ASSERT_EQ(trace.records, 1u);
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 1u);
  const Event& event = events[0];
  EXPECT_EQ(event.start, made_epoch + 1000);
  EXPECT_EQ(event.end, made_epoch + 3000);
  EXPECT_EQ(event.offset, 8192);
  EXPECT_EQ(event.bytes, 4096u);
  EXPECT_EQ(event.moved(), 4096u);
  EXPECT_EQ(event.parent, no_row);
  EXPECT_EQ(event.handle, file);
  EXPECT_EQ(event.detail, 1);
  EXPECT_EQ(name(trace, event), "pwrite");
  EXPECT_EQ(path(trace, event), "/data/a");
  EXPECT_EQ(trace.files[event.file].size_at_open, 77);
  EXPECT_TRUE(trace.files[event.file].is_data());
  EXPECT_EQ(trace.units[event.unit].rank, 3);
  EXPECT_EQ(trace.processes[event.process].host, "node7");
  EXPECT_EQ(trace.processes[event.process].command, "app -n 4");
  EXPECT_TRUE(trace.processes[event.process].ended_well);
}

TEST(Trace, NoSuchDirectoryAndNoTraceAreErrors) {
  EXPECT_FALSE(open_trace("/no/such/directory"));
  MadeTrace made;
  EXPECT_FALSE(open_trace(made.directory));
  made.add("run.json", "{}");
  const Trace trace = opened(made.directory);
  EXPECT_TRUE(all_events(trace).empty());
}

/// An MPI call with POSIX calls in it, and one of those inside stdio.
TEST(Trace, CallsInsideCallsHaveParents) {
  for (const std::size_t block_slots : {1u, 2u, 3u, 1000u}) {
    MadeTrace made;
    made.block_slots = block_slots;
    MadeProcess& rank = made.process({.rank = 0, .ranks = 1});
    const auto file = rank.open_file("/a");
    rank.call(CallId::read, 10, 20, {.object = file});
    rank.call(CallId::pread, 120, 130, {.object = file, .depth = 2});
    rank.call(CallId::fread, 110, 140, {.object = file, .depth = 1});
    rank.call(CallId::pwrite, 150, 160, {.object = file, .depth = 1});
    rank.call(CallId::MPI_File_write_all, 100, 200, {.object = file});
    rank.call(CallId::pwrite, 300, 310, {.object = file, .depth = 1});
    rank.call(CallId::MPI_File_write_all, 300, 320, {.object = file});
    const Trace trace = opened(made.write());
    const auto events = all_events(trace);
    ASSERT_EQ(events.size(), 7u);
    std::vector<std::string> names;
    std::vector<std::int64_t> parents;
    for (const Event& event : events) {
      names.push_back(name(trace, event));
      parents.push_back(static_cast<std::int64_t>(event.parent));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"read", "MPI_File_write_all", "fread", "pread", "pwrite", "MPI_File_write_all", "pwrite"}))
        << block_slots;
    EXPECT_EQ(parents, (std::vector<std::int64_t>{-1, -1, 1, 2, 1, -1, 5})) << block_slots;
  }
}

/// A call at random depth with random calls inside; ends are given out in order.
void random_calls(Random& random, MadeProcess& process, std::uint32_t thread, std::uint32_t file, std::int64_t& now, int depth) {
  const std::int64_t start = now;
  now += random.whole(0, 3);
  const auto inside = depth < 3 ? random.whole(0, 3) : 0;
  for (std::int64_t i = 0; i < inside; ++i) random_calls(random, process, thread, file, now, depth + 1);
  now += random.whole(0, 3);
  process.call(static_cast<CallId>(first_call + depth), start, now,
               {.object = file, .offset = start, .bytes = 1, .depth = static_cast<std::uint8_t>(depth), .thread = thread});
  now += random.whole(0, 2);
}

struct Plain {  // what the reference below knows of an event
  std::int64_t start, end;
  std::uint64_t process;
  std::uint32_t thread;
  int depth;
  std::int64_t parent_start, parent_end;  // -1: none
  auto operator<=>(const Plain&) const = default;
};

/// The same by looking at every pair: the parent is the first call one less deep that ends behind it in the record order.
std::vector<Plain> slow_reference(const MadeTrace& made) {
  std::vector<Plain> all;
  for (const MadeProcess& process : made.processes) {
    for (const auto& [thread, slots] : process.threads) {
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].call == slot_define) {
          i += slots[i].depth;
          continue;
        }
        const auto time = [](std::uint64_t ticks) { return static_cast<std::int64_t>(ticks) - made_monotonic; };
        Plain event{time(slots[i].start), time(slots[i].start + slots[i].duration), process.id(), thread, slots[i].depth, -1, -1};
        for (std::size_t k = i + 1; k < slots.size() && slots[i].depth > 0; ++k) {
          if (slots[k].call < first_call || slots[k].depth != slots[i].depth - 1) continue;
          event.parent_start = time(slots[k].start);
          event.parent_end = time(slots[k].start + slots[k].duration);
          break;
        }
        all.push_back(event);
      }
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Trace, RandomNestsAreInOrderAndHaveTheirParents) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    MadeTrace made;
    made.block_slots = static_cast<std::size_t>(random.whole(1, 40));
    const auto processes = random.whole(1, 5);
    for (std::int64_t p = 0; p < processes; ++p) {
      MadeProcess& process = made.process({.rank = static_cast<int>(p), .ranks = static_cast<int>(processes)});
      const auto file = process.open_file("/f");
      const auto threads = random.whole(1, 6);
      for (std::int64_t t = 0; t < threads; ++t) {
        std::int64_t now = random.whole(0, 400);
        for (std::int64_t i = random.whole(0, 40); i > 0; --i) random_calls(random, process, static_cast<std::uint32_t>(t), file, now, 0);
      }
    }
    const Trace trace = opened(made.write());
    const auto events = all_events(trace);
    std::vector<Plain> plain;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      ASSERT_EQ(event.row, i);
      if (i > 0) {
        ASSERT_LE(events[i - 1].start, event.start) << seed;
      }
      Plain one{event.start - made_epoch, event.end - made_epoch, trace.processes[event.process].id, event.thread, event.depth, -1, -1};
      if (event.parent != no_row) {
        ASSERT_LT(event.parent, event.row) << seed;
        one.parent_start = events[event.parent].start - made_epoch;
        one.parent_end = events[event.parent].end - made_epoch;
        ASSERT_EQ(events[event.parent].process, event.process);
        ASSERT_EQ(events[event.parent].thread, event.thread);
      }
      plain.push_back(one);
    }
    std::sort(plain.begin(), plain.end());
    ASSERT_EQ(plain, slow_reference(made)) << seed;
  }
}

/// A transfer that was submitted long before other calls of its thread, and ended after them.
TEST(Trace, AsynchronousTransfersStandWhereTheyStarted) {
  MadeTrace made;
  made.block_slots = 2;
  MadeProcess& process = made.process();
  for (int i = 0; i < 10; ++i) process.call(CallId::read, 100 * i + 50, 100 * i + 60);
  process.call(CallId::aio_transfer_read, 120, 2000);
  process.call(CallId::read, 2100, 2200);
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 12u);
  EXPECT_EQ(name(trace, events[1]), "aio.read");
  EXPECT_TRUE(std::is_sorted(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.start < b.start; }));
}

/// A transfer that began inside a call and ended before it is none of its calls, and does not part it from them.
TEST(Trace, TransfersInsideACallLeaveItItsCalls) {
  MadeTrace made;
  MadeProcess& process = made.process();
  process.call(CallId::pwrite, 110, 120, {.depth = 1});
  process.call(CallId::aio_transfer_read, 130, 150);
  process.call(CallId::MPI_File_write_all, 100, 200);
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(name(trace, events[0]), "MPI_File_write_all");
  EXPECT_EQ(name(trace, events[1]), "pwrite");
  EXPECT_EQ(events[1].parent, 0u);
  EXPECT_EQ(events[2].parent, no_row);
}

/// Calls in numbers that need room to be made several times, with others in front, inside and behind; and a second thread whose events come
/// in between.
TEST(Trace, LongCallsEncloseThousands) {
  MadeTrace made;
  made.block_slots = 700;
  MadeProcess& process = made.process();
  constexpr std::int64_t inside = 5000;
  std::int64_t now = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i, now += 10) process.call(CallId::read, now, now + 5);
    const std::int64_t begin = now;
    for (std::int64_t i = 0; i < inside; ++i, now += 10) process.call(CallId::pwrite, now + 1, now + 5, {.depth = 1});
    process.call(CallId::MPI_File_write_all, begin, now);
  }
  for (std::int64_t at = 3; at < now; at += 50) process.call(CallId::stat, at, at + 1, {.thread = 1});
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), trace.records);
  std::int64_t found = 0;
  for (const Event& event : events) {
    if (event.depth == 0) {
      EXPECT_EQ(event.parent, no_row);
      continue;
    }
    ++found;
    ASSERT_LT(event.parent, event.row);
    const Event& parent = events[event.parent];
    ASSERT_EQ(name(trace, parent), "MPI_File_write_all");
    ASSERT_TRUE(parent.start <= event.start && event.end <= parent.end && parent.thread == event.thread);
  }
  EXPECT_EQ(found, 3 * inside);
  EXPECT_TRUE(std::is_sorted(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.start < b.start; }));
}

TEST(Trace, ManyShortThreads) {
  MadeTrace made;
  MadeProcess& process = made.process();
  for (std::uint32_t t = 0; t < 500; ++t) process.call(CallId::read, 10 * t, 10 * t + 15, {.thread = t});
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 500u);
  for (std::uint32_t t = 0; t < 500; ++t) EXPECT_EQ(events[t].thread, t);
}

TEST(Trace, RelativePathsAreResolved) {
  MadeTrace made;
  MadeProcess& process = made.process();
  process.set("cwd", "/home/me/run");
  const auto in_cwd = process.open_file("../data/./x");
  const auto moved_to = process.directory("/scratch");
  const auto in_other = process.open_file("y", {.relative_to = moved_to});
  const auto directory = process.open_file("/some//dir/", {.kind = FileKind::directory});
  const auto below = process.open_file("sub/z", {.relative_to = directory});
  const auto romio = process.open_file("ufs:/mpi/file");
  const auto by_name = process.path("sub/../sub/z", directory);
  for (const auto object : {in_cwd, in_other, below, romio, by_name})
    process.call(CallId::read, object * 10, object * 10 + 1, {.object = object});
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(path(trace, events[0]), "/home/me/data/x");
  EXPECT_EQ(path(trace, events[1]), "/scratch/y");
  EXPECT_EQ(path(trace, events[2]), "/some/dir/sub/z");
  EXPECT_EQ(path(trace, events[3]), "/mpi/file");
  EXPECT_EQ(events[4].file, events[2].file);
  EXPECT_EQ(events[4].handle, 0u);
}

TEST(Trace, ForksInheritFiles) {
  MadeTrace made;
  MadeProcess& parent = made.process({.pid = 100});
  const auto file = parent.open_file("rel", {});
  parent.call(CallId::open, 1, 2, {.object = file});
  const std::uint32_t inherited = parent.next_object;
  const auto later = parent.open_file("/only/parent");
  MadeProcess& child = made.process({.pid = 101, .parent_pid = 100});
  child.set("parent", fmt::format("{:x}", parent.id()));
  child.set("inherited", inherited);
  child.set("cwd", "/elsewhere");
  child.next_object = inherited;
  const auto own = child.open_file("/only/child");
  ASSERT_EQ(own, later);
  child.call(CallId::write, 10, 11, {.object = file});
  child.call(CallId::write, 20, 21, {.object = own});
  parent.call(CallId::write, 30, 31, {.object = later});
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(path(trace, events[1]), "/work/rel");
  EXPECT_EQ(events[1].file, events[0].file);
  EXPECT_EQ(path(trace, events[2]), "/only/child");
  EXPECT_EQ(path(trace, events[3]), "/only/parent");
}

TEST(Trace, FilesAreWhatTheyAre) {
  MadeTrace made;
  MadeProcess& a = made.process({.host = "a"});
  MadeProcess& b = made.process({.host = "b"});
  const auto shared_a = a.open_file("/lustre/shared", {.inode = 5, .device = 1});
  const auto shared_b = b.open_file("/lustre/shared", {.inode = 5, .device = 2});  // the device's number differs from host to host
  const auto local_a = a.open_file("/tmp/x", {.inode = 10, .device = 3});
  const auto local_b = b.open_file("/tmp/x", {.inode = 11, .device = 3});
  const auto link_a = a.open_file("/link/to/shared", {.inode = 5, .device = 1});
  const auto again = a.open_file("/tmp/x", {.inode = 12, .device = 3});  // removed and made anew under its name
  const auto reused = a.open_file("/tmp/new", {.inode = 10, .device = 3, .size = 0, .open_flags = O_CREAT | O_RDWR});
  const auto mpi = a.open_file("/lustre/shared", {.device = 0, .kind = FileKind::unknown});
  std::int64_t now = 0;
  for (const auto object : {shared_a, local_a, link_a, again, reused, mpi})
    a.call(CallId::read, now, now + 1, {.object = object}), now += 10;
  for (const auto object : {shared_b, local_b}) b.call(CallId::read, now, now + 1, {.object = object}), now += 10;
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 8u);
  const auto file = [&](std::size_t i) { return events[i].file; };
  EXPECT_EQ(file(0), file(6)) << "one path and inode on two hosts";
  EXPECT_NE(file(1), file(7)) << "each host's own /tmp";
  EXPECT_EQ(file(0), file(2)) << "two names of one file";
  EXPECT_EQ(file(1), file(3)) << "a name used again";
  EXPECT_NE(file(1), file(4)) << "an inode used again";
  EXPECT_EQ(file(0), file(5)) << "no kind, the same path";
  EXPECT_TRUE(trace.files[file(0)].is_data());
}

TEST(Trace, HintsAndNotes) {
  MadeTrace made;
  MadeProcess& process = made.process();
  const auto file = process.open_file("/a");
  process.hint(file, "romio_ds_write=disable");
  process.note("io_uring was used");
  process.call(CallId::MPI_File_open, 1, 2, {.object = file});
  const Trace trace = opened(made.write());
  EXPECT_EQ(trace.files[all_events(trace)[0].file].hints, std::vector<std::string>{"romio_ds_write=disable"});
  EXPECT_EQ(trace.notes, std::vector<std::string>{"io_uring was used"});
}

TEST(Trace, UnitsAreRanksAndTheLauncher) {
  MadeTrace made;
  made.process({.pid = 10, .parent_pid = 1, .start = 0});    // mpiexec
  made.process({.pid = 11, .parent_pid = 10, .start = 10});  // its proxy
  made.process({.rank = 1, .ranks = 2, .pid = 21, .parent_pid = 11, .start = 20});
  made.process({.rank = 0, .ranks = 2, .pid = 20, .parent_pid = 11, .start = 30});
  made.process({.pid = 30, .parent_pid = 20, .start = 40});  // what rank 0 started
  const Trace trace = opened(made.write());
  ASSERT_EQ(trace.units.size(), 3u);
  EXPECT_EQ(trace.ranks(), 2u);
  EXPECT_EQ(trace.units[0].rank, 0);
  EXPECT_EQ(trace.units[1].rank, 1);
  EXPECT_TRUE(trace.units[2].launcher);
  std::map<std::uint32_t, std::uint32_t> unit_of;
  for (const Process& process : trace.processes) unit_of[process.pid] = process.unit;
  EXPECT_EQ(unit_of, (std::map<std::uint32_t, std::uint32_t>{{10, 2}, {11, 2}, {20, 0}, {21, 1}, {30, 0}}));
}

TEST(Trace, WithoutRanksUnitsAreProcesses) {
  MadeTrace made;
  made.process({.pid = 10, .start = 50});
  MadeProcess& before = made.process({.pid = 11, .start = 10});
  MadeProcess& after = made.process({.pid = 11, .start = 20});
  after.set("exec_of", fmt::format("{:x}", before.id()));
  const Trace trace = opened(made.write());
  ASSERT_EQ(trace.units.size(), 2u);
  EXPECT_EQ(trace.processes[0].unit, 0u);
  EXPECT_EQ(trace.processes[1].unit, 0u);  // exec: the same process
  EXPECT_EQ(trace.processes[2].unit, 1u);
  EXPECT_EQ(trace.units[1].rank, 1);
}

TEST(Trace, AProcessThatBecameAnotherProgramIsOneUnit) {
  MadeTrace made;
  made.process({.pid = 10, .start = 0, .end = 900});
  made.process({.pid = 11, .parent_pid = 10, .start = 10, .ends_well = false});  // forked, then:
  made.process({.pid = 11, .parent_pid = 10, .start = 20, .end = 30});
  made.process({.pid = 11, .parent_pid = 10, .start = 40, .end = 50});  // its pid was used again
  const Trace trace = opened(made.write());
  ASSERT_EQ(trace.units.size(), 3u);
  EXPECT_EQ(trace.processes[1].unit, trace.processes[2].unit);
  EXPECT_NE(trace.processes[1].unit, trace.processes[3].unit);
  EXPECT_TRUE(trace.processes[1].ended_well);
  EXPECT_EQ(trace.processes[1].end, made_epoch + 20);
}

/// Ticks of 2.5 GHz: both readings of each process lie on one line, so that times come out to the nanosecond (one more for rounding to
/// ticks).
TEST(Trace, TicksBecomeNanoseconds) {
  MadeTrace made;
  MadeProcess& process = made.process({.ticks_per_ns = 2.5});
  process.call(CallId::read, 1000, 3000);
  const Trace trace = opened(made.write());
  const auto events = all_events(trace);
  EXPECT_NEAR(static_cast<double>(events[0].start - made_epoch), 1000, 1);
  EXPECT_NEAR(static_cast<double>(events[0].end - made_epoch), 3000, 1);
}

/// Host b's clock is 5 s ahead at the first barrier and gains 2 ms until the second, 100 s later. All leave a barrier at the same time. So
/// an event half way between the barriers, at 50 s, is seen there at 55.001 s, and must come out at 50 s. Disagreement at the end: 2 ms.
TEST(Trace, HostsAreAlignedByBarriers) {
  MadeTrace made;
  constexpr std::int64_t s = 1'000'000'000, ms = 1'000'000;
  for (int rank = 0; rank < 4; ++rank) {
    const bool other = rank >= 2;
    MadeProcess& process =
        made.process({.rank = rank, .ranks = 4, .host = other ? "b" : "a", .end = 200 * s, .realtime_ahead = other ? 5 * s : 0});
    process.set_barriers(10 * s, other ? 110 * s + 2 * ms : 110 * s);
    process.call(CallId::read, other ? 60 * s + ms : 60 * s, other ? 61 * s : 61 * s, {.offset = rank});
  }
  const Trace trace = opened(made.write());
  EXPECT_NEAR(trace.clock_drift, 0.002, 1e-6);
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 4u);
  for (const Event& event : events) EXPECT_NEAR(static_cast<double>(event.start - made_epoch - 60 * s), 0, 100) << event.offset;
}

}  // namespace
}  // namespace fathom::trace
