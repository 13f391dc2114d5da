// SPDX-License-Identifier: Apache-2.0
#include "trace/decode.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

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

/// All records of a block that are left, as they were.
std::vector<Record> as_records(BlockRecords& block, std::uint32_t tick_shift) {
  std::vector<Record> records;
  RecordColumns columns;
  while (block.left() > 0) {
    const std::uint64_t earliest = block.earliest_left();
    block.next(columns, [&](const UnpackedRecord& unpacked) {
      EXPECT_LE(earliest, unpacked.start);  // never less than what was foretold of the rest
      Record record;
      record.start = unpacked.start << tick_shift;
      record.duration = (unpacked.end << tick_shift) - record.start;
      record.offset = unpacked.offset;
      record.bytes = unpacked.bytes;
      record.result = unpacked.result;
      std::memcpy(&record.object, &block.kinds()[unpacked.kind], sizeof(RecordKind));
      records.push_back(record);
    });
    if (block.left() > 0) { EXPECT_LE(earliest, block.earliest_left()); }
  }
  return records;
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
  expect_back(200, [](std::uint64_t seed, Random& random) { return random_records(random, static_cast<std::size_t>(random.whole(1, seed % 10 == 0 ? chunk_slots : 300))); });
}

/// Long runs of calls of one size, with now and then a short or failed one: stretches in which bytes and results are all as foretold, and such in which they are not.
std::vector<Record> even_records(Random& random, std::size_t count) {
  std::vector<Record> records;
  std::uint64_t now = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    const bool moves = random.chance(0.8);
    const std::int64_t failed_or_short = random.chance(0.5) ? -5 : 100;
    records.push_back({.start = now += 10, .duration = 5, .offset = 65536 * random.whole(0, 3), .bytes = moves ? 4096 : no_bytes, .result = random.chance(0.01) ? failed_or_short : moves ? 4096 : 0,
                       .object = 1, .call = static_cast<std::uint16_t>(first_call + moves), .depth = 0, .detail = 0});
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
  Record record{.start = 1003, .duration = 50, .offset = 0, .bytes = 1, .result = 1, .object = 1, .call = first_call, .depth = 0, .detail = 0};
  ASSERT_TRUE(decoder.records(as_block(make.records(7, 3, 0, &record, 1, 4)), read));
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

TEST(Decode, CutPayloadsAreRefused) {
  MadeBlocks make;
  BlockDecoder decoder;
  BlockRecords read;
  Random random(1);
  const auto records = random_records(random, 100);
  const std::string bytes = make.records(7, 3, 0, records.data(), records.size());
  for (std::size_t size = sizeof(BlockHeader); size < bytes.size(); ++size) {
    // In memory of its own, so that reading behind the end is seen.
    const std::vector<std::uint8_t> cut(bytes.begin() + sizeof(BlockHeader), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    Block block = as_block(bytes);
    block.header.payload_bytes = static_cast<std::uint32_t>(cut.size());
    block.payload = cut.data();
    EXPECT_FALSE(decoder.records(block, read)) << size;
    EXPECT_EQ(read.left(), 0u) << size;
  }
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
    changed[sizeof(BlockHeader) + static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(bytes.size() - sizeof(BlockHeader) - 1)))] ^= static_cast<char>(random.whole(1, 255));
    (void)decoder.definitions(as_block(changed), slots);
    if (decoder.records(as_block(changed), read)) { ASSERT_EQ(as_records(read, 0).size(), records.size()); }
  }
}

}  // namespace
}  // namespace fathom::trace
