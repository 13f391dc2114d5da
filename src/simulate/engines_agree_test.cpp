// SPDX-License-Identifier: Apache-2.0
// The engine and the plain reference give the same times for every request of machines that were thrown together at random.
#include <gtest/gtest.h>

#include <algorithm>
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

Work made_work(Random& random, bool ties, std::uint64_t buffer) {
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
  EXPECT_TRUE(lay_out(work, std::move(increments)));
  return work;
}

TEST(Engines, Agree) {
  std::size_t requests = 0, late = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    const bool ties = random.chance(0.6);
    const Architecture architecture = made_architecture(random, ties);
    const Work work = made_work(random, ties, architecture.ciod_buffer);
    std::vector<Completion> found;
    const auto outcome = run(architecture, work, nullptr, [&](const Completion& each) { found.push_back(each); });
    ASSERT_TRUE(outcome) << "seed " << seed << ": " << outcome.error().message;
    std::sort(found.begin(), found.end(),
              [](const Completion& x, const Completion& y) { return std::tie(x.node, x.index) < std::tie(y.node, y.index); });
    const std::vector<Completion> wanted = reference_completions(architecture, work);
    ASSERT_EQ(found.size(), wanted.size()) << "seed " << seed;
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], wanted[i]) << "seed " << seed << ", node " << wanted[i].node << ", request " << wanted[i].index << " ("
                                     << kind_names[static_cast<std::size_t>(wanted[i].kind)] << ", " << wanted[i].bytes
                                     << " bytes): issued " << found[i].issued << ", acked " << found[i].acked << ", stored "
                                     << found[i].stored << "; reference: issued " << wanted[i].issued << ", acked " << wanted[i].acked
                                     << ", stored " << wanted[i].stored;
    requests += found.size();
    for (const Completion& each : found) late += each.kind == Kind::write && each.acked >= each.stored;
    // Without somebody who listens, queues are kept shorter; the times are the same.
    const auto again = run(architecture, work);
    ASSERT_TRUE(again);
    for (std::size_t n = 0; n < work.nodes.size(); ++n) ASSERT_EQ(again->nodes[n].io_time, outcome->nodes[n].io_time) << "seed " << seed;
    ASSERT_EQ(again->end, outcome->end) << "seed " << seed;
  }
  EXPECT_GT(requests, 50'000u);  // the machines are not empty,
  EXPECT_GT(late, 5'000u);       // and the bypass is used
}

}  // namespace
}  // namespace fathom::simulate
