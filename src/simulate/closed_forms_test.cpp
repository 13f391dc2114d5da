// SPDX-License-Identifier: Apache-2.0
// Cases that can be computed by hand, to the picosecond. d, e and t are the times of one request on the disk link, the external link and
// the tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "simulate/engine.h"

namespace fathom::simulate {
namespace {

constexpr std::uint64_t MB = 1'000'000;
constexpr Picoseconds ns = 1000, ms = 1'000'000'000, s = picoseconds_per_second;

/// Every node has `requests` of `bytes` at the start, and nothing else.
Work equal_work(std::size_t nodes, std::uint32_t compute_nodes, Kind kind, std::uint64_t requests, std::uint64_t bytes) {
  Work work;
  std::vector<WorkIncrement> increments;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    work.nodes.push_back({std::to_string(n), compute_nodes, {}});
    WorkIncrement each{n, 0, 120 * s, {}};
    each.amounts.operations[static_cast<std::size_t>(kind)] = requests;
    each.amounts.bytes[static_cast<std::size_t>(kind)] = requests * bytes;
    increments.push_back(each);
  }
  EXPECT_TRUE(lay_out(work, increments));
  return work;
}

Outcome simulated(const Architecture& architecture, const Work& work, std::vector<Completion>* list = nullptr) {
  auto outcome =
      list == nullptr ? run(architecture, work) : run(architecture, work, nullptr, [&](const Completion& each) { list->push_back(each); });
  EXPECT_TRUE(outcome) << outcome.error().message;
  return *outcome;
}

Picoseconds io_time(const Architecture& architecture, const Work& work) { return simulated(architecture, work).nodes[0].io_time; }

struct Services {
  explicit Services(const Architecture& a, std::uint64_t bytes = 4 * MiB)
      : d(service_time(bytes, a.disk_bandwidth)), e(service_time(bytes, a.external_bandwidth)), t(service_time(bytes, a.tree_bandwidth)) {}
  Picoseconds d, e, t;
};

TEST(ServiceTime, HalfIsRoundedUp) {
  EXPECT_EQ(service_time(1, 2 * static_cast<std::uint64_t>(s)), 1);      // 0.5 ps
  EXPECT_EQ(service_time(1, 2 * static_cast<std::uint64_t>(s) + 1), 0);  // a little less
  EXPECT_EQ(service_time(3, 2 * static_cast<std::uint64_t>(s)), 2);      // 1.5 ps
  EXPECT_EQ(service_time(0, 1), 0);
  EXPECT_EQ(service_time(1, 3), 333'333'333'333);
  EXPECT_EQ(service_time(2, 3), 666'666'666'667);
  EXPECT_EQ(service_time(UINT64_MAX, 1), time_limit + 1);  // 585 billion years are cut, not wrapped
}

TEST(ClosedForms, OneWrite) {
  // 4 MiB / 850 MiB/s = 2/425 s = 4,705,882,352.94 ps; 4 MiB / 1.25e9 B/s = 3,355,443,200 ps; 4 MiB / 66 GiB/s = 1/16896 s = 59,185,606.06
  // ps.
  std::vector<Completion> list;
  const Outcome outcome = simulated({}, equal_work(1, 1, Kind::write, 1, 4 * MiB), &list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].issued, 0);
  EXPECT_EQ(list[0].acked, 4'705'882'353);                                // in the page pool
  EXPECT_EQ(list[0].stored, 4'705'882'353 + 3'355'443'200 + 59'185'606);  // 8.121 ms: the acknowledgement of the disks takes no time
  EXPECT_EQ(outcome.nodes[0].io_time, 4'705'882'353);
}

TEST(ClosedForms, OneWriteThroughBypassAndBuffer) {
  // Without a page pool the compute node waits for the disks; with a burst buffer for the internal link, here another t.
  Architecture a;
  a.page_pool = 0;
  const Services each(a);
  EXPECT_EQ(io_time(a, equal_work(1, 1, Kind::write, 1, 4 * MiB)), each.t + each.e + each.d);
  a.burst_buffer = 16 * GiB;
  std::vector<Completion> list;
  simulated(a, equal_work(1, 1, Kind::write, 1, 4 * MiB), &list);
  EXPECT_EQ(list[0].acked, 2 * each.t);
  EXPECT_EQ(list[0].stored, 2 * each.t + each.e + each.d);
}

TEST(ClosedForms, WritesIntoAPoolWithRoom) {
  // One compute node writes 100 x 4 MiB into 1 GiB: each is acknowledged t after the last; t > e, so the external link has sent one before
  // the next comes.
  const Services each{Architecture{}};
  std::vector<Completion> list;
  simulated({}, equal_work(1, 1, Kind::write, 100, 4 * MiB), &list);
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].acked, static_cast<Picoseconds>(i + 1) * each.t);
    EXPECT_EQ(list[i].stored, list[i].acked + each.e + each.d);
  }
}

TEST(ClosedForms, FullBurstBufferWaitsForTheExternalLink) {
  // No page pool; a buffer of two requests; the external link is the slowest (e > 2 t). Writes 0 and 1 are in the buffer after 2 t and 4 t
  // (climb, then the internal link). Write 0 leaves from 2 t on: its room is free at 2 t + e. Write 2 climbed at 5 t, waits for that, and
  // is in at 2 t + e + t. Every later write finds the buffer full again, one place free every e: write k is acknowledged at 3 t + (k - 1)
  // e.
  Architecture a;
  a.page_pool = 0;
  a.external_bandwidth = 1 * Gbit;
  a.burst_buffer = 8 * MiB;
  const Services each(a);
  ASSERT_GT(each.e, 4 * each.t);
  std::vector<Completion> list;
  simulated(a, equal_work(1, 1, Kind::write, 10, 4 * MiB), &list);
  EXPECT_EQ(list[0].acked, 2 * each.t);
  EXPECT_EQ(list[1].acked, 4 * each.t);
  for (int k = 2; k < 10; ++k) EXPECT_EQ(list[static_cast<std::size_t>(k)].acked, 3 * each.t + (k - 1) * each.e) << k;
}

TEST(ClosedForms, OneComputeNodePaysTheSumOfTheHops) {
  Architecture a, a4, a1;
  a4.external_bandwidth = 4 * Gbit;
  a1.external_bandwidth = 1 * Gbit;
  const Work work = equal_work(1, 1, Kind::read, 100, 4 * MiB);
  for (const Architecture& each : {a, a4, a1}) {
    const Services time(each);
    EXPECT_EQ(io_time(each, work), 100 * (time.d + time.e + time.t));
  }
  const auto ratio = [&](const Architecture& changed) {
    return static_cast<double>(io_time(changed, work)) / static_cast<double>(io_time(a, work));
  };
  EXPECT_NEAR(ratio(a1), 4.72, 0.005);
  EXPECT_NEAR(ratio(a4), 1.62, 0.005);
}

TEST(ClosedForms, SaturatedReads) {
  // Four compute nodes, two root links: 4 e > d + e + t, so the external link never rests between the first request's d and the last one's
  // t: d + n e + t. With 1 and 4 Gbit/s the more so. The ratio tends to that of the bandwidths.
  Architecture a;
  const std::int64_t n = 4000;
  const Work work = equal_work(1, 4, Kind::read, n, 4 * MiB);
  const Picoseconds original = io_time(a, work);
  for (const auto& [gbit, wanted] : {std::pair{10u, 1.0}, {4u, 2.5}, {1u, 10.0}}) {
    a.external_bandwidth = gbit * Gbit;
    const Services time(a);
    ASSERT_GT(4 * time.e, time.d + time.e + time.t);
    EXPECT_EQ(io_time(a, work), time.d + n * time.e + time.t);
    EXPECT_NEAR(static_cast<double>(io_time(a, work)) / static_cast<double>(original), wanted, wanted * 1e-3);
  }
}

TEST(ClosedForms, OneRootLinkIsSlowerThanTheExternalLink) {
  // t > e at 10 Gbit/s: the tree never rests, d + e + n t. At 4 and 1 Gbit/s e > t: d + n e + t.
  Architecture a;
  a.root_links = 1;
  const std::int64_t n = 4000;
  const Work work = equal_work(1, 4, Kind::read, n, 4 * MiB);
  const Services first(a);
  const Picoseconds original = io_time(a, work);
  EXPECT_EQ(original, first.d + first.e + n * first.t);
  for (const auto& [gbit, wanted] : {std::pair{4u, 1.78}, {1u, 7.13}}) {
    a.external_bandwidth = gbit * Gbit;
    const Services time(a);
    EXPECT_EQ(io_time(a, work), time.d + n * time.e + time.t);
    EXPECT_NEAR(static_cast<double>(io_time(a, work)) / static_cast<double>(original), wanted, 0.005);
  }
}

TEST(ClosedForms, FifoIsNotFluid) {
  // 8 I/O nodes, 1598 reads of 4 MiB each (6392 MiB), one root link. One compute node: 1598 (d + e + t) = 12.977 s; the nodes ask at the
  // same moment, so that node k waits k d once, and is behind the others from then on: + 7 d for the last. A fluid model says 1598 t
  // = 7.520 s, which eight compute nodes reach.
  Architecture a;
  a.root_links = 1;
  const Services time(a);
  const Outcome one = simulated(a, equal_work(8, 1, Kind::read, 1598, 4 * MiB));
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_EQ(one.nodes[k].io_time, 1598 * (time.d + time.e + time.t) + static_cast<Picoseconds>(k) * time.d);
  EXPECT_NEAR(in_seconds(one.nodes[7].io_time), 12.98, 0.005);
  const Outcome eight = simulated(a, equal_work(8, 8, Kind::read, 1598, 4 * MiB));
  // The tree never rests after the first request's d + e; node k's first request waits for the eight of each node before it on the disk
  // link. That is 0.05 % to 0.09 % above fluid.
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_EQ(eight.nodes[k].io_time, time.d + time.e + 1598 * time.t + static_cast<Picoseconds>(8 * k) * time.d);
  for (const NodeOutcome& node : eight.nodes) EXPECT_NEAR(in_seconds(node.io_time) / in_seconds(1598 * time.t), 1, 1e-3);
}

TEST(ClosedForms, SaturatedDiskLink) {
  // 64 I/O nodes at 10 Gbit/s could carry 74.5 GiB/s, the disk link 66. Eight compute nodes each keep it busy from the first moment to the
  // last: n d, then the last request's tail: at least e + t, at most its node's other seven before it on the external link as well.
  Architecture a;
  const Services time(a);
  const std::int64_t n = 64 * 200;
  const Outcome outcome = simulated(a, equal_work(64, 8, Kind::read, 200, 4 * MiB));
  Picoseconds end = 0;
  for (const NodeOutcome& node : outcome.nodes) end = std::max(end, node.end);
  EXPECT_GE(end, n * time.d + time.e + time.t);
  EXPECT_LE(end, n * time.d + 8 * time.e + time.t);
}

TEST(ClosedForms, FourClientsOfASharedLink) {
  // 4 clients x 100 MB in messages of 1 MB, 10 MB/s each, 20 MB/s for all: 0.1 s and 0.05 s a message; the tree takes 1 ns. All four arrive
  // at 0.1 s + 1 ns and are served one after the other from then on; each is back 0.1 s + 1 ns later, before its turn (4 x 0.05 s) comes
  // again. The shared link never rests: client k is done 20.10 s - (3 - k) x 0.05 s + 1 ns after the start. Messages of 100 MB: 10 s, then
  // 5 s each, and the tree's 100 ns.
  Architecture a;
  a.page_pool = 0;
  a.ciod_buffer = 100 * MB;
  a.tree_bandwidth = 1'000'000'000 * MB;
  a.external_bandwidth = 10 * MB;
  a.disk_bandwidth = 20 * MB;
  const Outcome small = simulated(a, equal_work(4, 1, Kind::write, 100, MB));
  const Outcome large = simulated(a, equal_work(4, 1, Kind::write, 1, 100 * MB));
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(small.nodes[static_cast<std::size_t>(k)].io_time, 20'100 * ms - (3 - k) * 50 * ms + ns);
    EXPECT_EQ(large.nodes[static_cast<std::size_t>(k)].io_time, 15 * s + k * 5 * s + 100 * ns);
  }
}

TEST(ClosedForms, PoissonArrivalsAtTheExternalLink) {
  // M/D/1: writes of 1,000 bytes take S = 1 ms on the external link and come at random, load r = S x rate. Each comes from a compute node
  // of its own; on the tree and on the disk link it takes 1 ps. Lindley: the next one waits max(0, wait + S - gap), which must be met
  // exactly. Pollaczek and Khinchine: on average r S / (2 (1 - r)).
  Architecture a;
  a.tree_bandwidth = a.disk_bandwidth = 1'000'000 * GiB;
  a.external_bandwidth = 1 * MB;
  a.page_pool = 0;
  constexpr std::uint32_t writes = 60'000;
  for (const auto& [load, tolerance] : {std::pair{0.3, 0.05}, {0.6, 0.05}, {0.8, 0.1}}) {
    Random random(7);
    Work work;
    work.nodes.push_back({"0", writes, {}});
    Picoseconds at = 0;
    for (std::uint32_t i = 0; i < writes; ++i) {
      at += static_cast<Picoseconds>(-std::log(1 - random.uniform()) * static_cast<double>(ms) / load);
      work.nodes[0].timed.push_back({{at, 1000, Kind::write}});
    }
    std::vector<Completion> list;
    simulated(a, work, &list);
    ASSERT_EQ(list.size(), writes);
    std::sort(list.begin(), list.end(), [](const Completion& x, const Completion& y) { return x.index < y.index; });
    double sum = 0;
    Picoseconds wait = 0;
    for (std::uint32_t i = 0; i < writes; ++i) {
      if (i > 0) wait = std::max<Picoseconds>(0, wait + ms - (list[i].issued - list[i - 1].issued));
      ASSERT_EQ(list[i].acked - list[i].issued, 1 + wait + ms + 1) << "write " << i << " at load " << load;
      sum += static_cast<double>(wait);
    }
    const double expected = load * static_cast<double>(ms) / (2 * (1 - load));
    EXPECT_NEAR(sum / writes, expected, tolerance * expected) << "load " << load;
  }
}

TEST(ClosedForms, BinaryTreeStoresAndForwards) {
  // Compute node 6 of one root link is number 6 of the heap, below 2, below 0: three links.
  Architecture a;
  a.root_links = 1;
  a.tree_shape = static_cast<std::uint64_t>(TreeShape::binary);
  std::vector<Completion> list;
  simulated(a, equal_work(1, 7, Kind::write, 7, 4 * MiB), &list);
  const Services time(a);
  std::sort(list.begin(), list.end(), [](const Completion& x, const Completion& y) { return x.index < y.index; });
  EXPECT_EQ(list[0].acked, time.t);
  // The link of 0 sends 0, then 1 and 2 (both there after t), then those of 3 to 6, which came behind them: 7 t for the last.
  EXPECT_EQ(list[6].acked, 7 * time.t);
}

TEST(ClosedForms, MessagesWaitForATransferThatIsUnderWay) {
  // One compute node of two writes 4 MiB, both behind one root link; the other begins to read 1 ms later, while the write climbs: its
  // request arrives at the end of the climb, when the external link begins with the write. A message goes before it: the read's data
  // follows at once.
  Architecture a;
  a.root_links = 1;
  Work work;
  work.nodes.push_back({"0", 2, {}});
  WorkIncrement write{0, 0, s, {}}, read{0, ms, s, {}};
  write.amounts.bytes[1] = read.amounts.bytes[0] = 4 * MiB;
  write.amounts.operations[1] = read.amounts.operations[0] = 1;
  ASSERT_TRUE(lay_out(work, {write, read}));
  std::vector<Completion> list;
  simulated(a, work, &list);
  const Services time(a);
  std::sort(list.begin(), list.end(), [](const Completion& x, const Completion& y) { return x.index < y.index; });
  EXPECT_EQ(list[1].issued, ms);
  EXPECT_EQ(list[1].stored, time.t + time.d + time.e);
  EXPECT_EQ(list[1].acked, time.t + time.d + time.e + time.t);
}

TEST(HostileAmounts, AreHandled) {
  Architecture a;
  EXPECT_EQ(simulated(a, equal_work(1, 3, Kind::write, 1, 1)).requests, 1u);
  EXPECT_EQ(simulated(a, equal_work(1, 3, Kind::read, 5, 0)).nodes[0].io_time, 0);  // requests without size take no time
  EXPECT_EQ(simulated(a, equal_work(1, 3, Kind::read, 0, 0)).requests, 0u);
  // 10 TiB as one request: 2,621,440 pieces, about as long as 10 TiB at 10 Gbit/s.
  const Outcome large = simulated(a, equal_work(1, 128, Kind::read, 1, 10 * TiB));
  EXPECT_EQ(large.requests, 2'621'440u);
  const Services time(a);
  EXPECT_EQ(large.nodes[0].io_time, time.d + 2'621'440 * time.e + time.t);
  // 1 GiB at 1 byte per second: 34 years.
  a.disk_bandwidth = 1;
  const auto outcome = run(a, equal_work(1, 1, Kind::read, 1, GiB));
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().message.find("53 days"), std::string::npos) << outcome.error().message;
}

}  // namespace
}  // namespace fathom::simulate
