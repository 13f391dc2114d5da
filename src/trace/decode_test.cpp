// SPDX-License-Identifier: Apache-2.0
#include "trace/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/random.h"
#include "trace/made_trace_test.h"

namespace fathom::trace {
namespace {

/// Calls as programs make them, with some that are like nothing before.
std::vector<Record> random_records(Random& random, std::size_t count) {
  std::vector<Record> records;
  std::uint64_t now = 1'000'000'000;
  const std::int64_t files = random.whole(1, 20);
  const bool wild = random.chance(0.3);
  for (std::size_t i = 0; i < count; ++i) {
    Record record{};
    now += static_cast<std::uint64_t>(random.whole(0, 5000));
    record.start = now;
    record.duration = static_cast<std::uint64_t>(random.whole(0, 20000));
    now += random.chance(0.9) ? record.duration : 0;
    record.object = static_cast<std::uint32_t>(random.whole(0, files));
    record.call = static_cast<std::uint16_t>(first_call + random.whole(0, 5));
    record.depth = static_cast<std::uint8_t>(random.whole(0, 2));
    record.detail = random.chance(0.1) ? 255 : 0;
    record.offset = random.chance(0.1) ? no_offset : static_cast<std::int64_t>(4096 * i);
    record.bytes = random.chance(0.1) ? no_bytes : 4096;
    record.result = random.chance(0.1) ? -5 : 4096;
    if (wild) {
      record.offset = static_cast<std::int64_t>(random.next());
      record.bytes = random.next();
      record.result = static_cast<std::int64_t>(random.next());
    }
    records.push_back(record);
  }
  return records;
}

bool same(const Record& a, const Record& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

Block as_block(const std::string& bytes) {
  Block block{};
  std::memcpy(&block.header, bytes.data(), sizeof block.header);
  block.payload = reinterpret_cast<const std::uint8_t*>(bytes.data()) + sizeof block.header;
  return block;
}

constexpr auto as_it_is = [](std::uint64_t time) { return static_cast<std::int64_t>(time); };

/// All records of a block that can be read, as they were; `broken` if there should be more.
struct ReadRecords {
  std::vector<Record> records;
  bool broken = false;
};
ReadRecords read_records(BlockRecords& block, std::uint32_t tick_shift) {
  ReadRecords read;
  RecordColumns columns;
  while (block.left() > 0 && !read.broken) {
    const std::uint64_t earliest = block.earliest_left();
    std::uint64_t least = UINT64_MAX;
    std::vector<Record> stretch;
    const bool good = block.next(columns, as_it_is, [&](const UnpackedRecord& unpacked) {
      const auto start = static_cast<std::uint64_t>(unpacked.start), end = static_cast<std::uint64_t>(unpacked.end);
      least = std::min(least, start);
      Record record;
      record.start = start << tick_shift;
      record.duration = (end << tick_shift) - record.start;
      record.offset = unpacked.offset;
      record.bytes = unpacked.bytes;
      record.result = unpacked.result;
      std::memcpy(&record.object, &block.kinds()[unpacked.kind], sizeof(RecordKind));
      stretch.push_back(record);
    });
    read.broken = !good;
    if (!good) break;
    EXPECT_LE(earliest, least);  // never less than what was foretold of the rest
    EXPECT_LE(earliest, block.earliest_left());
    read.records.insert(read.records.end(), stretch.begin(), stretch.end());
  }
  EXPECT_EQ(block.left(), 0u);
  return read;
}

std::vector<Record> as_records(BlockRecords& block, std::uint32_t tick_shift) {
  const ReadRecords read = read_records(block, tick_shift);
  EXPECT_FALSE(read.broken);
  return read.records;
}

/// One block after the other with the same encoder and decoder.
void expect_back(std::uint64_t blocks, const std::function<std::vector<Record>(std::uint64_t seed, Random&)>& made) {
  MadeBlocks make;
  BlockDecoder decoder;
  BlockRecords read;
  for (std::uint64_t seed = 1; seed <= blocks; ++seed) {
    Random random(seed);
    const auto records = made(seed, random);
    const std::string bytes = make.records(7, 3, 0, records.data(), records.size());
    ASSERT_TRUE(decoder.records(as_block(bytes), read)) << seed;
    const auto back = as_records(read, 0);
    ASSERT_EQ(back.size(), records.size());
    for (std::size_t i = 0; i < back.size(); ++i) ASSERT_TRUE(same(back[i], records[i])) << "seed " << seed << " record " << i;
  }
}

TEST(Decode, RecordsComeBackAsTheyWere) {
  expect_back(200, [](std::uint64_t seed, Random& random) {
    return random_records(random, static_cast<std::size_t>(random.whole(1, seed % 10 == 0 ? chunk_slots : 300)));
  });
}

/// Long runs of calls of one size, with now and then a short or failed one: stretches in which bytes and results are all as foretold, and
/// such in which they are not.
std::vector<Record> even_records(Random& random, std::size_t count) {
  std::vector<Record> records;
  std::uint64_t now = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    const bool moves = random.chance(0.8);
    const std::int64_t failed_or_short = random.chance(0.5) ? -5 : 100;
    records.push_back({.start = now += 10,
                       .duration = 5,
                       .offset = 65536 * random.whole(0, 3),
                       .bytes = moves ? 4096 : no_bytes,
                       .result = random.chance(0.01) ? failed_or_short
                                 : moves             ? 4096
                                                     : 0,
                       .object = 1,
                       .call = static_cast<std::uint16_t>(first_call + moves),
                       .depth = 0,
                       .detail = 0});
  }
  return records;
}

TEST(Decode, CallsOfOneSizeComeBackAsTheyWere) {
  expect_back(40, [](std::uint64_t, Random& random) { return even_records(random, 1000); });
}

TEST(Decode, TicksAreCutToTheirUnit) {
  MadeBlocks make;
  BlockDecoder decoder;
  BlockRecords read;
  Record record{
      .start = 1003, .duration = 50, .offset = 0, .bytes = 1, .result = 1, .object = 1, .call = first_call, .depth = 0, .detail = 0};
  const std::string bytes = make.records(7, 3, 0, &record, 1, 4);
  ASSERT_TRUE(decoder.records(as_block(bytes), read));
  // 1003 >> 4 = 62, (1003 + 50) >> 4 = 65: 992 and 1040 in ticks.
  const auto back = as_records(read, 4);
  EXPECT_EQ(back[0].start, 992u);
  EXPECT_EQ(back[0].duration, 48u);
}

TEST(Decode, DefinitionsComeBackWithTheirTexts) {
  MadeProcess process(1, {});
  const std::string longest(longest_text, 'x');
  process.path("/a");
  process.path(longest);
  process.path("");
  process.call(CallId::read, 1, 2);
  MadeBlocks make;
  BlockDecoder decoder;
  std::vector<Record> slots;
  const std::string bytes = make.records(1, 0, 0, process.threads[0].data(), process.threads[0].size());
  ASSERT_TRUE(decoder.definitions(as_block(bytes), slots));
  std::vector<std::string> texts;
  ASSERT_TRUE(for_each_definition(slots, [&](const Definition&, std::string_view text) { texts.emplace_back(text); }));
  EXPECT_EQ(texts, (std::vector<std::string>{"/a", longest, ""}));
}

/// What stands in front of the damage is read, and no more.
TEST(Decode, CutPayloadsGiveWhatIsWhole) {
  MadeBlocks make;
  BlockDecoder decoder;
  BlockRecords read;
  Random random(1);
  const auto records = random_records(random, 100);
  const std::string bytes = make.records(7, 3, 0, records.data(), records.size());
  bool some = false;
  for (std::size_t size = sizeof(BlockHeader); size < bytes.size(); ++size) {
    // In memory of its own, so that reading behind the end is seen.
    const std::vector<std::uint8_t> cut(bytes.begin() + sizeof(BlockHeader), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    Block block = as_block(bytes);
    block.header.payload_bytes = static_cast<std::uint32_t>(cut.size());
    block.payload = cut.data();
    if (!decoder.records(block, read)) {
      EXPECT_EQ(read.left(), 0u) << size;
      continue;
    }
    const ReadRecords back = read_records(read, 0);
    EXPECT_TRUE(back.broken) << size;
    ASSERT_TRUE(back.records.empty() || back.records.size() == stretch_records) << size;
    for (std::size_t i = 0; i < back.records.size(); ++i) ASSERT_TRUE(same(back.records[i], records[i])) << size << " record " << i;
    some |= !back.records.empty();
  }
  EXPECT_TRUE(some);
}

/// A transfer that began before the calls that ended before it: what was promised of the rest of the block must allow for it.
TEST(Decode, WhatStartsFirstOfTheRestIsKnown) {
  std::vector<Record> records;
  for (std::uint64_t i = 0; i < 200; ++i)
    records.push_back({.start = 1000 + 10 * i,
                       .duration = 5,
                       .offset = 0,
                       .bytes = 1,
                       .result = 1,
                       .object = 1,
                       .call = first_call,
                       .depth = 0,
                       .detail = 0});
  records[150].start = 1200;  // beside the 21st
  records[150].duration = 2500 - 1200;
  MadeBlocks make;
  BlockDecoder decoder;
  BlockRecords read;
  const std::string bytes = make.records(7, 3, 0, records.data(), records.size());
  ASSERT_TRUE(decoder.records(as_block(bytes), read));
  RecordColumns columns;
  const auto nothing = [](const UnpackedRecord&) {};
  EXPECT_EQ(read.earliest_left(), 1000u);
  // Before the second and third stretch nothing is left that starts before 1200; before the fourth, all that starts after the end of the
  // 192nd: 1000 + 10 x 191 + 5.
  for (const std::uint64_t earliest : {1200u, 1200u, 2915u}) {
    ASSERT_TRUE(read.next(columns, as_it_is, nothing));
    EXPECT_EQ(read.earliest_left(), earliest);
  }
}

/// By the least start blocks and stretches are put in order: one that breaks its word is left out.
TEST(Decode, StartsBeforeWhatWasPromisedAreRefused) {
  std::vector<Record> records;
  for (std::uint64_t i = 0; i < 200; ++i)
    records.push_back({.start = 1000 + 10 * i,
                       .duration = 5,
                       .offset = 0,
                       .bytes = 1,
                       .result = 1,
                       .object = 1,
                       .call = first_call,
                       .depth = 0,
                       .detail = 0});
  MadeBlocks make;
  BlockDecoder decoder;
  BlockRecords read;
  const std::string bytes = make.records(7, 3, 0, records.data(), records.size());
  const auto records_with = [&](auto change) {
    Block block = as_block(bytes);
    change(block.header);
    return decoder.records(block, read) ? read_records(read, 0).records.size() : 0;
  };
  EXPECT_EQ(records_with([](BlockHeader&) {}), 200u);
  EXPECT_EQ(records_with([](BlockHeader& header) { header.earliest = 1001; }), 0u);
  EXPECT_EQ(records_with([](BlockHeader& header) { header.latest = 2994; }), 192u);  // the last one ends at 2995
  EXPECT_EQ(records_with([](BlockHeader& header) { header.base = 999; }), 0u);
  // After all that may end: so far that the distance to it goes around.
  EXPECT_EQ(records_with([](BlockHeader& header) { header.base = UINT64_MAX - 1'000'000'000; }), 0u);
  EXPECT_EQ(records_with([](BlockHeader& header) { header.latest = header.earliest - 1; }), 0u);
}

TEST(Decode, ChangedPayloadsAreReadToAnEnd) {
  MadeBlocks make;
  BlockDecoder decoder;
  BlockRecords read;
  std::vector<Record> slots;
  Random random(2);
  const auto records = random_records(random, 200);
  const std::string bytes = make.records(7, 3, 0, records.data(), records.size());
  for (int round = 0; round < 20000; ++round) {
    std::string changed = bytes;
    changed[sizeof(BlockHeader) +
            static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(bytes.size() - sizeof(BlockHeader) - 1)))] ^=
        static_cast<char>(random.whole(1, 255));
    (void)decoder.definitions(as_block(changed), slots);
    if (!decoder.records(as_block(changed), read)) continue;
    const ReadRecords back = read_records(read, 0);
    ASSERT_EQ(back.records.size() == records.size(), !back.broken);
  }
}

}  // namespace
}  // namespace fathom::trace
