// SPDX-License-Identifier: Apache-2.0
// One task against a file system in memory that can be told to misbehave.
#include "bench/task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "bench/run.h"

namespace fathom {
namespace {

struct Memory {
  std::map<std::string, std::vector<char>> files;
  std::uint64_t most_at_once = UINT64_MAX;  // a request moves no more than this
  std::uint64_t capacity = UINT64_MAX;      // of a file; then ENOSPC
  int fails_to_close = 0;
  int open_handles = 0;
  std::uint64_t flip = UINT64_MAX;  // the byte at this offset is read back wrong
  std::uint64_t cut = UINT64_MAX;   // reading ends here
  int writes = 0;                   // asked for, done or not
};

FathomFileAccess access_to(Memory& memory) {
  return {.context = &memory,
          .collective = 0,
          .open =
              [](void* context, const char* path, int, void** handle) {
                auto& m = *static_cast<Memory*>(context);
                ++m.open_handles;
                *handle = &m.files[path];
                return 0;
              },
          .write_at =
              [](void* context, void* handle, uint64_t offset, const void* buffer, uint64_t count, uint64_t* done) {
                auto& m = *static_cast<Memory*>(context);
                auto& file = *static_cast<std::vector<char>*>(handle);
                ++m.writes;
                count = std::min({count, m.most_at_once, m.capacity - std::min(m.capacity, offset)});
                if (count == 0) return ENOSPC;
                file.resize(std::max<std::size_t>(file.size(), offset + count));
                std::memcpy(file.data() + offset, buffer, count);
                *done = count;
                return 0;
              },
          .read_at =
              [](void* context, void* handle, uint64_t offset, void* buffer, uint64_t count, uint64_t* done) {
                auto& m = *static_cast<Memory*>(context);
                auto& file = *static_cast<std::vector<char>*>(handle);
                const std::uint64_t size = std::min<std::uint64_t>(file.size(), m.cut);
                *done = std::min({count, m.most_at_once, size - std::min(size, offset)});
                std::memcpy(buffer, file.data() + offset, *done);
                if (m.flip >= offset && m.flip < offset + *done) static_cast<char*>(buffer)[m.flip - offset] ^= 1;
                return 0;
              },
          .sync = [](void*, void*) { return 0; },
          .close =
              [](void* context, void*) {
                --static_cast<Memory*>(context)->open_handles;
                return static_cast<Memory*>(context)->fails_to_close;
              },
          .explain = [](void*, int code, char* text, size_t size) { std::snprintf(text, size, "code %d", code); }};
}

FathomTaskGroup alone() {
  return {.context = nullptr,
          .rank = 0,
          .tasks = 1,
          .any_failed = [](void*, int failed) { return failed; },
          .gather =
              [](void*, const void* data, uint64_t bytes, void (*take)(void*, uint64_t, const void*, uint64_t), void* to) {
                take(to, 0, data, bytes);
                return 0;
              }};
}

BenchParameters three_requests_of(std::uint64_t size) {
  BenchParameters parameters;
  parameters.tasks = 1;
  parameters.size = size;
  parameters.count = 3;
  return parameters;
}

std::string order_of(const TaskOutcome& outcome) {
  std::string text;
  for (const TimedCall& one : outcome.calls) text += bench_call_words[static_cast<std::size_t>(one.call)][0];
  return text;
}

TEST(BenchTask, OpensWritesClosesOpensReadsCloses) {
  Memory memory;
  auto parameters = three_requests_of(100);
  parameters.sync = true;
  const TaskOutcome outcome = run_task(parameters, "d", access_to(memory), alone());
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(order_of(outcome), "owwwscorrrc");
  EXPECT_EQ(memory.files.at("d/bench-000000.dat").size(), 300u);
  EXPECT_EQ(memory.open_handles, 0);
  std::int64_t last = 0;
  for (const TimedCall& one : outcome.calls) {
    EXPECT_GE(one.end - one.start, one.duration);  // the looks at CLOCK_REALTIME enclose those at CLOCK_MONOTONIC
    EXPECT_GE(one.start, last);
    last = one.end;
  }
}

/// 100 bytes, at most 40 at once: 40 + 40 + 20, so three calls for each of three requests.
TEST(BenchTask, PartialTransfersAreGoneOnWithAndCountAsCalls) {
  Memory memory;
  memory.most_at_once = 40;
  const TaskOutcome outcome = run_task(three_requests_of(100), "d", access_to(memory), alone());
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(order_of(outcome), "o" + std::string(9, 'w') + "co" + std::string(9, 'r') + "c");
  EXPECT_EQ(outcome.calls[3].bytes, 20u);
  EXPECT_EQ(outcome.calls[4].offset, 100u);
}

TEST(BenchTask, AFullDiskIsAnErrorWithItsPlace) {
  Memory memory;
  memory.capacity = 250;
  const TaskOutcome outcome = run_task(three_requests_of(100), "d", access_to(memory), alone());
  EXPECT_EQ(outcome.failure, "writing 50 bytes at offset 250 of d/bench-000000.dat: code 28 (task 0)");
  EXPECT_EQ(memory.open_handles, 0);
}

/// A task that stopped calling would leave the others waiting in their collective calls.
TEST(BenchTask, CollectiveCallsGoOnAfterAFailure) {
  for (const int collective : {0, 1}) {
    Memory memory;
    memory.capacity = 50;
    auto access = access_to(memory);
    access.collective = collective;
    auto parameters = three_requests_of(100);
    parameters.layout = BenchLayout::shared;
    const TaskOutcome outcome = run_task(parameters, "d", access, alone());
    // Alone: 50 bytes, then no more room. Together: 50 of 100 bytes is a failure, and two more requests follow.
    EXPECT_EQ(memory.writes, collective != 0 ? 3 : 2);
    EXPECT_TRUE(outcome.failure.starts_with(collective != 0 ? "writing 100 bytes at offset 0" : "writing 50 bytes at offset 50"))
        << outcome.failure;
    EXPECT_TRUE(outcome.stopped);
    EXPECT_EQ(memory.open_handles, 0);
  }
}

TEST(BenchTask, AWrongByteIsAnErrorWithItsPlace) {
  Memory memory;
  memory.flip = 123;
  const TaskOutcome outcome = run_task(three_requests_of(100), "d", access_to(memory), alone());
  EXPECT_TRUE(outcome.failure.starts_with("comparing what was read from d/bench-000000.dat: the byte at offset 123 is 0x"))
      << outcome.failure;
  EXPECT_EQ(memory.open_handles, 0);
}

TEST(BenchTask, AFileThatBecameShorterAndAFailingCloseAreErrors) {
  Memory shorter;
  shorter.cut = 260;
  EXPECT_EQ(run_task(three_requests_of(100), "d", access_to(shorter), alone()).failure,
            "reading 40 bytes at offset 260 of d/bench-000000.dat: the file ends there (task 0)");
  Memory closing;
  closing.fails_to_close = EIO;
  EXPECT_EQ(run_task(three_requests_of(100), "d", access_to(closing), alone()).failure, "closing d/bench-000000.dat: code 5 (task 0)");
}

TEST(BenchTask, TravelsWhole) {
  TaskOutcome outcome;
  outcome.calls = {{.phase = BenchPhase::read, .call = BenchCall::close, .offset = 1, .bytes = 2, .start = 3, .end = 4, .duration = 5}};
  outcome.elapsed = {6, 7};
  outcome.failure = "why";
  outcome.stopped = true;
  const TaskOutcome there = unpacked(9, packed(outcome));
  ASSERT_EQ(there.calls.size(), 1u);
  EXPECT_EQ(std::memcmp(&there.calls[0], &outcome.calls[0], sizeof(TimedCall)), 0);
  EXPECT_EQ(there.task, 9u);
  EXPECT_EQ(there.elapsed, outcome.elapsed);
  EXPECT_EQ(there.failure, "why");
  EXPECT_TRUE(there.stopped);
}

/// A launcher's group of one, as an MPI library would give it.
TEST(BenchRun, InAGroup) {
  Memory memory;
  const auto outcomes = run_in_group(three_requests_of(1000), "d", access_to(memory), alone());
  ASSERT_TRUE(outcomes);
  const Table table = phase_table(*outcomes);
  ASSERT_EQ(table.rows.size(), 2u);
  for (const auto& row : table.rows) {
    EXPECT_EQ(row[1], Cell{std::int64_t{3000}});
    EXPECT_EQ(row[2], Cell{std::int64_t{3}});
    EXPECT_EQ(row[3], Cell{std::int64_t{1}});
    EXPECT_EQ(row[4], Cell{std::int64_t{1}});
  }
  memory.files.clear();
  memory.capacity = 10;
  EXPECT_FALSE(run_in_group(three_requests_of(1000), "d", access_to(memory), alone()));
}

}  // namespace
}  // namespace fathom
