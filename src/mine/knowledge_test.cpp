// SPDX-License-Identifier: Apache-2.0
#include "mine/knowledge.h"

#include "mine/burst_book.h"
#include "mine/made_store_test.h"

namespace fathom::mine {
namespace {

std::vector<KnownApplication> some() {
  KnownApplication silent, busy;
  silent.finding.name = {"ann", "idle, \"quoted\".x", 4};
  silent.finding.reason = "no regular bursts in its runs";
  silent.finding.runs = 3;
  silent.finding.last_end = time_from_seconds(5000);
  silent.inputs = "0011";
  busy.finding = silent.finding;
  busy.finding.name = {"bob", "climate.x", 64};
  busy.finding.state = ApplicationState::validated;
  busy.finding.provisional = true;
  for (const std::size_t direction : {1u, 0u}) {
    Pattern pattern;
    pattern.filesystem = "atlas1";
    pattern.direction = direction;
    pattern.verdict = direction == 1 ? Verdict::valid : Verdict::out_of_scope;
    pattern.period = 0.1 + 600;  // comes back to the last bit
    pattern.shown = 7, pattern.judged = 9, pattern.bursts = 80, pattern.scope_windows = 14;
    pattern.confidence = 0.987;
    pattern.first_seen = time_from_seconds(100), pattern.last_seen = time_from_seconds(900);
    busy.finding.patterns.push_back(pattern);
  }
  return {silent, busy};
}

void expect_same(const std::vector<KnownApplication>& found) {
  const std::vector<KnownApplication> wanted = some();
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].finding.name, wanted[i].finding.name);
    EXPECT_EQ(found[i].finding.state, wanted[i].finding.state);
    EXPECT_EQ(found[i].finding.reason, wanted[i].finding.reason);
    EXPECT_EQ(found[i].finding.last_end, wanted[i].finding.last_end);
    EXPECT_EQ(found[i].finding.provisional, wanted[i].finding.provisional);
    EXPECT_EQ(found[i].inputs, wanted[i].inputs);
    ASSERT_EQ(found[i].finding.patterns.size(), wanted[i].finding.patterns.size());
    for (std::size_t p = 0; p < found[i].finding.patterns.size(); ++p) {
      const Pattern &a = found[i].finding.patterns[p], &b = wanted[i].finding.patterns[p];
      EXPECT_EQ(a.direction, b.direction);
      EXPECT_EQ(a.verdict, b.verdict);
      EXPECT_EQ(a.period, b.period);
      EXPECT_EQ(a.support(), b.support());
      EXPECT_EQ(a.bursts, b.bursts);
      EXPECT_EQ(a.scope_windows, b.scope_windows);
      EXPECT_EQ(a.confidence, b.confidence);
      EXPECT_EQ(a.last_seen, b.last_seen);
    }
  }
}

TEST(Knowledge, ComesBackFromTheStoreAsItWas) {
  MadeStore made;
  const Store store = made.store();
  for (int i = 0; i < 2; ++i) {  // the second time in place of the first
    auto change = store.begin();
    ASSERT_TRUE(change);
    ASSERT_TRUE(write_knowledge(*change, some()));
    ASSERT_TRUE(change->commit());
  }
  auto database = Database::open({.threads = 1});
  const auto snapshot = store.snapshot();
  const auto found = read_knowledge(*snapshot, *database);
  ASSERT_TRUE(found) << found.error().message;
  expect_same(*found);
}

TEST(Knowledge, ComesBackFromAnotherRank) {
  const std::string bytes = pack_knowledge(some());
  const auto found = unpack_knowledge(bytes);
  ASSERT_TRUE(found);
  expect_same(*found);
  for (std::size_t size = 1; size < bytes.size(); size += 13) {
    const auto cut = unpack_knowledge(std::string_view(bytes).substr(0, size));
    EXPECT_TRUE(!cut || cut->size() < 2) << size;
  }
}

TEST(BurstBook, BlocksComeBackFromTheStoreAndFromRanks) {
  Block block;
  block.name = {"fs", 100};
  block.inputs = "abc";
  block.step = std::chrono::seconds{10};
  // Two that begin and end together and are equally high have an order too.
  block.found.bursts[1] = {{time_from_seconds(8'640'010), time_from_seconds(8'640'070), 3.5, 210, 1.25, 12, 3.25, 199.5},
                           {time_from_seconds(8'640'010), time_from_seconds(8'640'070), 3.5, 211, 1.25, 9, 3.25, 199.5}};
  block.found.seen[1] = {{time_from_seconds(8'632'800), time_from_seconds(8'650'000)},
                         {time_from_seconds(8'660'000), time_from_seconds(8'719'200)}};
  Block empty;
  empty.name = {"other", 100};
  const auto same = [&](const std::vector<Block>& found) {
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].name, block.name);
    EXPECT_EQ(found[0].inputs, "abc");
    EXPECT_EQ(content_of(found[0]), content_of(block));
    EXPECT_EQ(content_of(found[1]), content_of(empty));
    EXPECT_NE(content_of(found[0]), content_of(found[1]));
  };
  MadeStore made;
  const Store store = made.store();
  auto change = store.begin();
  Block turned = block;
  std::swap(turned.found.bursts[1][0], turned.found.bursts[1][1]);
  ASSERT_TRUE(write_blocks(*change, {turned, empty}, {100}));
  ASSERT_TRUE(change->commit());
  auto database = Database::open({.threads = 1});
  const auto snapshot = store.snapshot();
  const auto read = read_blocks(*snapshot, *database);
  ASSERT_TRUE(read) << read.error().message;
  same(*read);
  const auto unpacked = unpack_blocks(pack_blocks({block, empty}));
  ASSERT_TRUE(unpacked);
  same(*unpacked);
}

// Stretches that touch across midnight are one; the step is the one that most blocks have.
TEST(BurstBook, LogsJoinBlocks) {
  std::vector<Block> blocks(3);
  for (std::int32_t i = 0; i < 3; ++i) {
    Block& block = blocks[static_cast<std::size_t>(i)];
    block.name = {"fs", 10 + i};
    block.step = std::chrono::seconds{i == 1 ? 60 : 10};
    block.found.seen[0] = {{time_from_seconds(100 * i), time_from_seconds(100 * (i + 1))}};
    block.found.bursts[0] = {{time_from_seconds(100 * i + 5), time_from_seconds(100 * i + 15), 1, 10, 0, 1, 1, 10}};
  }
  const auto logs = logs_of(blocks);
  ASSERT_EQ(logs.size(), 2u);
  EXPECT_EQ(logs[0].step, std::chrono::seconds{10});
  ASSERT_EQ(logs[0].seen.size(), 1u);
  EXPECT_EQ(logs[0].seen[0].to, time_from_seconds(300));
  EXPECT_EQ(logs[0].bursts.size(), 3u);
  EXPECT_TRUE(logs[1].bursts.empty());
}

}  // namespace
}  // namespace fathom::mine
