// SPDX-License-Identifier: Apache-2.0
// Traces that nobody finished: torn files, what killed processes left in memory, blocks written twice, words that are missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "trace/made_trace_test.h"
#include "trace/memory_reader.h"
#include "trace/opened_trace_test.h"
#include "trace/trace.h"

namespace fathom::trace {
namespace {

TEST(UnfinishedTrace, TornFilesGiveWhatIsWhole) {
  MadeTrace made;
  made.block_slots = 10;
  MadeProcess& process = made.process();
  for (int i = 0; i < 100; ++i) process.call(CallId::read, 10 * i, 10 * i + 5);
  const std::string blocks = made.blocks_of(process);
  made.add("node1.fathom", blocks.substr(0, blocks.size() - 7));
  const Trace trace = opened(made.directory);
  EXPECT_EQ(all_events(trace).size(), 90u);
  ASSERT_EQ(trace.troubles.size(), 1u);
  EXPECT_NE(trace.troubles[0].what.find("no whole block"), std::string::npos);
}

TEST(UnfinishedTrace, MemoryFilesAreReadAndNothingTwice) {
  for (const int written : {0, 30, 100}) {
    MadeTrace made;
    MadeProcess& process = made.process({.rank = 0, .ranks = 1, .ends_well = false});
    const auto file = process.open_file("/a");
    const auto definitions = process.threads[0].size();
    for (int i = 0; i < 100; ++i) process.call(CallId::read, 10 * i, 10 * i + 5, {.object = file, .offset = i});
    const auto& slots = process.threads[0];
    if (written > 0)
      made.add("node1.fathom", made.make.records(process.id(), 0, 0, slots.data(), definitions + static_cast<std::size_t>(written)));
    made.add("left.memory", made_memory_file(process));
    const Trace trace = opened(made.directory);
    EXPECT_TRUE(trace.troubles.empty());
    const auto events = all_events(trace);
    ASSERT_EQ(events.size(), 100u) << written;
    for (int i = 0; i < 100; ++i) EXPECT_EQ(events[static_cast<std::size_t>(i)].offset, i);
    EXPECT_EQ(path(trace, events[99]), "/a");
    EXPECT_FALSE(trace.processes[0].ended_well);
    EXPECT_EQ(trace.units[0].rank, 0);
  }
}

TEST(UnfinishedTrace, AnEmptySlotEndsAChunkBeingFilledAndIsSkippedInAFullOne) {
  for (const bool filling : {true, false}) {
    MadeTrace made;
    MadeProcess& process = made.process();
    for (int i = 0; i < 10; ++i) process.call(CallId::read, 10 * i, 10 * i + 5, {.offset = i});
    process.threads[0][4].call = slot_empty;
    made.add("left.memory", made_memory_file(process, filling));
    EXPECT_EQ(all_events(opened(made.directory)).size(), filling ? 4u : 9u);
  }
}

TEST(UnfinishedTrace, LiveMemoryIsFoundThroughTheProcess) {
  MadeTrace made, memory;
  MadeProcess& process = made.process({.ends_well = false});
  process.set("memory", memory.directory.string());
  for (int i = 0; i < 20; ++i) process.call(CallId::read, 10 * i, 10 * i + 5);
  memory.add("4711", made_memory_file(process));
  process.threads[0].resize(5);
  made.write();
  EXPECT_EQ(all_events(opened(made.directory)).size(), 20u);
}

TEST(UnfinishedTrace, BlocksWrittenTwiceCountOnce) {
  MadeTrace made;
  MadeProcess& process = made.process();
  for (int i = 0; i < 50; ++i) process.call(CallId::read, 10 * i, 10 * i + 5);
  const auto& slots = process.threads[0];
  made.write();
  made.add("node1.fathom", made.make.records(process.id(), 0, 10, slots.data() + 10, 20));
  made.add("other.fathom", made.make.records(process.id(), 0, 0, slots.data(), 50));
  EXPECT_EQ(all_events(opened(made.directory)).size(), 50u);
}

TEST(UnfinishedTrace, NumbersOfCallsMeanWhatTheTraceSays) {
  MadeTrace made;
  MadeProcess& process = made.process();
  process.call(static_cast<CallId>(500), 1, 2);
  process.call(static_cast<CallId>(501), 3, 4);
  process.call(static_cast<CallId>(502), 5, 6);
  made.add("a.fathom", made.make.text(BlockKind::process, process.id(), process.text()) +
                           made.make.text(BlockKind::calls, process.id(), "500 newread posix read\n501 odd posix juggle\nnonsense\n") +
                           made.make.records(process.id(), 0, 0, process.threads[0].data(), 3));
  const Trace trace = opened(made.directory);
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(name(trace, events[0]), "newread");
  EXPECT_EQ(trace.calls[events[0].call].operation, Operation::read);
  EXPECT_EQ(name(trace, events[1]), "odd");
  EXPECT_EQ(name(trace, events[2]), "unknown");
  ASSERT_EQ(trace.troubles.size(), 1u);
  EXPECT_EQ(trace.troubles[0].count, 2u);
}

/// All processes were killed before they wrote anything: who collects what they left begins the file with the table of calls.
TEST(UnfinishedTrace, ATableOfCallsAloneIsNoProcess) {
  MadeTrace made;
  MadeProcess& process = made.process();
  process.call(static_cast<CallId>(500), 10, 20);
  made.add("a.fathom", made.make.text(BlockKind::calls, 0, "500 newread posix read\n") +
                           made.make.records(process.id(), 0, 0, process.threads[0].data(), 1) +
                           made.make.text(BlockKind::process, process.id(), process.text()));
  const Trace trace = opened(made.directory);
  ASSERT_EQ(trace.processes.size(), 1u);
  EXPECT_TRUE(trace.troubles.empty());
  EXPECT_GE(trace.start, made_epoch);
  const auto events = all_events(trace);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(name(trace, events[0]), "newread");
}

TEST(UnfinishedTrace, AProcessThatNeverSaidWhoItIs) {
  MadeTrace made;
  MadeProcess& process = made.process();
  process.call(CallId::read, 10, 20);
  made.add("a.fathom", made.make.records(process.id(), 0, 0, process.threads[0].data(), 1));
  const Trace trace = opened(made.directory);
  EXPECT_EQ(all_events(trace).size(), 1u);
  EXPECT_EQ(trace.troubles.size(), 1u);
}

/// Its process was killed between emptying a full chunk and handing it out again. What was in it stands in two blocks.
TEST(MemoryFiles, AnEmptiedChunkStandsForNothing) {
  MadeTrace made;
  MadeProcess& process = made.process({.ends_well = false});
  for (int i = 0; i < 100; ++i) process.call(CallId::read, 10 * i, 10 * i + 5);
  auto& slots = process.threads[0];
  made.add("node1.fathom",
           made.make.records(process.id(), 0, 0, slots.data(), 60) + made.make.records(process.id(), 0, 60, slots.data() + 60, 40));
  for (Record& slot : slots) slot = Record{};
  const std::string memory = made_memory_file(process, false);
  const std::vector<std::uint64_t> words = [&] {
    std::vector<std::uint64_t> copy(memory.size() / sizeof(std::uint64_t));
    std::memcpy(copy.data(), memory.data(), memory.size());
    return copy;
  }();
  const auto left = read_memory_file({reinterpret_cast<const std::uint8_t*>(words.data()), memory.size()});
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->chunks.empty());  // a collector makes no block of it
  made.add("left.memory", memory);
  EXPECT_EQ(all_events(opened(made.directory)).size(), 100u);
}

/// The text of a definition may look like empty slots: it is part of it.
TEST(MemoryFiles, ADefinitionAtTheEndStaysWhole) {
  MadeTrace made;
  MadeProcess& process = made.process({.ends_well = false});
  process.call(CallId::read, 10, 20);
  process.path(std::string(3 * sizeof(Record), '\0'));
  for (const bool filling : {true, false}) {
    const std::string memory = made_memory_file(process, filling);
    std::vector<std::uint64_t> words(memory.size() / sizeof(std::uint64_t));
    std::memcpy(words.data(), memory.data(), memory.size());
    const auto left = read_memory_file({reinterpret_cast<const std::uint8_t*>(words.data()), memory.size()});
    ASSERT_TRUE(left);
    ASSERT_EQ(left->chunks.size(), 1u);
    EXPECT_EQ(left->chunks[0].slots.size(), 1u + 1 + 3);  // the call, the definition, its text
  }
}

/// A process that gave back the memory of its first two slots, which are in the trace: they read as zeros and are not the end.
TEST(MemoryFiles, BeginBehindWhatIsDrained) {
  std::vector<std::uint64_t> words((first_chunk_at + chunk_bytes) / sizeof(std::uint64_t));
  auto* const bytes = reinterpret_cast<std::uint8_t*>(words.data());
  auto& header = *new (bytes) ProcessHeader{};
  header.magic = memory_magic, header.version = format_version, header.process = 7;
  header.chunks.store(1);
  auto& chunk = *new (bytes + first_chunk_at) ChunkHeader{};
  chunk.magic = chunk_magic, chunk.thread = 3, chunk.first = 100, chunk.drained = 2;
  chunk.state.store(ChunkState::filling);
  slots_of(&chunk)[2].call = slots_of(&chunk)[3].call = static_cast<std::uint16_t>(CallId::read);
  const auto left = read_memory_file({bytes, words.size() * sizeof(std::uint64_t)});
  ASSERT_TRUE(left);
  ASSERT_EQ(left->chunks.size(), 1u);
  EXPECT_EQ(left->chunks[0].first, 102u);
  EXPECT_EQ(left->chunks[0].slots.size(), 2u);
}

}  // namespace
/// With nothing else in the folder that is an error; beside files of the trace it is told.
TEST(MemoryFiles, OfAnotherVersionAreRefusedWithBothNumbers) {
  MadeTrace made;
  MadeProcess& process = made.process({.ends_well = false});
  process.call(CallId::read, 10, 20);
  std::string memory = made_memory_file(process);
  const std::uint32_t other = format_version + 1;
  std::memcpy(memory.data() + offsetof(ProcessHeader, version), &other, sizeof other);
  made.add("left.memory", memory);
  const auto alone = open_trace(made.directory);
  ASSERT_FALSE(alone);
  EXPECT_NE(alone.error().message.find("left.memory: memory file of a traced process: it has format 2, this program knows format 1"),
            std::string::npos)
      << alone.error().message;
  made.add("node1.fathom", made.make.records(process.id(), 0, 0, process.threads[0].data(), 1));
  const Trace beside = opened(made.directory);
  EXPECT_EQ(all_events(beside).size(), 1u);
  EXPECT_TRUE(std::any_of(beside.troubles.begin(), beside.troubles.end(), [](const Trouble& trouble) {
    return trouble.what.find("format 2") != std::string::npos && trouble.where.ends_with("left.memory");
  }));
}

}  // namespace fathom::trace
