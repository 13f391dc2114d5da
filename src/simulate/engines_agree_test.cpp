// SPDX-License-Identifier: Apache-2.0
// The engine and the plain reference give the same times for every request of machines that were thrown together at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "base/random.h"
#include "simulate/engine.h"
#include "simulate/reference_test.h"

namespace fathom::simulate {
namespace {

template <class T>
T one_of(Random& random, std::initializer_list<T> choices) {
  return choices.begin()[random.whole(0, static_cast<std::int64_t>(choices.size()) - 1)];
}

/// Powers of two on purpose: services of links are multiples of each other, and ties abound. Otherwise any number.
std::uint64_t bandwidth(Random& random, bool ties) {
  return ties ? std::uint64_t{1} << random.whole(8, 14) : static_cast<std::uint64_t>(random.whole(200, 20'000));
}

Architecture made_architecture(Random& random, bool ties) {
  Architecture a;
  a.tree_bandwidth = bandwidth(random, ties);
  a.external_bandwidth = bandwidth(random, ties);
  a.burst_buffer_bandwidth = bandwidth(random, ties);
  a.disk_bandwidth = bandwidth(random, ties) * one_of<std::uint64_t>(random, {1, 4, 16});
  a.root_links = static_cast<std::uint64_t>(random.whole(1, 2));
  a.tree_shape = random.chance(0.3) ? 1 : 0;
  a.ciod_buffer = one_of<std::uint64_t>(random, {1, 64, 100, 4096});
  a.page_pool = one_of<std::uint64_t>(random, {0, 1, 100, 300, 1024, 1 << 20});
  if (random.chance(0.5))
    a.burst_buffer = std::max<std::uint64_t>(a.ciod_buffer, one_of<std::uint64_t>(random, {1, 200, 500, 5000, 1 << 20}));
  return a;
}

/// What goes beyond the dissertation's model, some of it.
void add_extras(Architecture& a, Random& random, bool ties) {
  if (random.chance(0.3)) a.in_flight = static_cast<std::uint64_t>(random.whole(2, 4));
  if (a.burst_buffer > 0) {
    if (random.chance(0.5)) a.burst_buffer_shared_by = static_cast<std::uint64_t>(random.whole(1, 4));
    a.drain = static_cast<std::uint64_t>(random.whole(0, 2));
    a.drain_threshold = static_cast<std::uint64_t>(random.whole(0, 100));
    if (random.chance(0.4)) a.prefetch = one_of<std::uint64_t>(random, {1, 100, 700});
    if (random.chance(0.4)) a.read_hits = static_cast<std::uint64_t>(random.whole(1, 100));
  }
  if (random.chance(0.5)) {
    a.targets = static_cast<std::uint64_t>(random.whole(1, 9));
    a.target_bandwidth = bandwidth(random, ties);
    a.stripe_count = static_cast<std::uint64_t>(random.whole(1, static_cast<std::int64_t>(a.targets)));
    a.stripe_size = one_of<std::uint64_t>(random, {32, 64, 100, 1000});
    if (random.chance(0.5)) {
      a.object_servers = static_cast<std::uint64_t>(random.whole(1, 4));
      a.object_server_bandwidth = bandwidth(random, ties);
    }
  }
}

/// Jobs on each I/O node, one after the other: reading ahead is done for jobs.
void add_jobs(Work& work, Random& random) {
  for (std::uint32_t n = 0; n < work.nodes.size(); ++n) {
    Picoseconds start = random.whole(0, 4) * picoseconds_per_second / 8;
    for (std::int64_t i = random.whole(1, 3); i > 0; --i) {
      const Picoseconds end = start + random.whole(1, 8) * picoseconds_per_second / 8;
      work.jobs.push_back({std::to_string(work.jobs.size()), start, end, {n}});
      start = end;
    }
  }
}

/// Compute nodes with requests of their own times, in place of increments.
void make_timed(Work& work, Random& random, bool ties, std::uint64_t buffer) {
  for (NodeWork& node : work.nodes) {
    node.timed.resize(node.compute_nodes);
    for (auto& list : node.timed) {
      Picoseconds at = 0;
      for (std::int64_t i = random.whole(0, 4); i > 0; --i) {
        at += random.chance(0.3) ? 0 : ties ? random.whole(0, 4) * picoseconds_per_second / 16 : random.whole(0, picoseconds_per_second);
        const auto most = static_cast<std::int64_t>(buffer == 1 ? 5 : 3 * buffer);
        list.push_back({at, random.chance(0.1) ? 0 : static_cast<std::uint64_t>(random.whole(0, most)),
                        random.chance(0.5) ? Kind::read : Kind::write});
      }
    }
  }
}

Work made_work(Random& random, bool ties, bool with_jobs, std::uint64_t buffer) {
  Work work;
  work.nodes.resize(static_cast<std::size_t>(random.chance(0.05) ? random.whole(9, 64) : random.whole(1, 8)));
  std::vector<WorkIncrement> increments;
  const std::uint64_t largest = random.chance(0.2) ? 0 : buffer == 1 ? 40 : static_cast<std::uint64_t>(random.whole(1, 3000));
  for (std::uint32_t n = 0; n < work.nodes.size(); ++n) {
    work.nodes[n].compute_nodes = static_cast<std::uint32_t>(random.whole(1, 9));
    for (std::int64_t i = random.whole(0, work.nodes.size() > 8 ? 1 : 3); i > 0; --i) {
      WorkIncrement each{n, 0, 0, {}};
      each.start = ties ? random.whole(0, 4) * picoseconds_per_second / 4 : random.whole(0, picoseconds_per_second);
      each.end = each.start + picoseconds_per_second;
      for (std::size_t kind = 0; kind < 2; ++kind) {
        each.amounts.operations[kind] = random.chance(0.3) ? 0 : static_cast<std::uint64_t>(random.whole(0, 12));
        each.amounts.bytes[kind] = random.chance(0.2) ? 0 : static_cast<std::uint64_t>(random.whole(0, static_cast<std::int64_t>(largest)));
        if (ties) each.amounts.bytes[kind] = std::min(largest, each.amounts.bytes[kind] / 64 * 64);
      }
      increments.push_back(each);
    }
  }
  if (with_jobs) add_jobs(work, random);
  EXPECT_TRUE(lay_out(work, std::move(increments)));
  return work;
}

struct Tally {
  std::size_t requests = 0, by_disks = 0;  // and writes that the disks acknowledged
  std::uint64_t from_buffer = 0;
};

/// Every time of every request is the same.
void expect_agreement(const Architecture& architecture, const Work& work, std::uint64_t seed, Tally& tally) {
  std::vector<Completion> found;
  const auto outcome = run(architecture, work, nullptr, [&](const Completion& each) { found.push_back(each); });
  ASSERT_TRUE(outcome) << outcome.error().message << "; seed " << seed;
  std::sort(found.begin(), found.end(),
            [](const Completion& x, const Completion& y) { return std::tie(x.node, x.index) < std::tie(y.node, y.index); });
  const std::vector<Completion> expected = reference_completions(architecture, work);
  ASSERT_EQ(found.size(), expected.size()) << "seed " << seed;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Completion &x = found[i], &y = expected[i];
    ASSERT_EQ(x, y) << "seed " << seed << ", request " << i << " of node " << x.node << ": " << x.bytes << " and " << y.bytes
                    << " bytes, issued " << x.issued << " and " << y.issued << ", acked " << x.acked << " and " << y.acked << ", stored "
                    << x.stored << " and " << y.stored;
    tally.by_disks += x.kind == Kind::write && x.acked >= x.stored;
  }
  tally.requests += found.size();
  for (const NodeOutcome& node : outcome->nodes) tally.from_buffer += node.bytes_from_buffer;

  // Without anybody who listens some events are left out; nothing that is counted may change.
  const auto unheard = run(architecture, work);
  ASSERT_TRUE(unheard) << unheard.error().message << "; seed " << seed;
  for (std::size_t n = 0; n < work.nodes.size(); ++n) {
    EXPECT_EQ(unheard->nodes[n].io_time, outcome->nodes[n].io_time) << "seed " << seed;
    EXPECT_EQ(unheard->nodes[n].end, outcome->nodes[n].end) << "seed " << seed;
    EXPECT_EQ(unheard->nodes[n].bytes, outcome->nodes[n].bytes) << "seed " << seed;
  }
  EXPECT_EQ(unheard->end, outcome->end) << "seed " << seed;
}

/// All of them by `make check-full`.
const std::uint64_t machines = std::getenv("FATHOM_LONG") != nullptr ? 1000 : 300;

TEST(Engines, Agree) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 3 * machines && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const bool ties = random.chance(0.6);
    const Architecture architecture = made_architecture(random, ties);
    expect_agreement(architecture, made_work(random, ties, false, architecture.ciod_buffer), seed, tally);
  }
  EXPECT_GT(tally.requests, 50 * machines);  // the machines are not empty,
  EXPECT_GT(tally.by_disks, 5 * machines);   // and the bypass is used
}

TEST(Engines, AgreeOnWhatGoesBeyondTheDissertation) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 3 * machines / 2 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const bool ties = random.chance(0.6);
    Architecture architecture = made_architecture(random, ties);
    add_extras(architecture, random, ties);
    expect_agreement(architecture, made_work(random, ties, true, architecture.ciod_buffer), seed, tally);
  }
  EXPECT_GT(tally.requests, 20 * machines);
  EXPECT_GT(tally.from_buffer, 20 * machines);
}

TEST(Engines, AgreeOnRequestsWithTimesOfTheirOwn) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= machines && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const bool ties = random.chance(0.6);
    Architecture architecture = made_architecture(random, ties);
    if (random.chance(0.5)) add_extras(architecture, random, ties);
    Work work;
    work.nodes.resize(static_cast<std::size_t>(random.whole(1, 5)));
    for (NodeWork& node : work.nodes) node.compute_nodes = static_cast<std::uint32_t>(random.whole(1, 9));
    make_timed(work, random, ties, architecture.ciod_buffer);
    expect_agreement(architecture, work, seed, tally);
  }
  EXPECT_GT(tally.requests, 20 * machines);
}

}  // namespace
}  // namespace fathom::simulate
