// SPDX-License-Identifier: Apache-2.0
// What goes beyond the dissertation's model, in cases that can be computed by hand. 1 MB takes 10 ms on the tree and on the internal link
// of a burst buffer, 100 ms on the external link, 1 ms on the disk link.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/engine.h"

namespace fathom::simulate {
namespace {

constexpr std::uint64_t MB = 1'000'000;
constexpr Picoseconds ms = 1'000'000'000, s = picoseconds_per_second;

Architecture slow() {
  Architecture a;
  a.tree_bandwidth = a.burst_buffer_bandwidth = 100 * MB;
  a.external_bandwidth = 10 * MB;
  a.disk_bandwidth = 1000 * MB;
  a.page_pool = 0;
  a.ciod_buffer = 1 * MB;
  return a;
}

WorkIncrement increment(std::uint32_t node, Picoseconds start, Kind kind, std::uint64_t requests, std::uint64_t bytes) {
  WorkIncrement each{node, start, start + s, {}};
  each.amounts.operations[static_cast<std::size_t>(kind)] = requests;
  each.amounts.bytes[static_cast<std::size_t>(kind)] = requests * bytes;
  return each;
}

/// I/O nodes with one compute node each, all of one job.
Work made_work(std::uint32_t nodes, std::vector<WorkIncrement> increments) {
  Work work;
  work.jobs.push_back({"job", 0, 100 * s, {}});
  for (std::uint32_t n = 0; n < nodes; ++n) {
    work.nodes.push_back({std::to_string(n), 1, {}});
    work.jobs[0].nodes.push_back(n);
  }
  EXPECT_TRUE(lay_out(work, std::move(increments)));
  return work;
}

struct Simulated {
  Outcome outcome;
  std::vector<Completion> list;  // by node and index
};

Simulated simulated(const Architecture& architecture, const Work& work) {
  Simulated found;
  auto outcome = run(architecture, work, nullptr, [&](const Completion& each) { found.list.push_back(each); });
  EXPECT_TRUE(outcome) << outcome.error().message;
  found.outcome = *std::move(outcome);
  std::sort(found.list.begin(), found.list.end(),
            [](const Completion& a, const Completion& b) { return std::pair(a.node, a.index) < std::pair(b.node, b.index); });
  return found;
}

TEST(InFlight, ReadsOverlapUntilTheExternalLinkIsBusy) {
  // One at a time: 4 x (1 + 100 + 10) ms. All at once: the external link sends from 1 ms to 401 ms, and the last one is on the tree then.
  // Two are enough: the second is on the external link while the first is delivered and the third asked for.
  const Work work = made_work(1, {increment(0, 0, Kind::read, 4, 1 * MB)});
  Architecture a = slow();
  EXPECT_EQ(simulated(a, work).outcome.nodes[0].io_time, 444 * ms);
  a.in_flight = 2;
  EXPECT_EQ(simulated(a, work).outcome.nodes[0].io_time, 411 * ms);
  a.in_flight = 4;
  EXPECT_EQ(simulated(a, work).outcome.nodes[0].io_time, 411 * ms);
}

TEST(Targets, PiecesOfARequestAreDoneAtTheSameTime) {
  // 4 MB: 40 ms on the tree, 400 on the external link, 4 on the disk link. Then 4 pieces of 1 MB at 20 MB/s on as many targets, or one
  // after the other on one. An object server with 50 MB/s passes a piece every 20 ms, the last one at 80 ms.
  const Work work = made_work(1, {increment(0, 0, Kind::write, 1, 4 * MB)});
  Architecture a = slow();
  a.ciod_buffer = 4 * MB;
  a.targets = 4;
  a.target_bandwidth = 20 * MB;
  a.stripe_size = 1 * MB;
  EXPECT_EQ(simulated(a, work).list[0].stored, (444 + 50) * ms);
  a.object_servers = 1;
  a.object_server_bandwidth = 50 * MB;
  EXPECT_EQ(simulated(a, work).list[0].stored, (444 + 80 + 50) * ms);
  a.object_servers = 0;
  a.stripe_count = 1;
  EXPECT_EQ(simulated(a, work).list[0].stored, (444 + 200) * ms);
}

TEST(Targets, AreSharedFirstComeFirstServed) {
  // Two I/O nodes, one target: the second write leaves the disk link 4 ms after the first and waits for the target until 644 ms. With two
  // targets it does not. Reads, at 10 s: both ask at once, the target reads for 200 ms each, then 4 + 400 + 40 ms.
  Architecture a = slow();
  a.ciod_buffer = 4 * MB;
  a.targets = 1;
  a.stripe_count = 1;
  a.target_bandwidth = 20 * MB;
  const Work work = made_work(2, {increment(0, 0, Kind::write, 1, 4 * MB), increment(1, 0, Kind::write, 1, 4 * MB),
                                  increment(0, 10 * s, Kind::read, 1, 4 * MB), increment(1, 10 * s, Kind::read, 1, 4 * MB)});
  Simulated found = simulated(a, work);
  EXPECT_EQ(found.list[0].stored, 644 * ms);
  EXPECT_EQ(found.list[2].stored, 844 * ms);
  EXPECT_EQ(found.list[1].acked, 10 * s + (200 + 444) * ms);
  EXPECT_EQ(found.list[3].acked, 10 * s + (400 + 444) * ms);
  a.targets = 2;
  found = simulated(a, work);
  EXPECT_EQ(found.list[0].stored, 644 * ms);
  EXPECT_EQ(found.list[2].stored, 648 * ms);
}

TEST(SharedBuffer, TheRoomOfANeighbourThatDoesNothing) {
  // Four writes of 1 MB, one after the other, 20 ms each while there is room. With 2 MB, the third waits until the first has left the
  // buffer at 120 ms and is there at 130; the fourth until 220, and is there at 230. With the neighbour's 2 MB all find room.
  const Work work = made_work(2, {increment(0, 0, Kind::write, 4, 1 * MB)});
  Architecture a = slow();
  a.burst_buffer = 2 * MB;
  EXPECT_EQ(simulated(a, work).outcome.nodes[0].io_time, 230 * ms);
  a.burst_buffer_shared_by = 2;
  EXPECT_EQ(simulated(a, work).outcome.nodes[0].io_time, 80 * ms);
}

TEST(Drain, AtOnceWhenIdleOrFromALevelOn) {
  // Two writes of 1 MB are in the buffer at 20 and 40 ms. At once: sent until 120 and 220, and 1 ms to the disks. When idle: from 40 ms on.
  // From a level on: 1 of 8 MB is more than 10 %, so as at once; 2 of 8 MB are 25 %, so when the second is there.
  const Work work = made_work(1, {increment(0, 0, Kind::write, 2, 1 * MB)});
  Architecture a = slow();
  a.burst_buffer = 8 * MB;
  const auto stored = [&] {
    const Simulated found = simulated(a, work);
    EXPECT_EQ(found.outcome.nodes[0].io_time, 40 * ms);
    return std::pair(found.list[0].stored, found.list[1].stored);
  };
  EXPECT_EQ(stored(), std::pair(121 * ms, 221 * ms));
  a.drain = static_cast<std::uint64_t>(Drain::idle);
  EXPECT_EQ(stored(), std::pair(141 * ms, 241 * ms));
  a.drain = static_cast<std::uint64_t>(Drain::threshold);
  a.drain_threshold = 10;
  EXPECT_EQ(stored(), std::pair(121 * ms, 221 * ms));
  a.drain_threshold = 25;
  EXPECT_EQ(stored(), std::pair(141 * ms, 241 * ms));
}

TEST(Drain, AFullBufferIsDrainedByWhoeverWaits) {
  // 2 MB of buffer that is drained when idle: the third write finds no room at 50 ms, so the first is sent until 150 ms, the third is there
  // at 160. The fourth finds no room at 170: the second is sent until 270.
  Architecture a = slow();
  a.burst_buffer = 2 * MB;
  a.drain = static_cast<std::uint64_t>(Drain::idle);
  const Simulated found = simulated(a, made_work(1, {increment(0, 0, Kind::write, 4, 1 * MB)}));
  EXPECT_EQ(found.list[2].acked, 160 * ms);
  EXPECT_EQ(found.list[3].acked, 280 * ms);
}

TEST(Prefetch, ReadsFindTheirDataInTheBuffer) {
  // Two pieces of 1 MB come in 1 + 100 ms each, long before the job reads at 10 s: 10 ms out of the buffer and 10 on the tree, twice. If
  // only one was fetched, the other takes 111 ms.
  const Work work = made_work(1, {increment(0, 10 * s, Kind::read, 2, 1 * MB)});
  Architecture a = slow();
  a.burst_buffer = 8 * MB;
  a.prefetch = 100 * MB;
  Simulated found = simulated(a, work);
  EXPECT_EQ(found.outcome.nodes[0].io_time, 40 * ms);
  EXPECT_EQ(found.outcome.nodes[0].bytes_from_buffer, 2 * MB);
  a.prefetch = 1 * MB;
  found = simulated(a, work);
  EXPECT_EQ(found.outcome.nodes[0].io_time, (20 + 111) * ms);
  EXPECT_EQ(found.outcome.nodes[0].bytes_from_buffer, 1 * MB);
}

TEST(Prefetch, GivesWayToWrites) {
  // The buffer is full of what was fetched; a write at 5 s does not wait, and the read at 10 s has to go to the disks.
  Architecture a = slow();
  a.burst_buffer = 1 * MB;
  a.prefetch = 1 * MB;
  const Simulated found =
      simulated(a, made_work(1, {increment(0, 5 * s, Kind::write, 1, 1 * MB), increment(0, 10 * s, Kind::read, 1, 1 * MB)}));
  EXPECT_EQ(found.list[0].acked, 5 * s + 20 * ms);
  EXPECT_EQ(found.list[1].acked, 10 * s + 111 * ms);
  EXPECT_EQ(found.outcome.nodes[0].bytes_from_buffer, 0u);
}

TEST(ReadHits, WhatWasJustWritten) {
  // Three writes are acknowledged at 20, 40 and 60 ms; the first is on the external link then, two are in the buffer. The read comes at 60
  // ms: 10 + 10 ms from the buffer. Otherwise it asks at once (at 60 ms the external link is busy until 120), then 111 ms.
  const Work work = made_work(1, {increment(0, 0, Kind::write, 3, 1 * MB), increment(0, 50 * ms, Kind::read, 1, 1 * MB)});
  Architecture a = slow();
  a.burst_buffer = 8 * MB;
  EXPECT_EQ(simulated(a, work).list[3].acked, (120 + 111) * ms);
  a.read_hits = 100;
  EXPECT_EQ(simulated(a, work).list[3].acked, 80 * ms);
}

TEST(Reads, ARequestOfOneTerabyte) {
  // A million pieces of 1 MB on one compute node, 111 ms each.
  const Work work = made_work(1, {increment(0, 0, Kind::read, 1, 1'000'000 * MB)});
  const auto outcome = run(slow(), work);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->requests, 1'000'000u);
  EXPECT_EQ(outcome->nodes[0].io_time, 1'000'000 * 111 * ms);
}

}  // namespace
}  // namespace fathom::simulate
