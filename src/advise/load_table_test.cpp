// SPDX-License-Identifier: Apache-2.0
#include "advise/load_table.h"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>

#include "base/random.h"

namespace fathom::advise {
namespace {

constexpr double mb = 1e6;

LoadTable table_of(std::size_t servers, LoadSettings settings = {}) {
  auto table = LoadTable::make(servers, settings);
  EXPECT_TRUE(table.has_value());
  return *std::move(table);
}

TEST(Bands, AreThirtyMegabytesWideUpToThePeak) {
  const Bands bands;
  EXPECT_EQ(bands.count(), 17u);  // 500 / 30 = 16.7
  EXPECT_EQ(bands.of(0), 0u);
  EXPECT_EQ(bands.of(29.9 * mb), 0u);
  EXPECT_EQ(bands.of(30 * mb), 1u);
  EXPECT_EQ(bands.of(499 * mb), 16u);
  EXPECT_EQ(bands.of(5000 * mb), 16u);
  EXPECT_EQ((Bands{100, 500}.count()), 5u);
}

TEST(LoadTable, FractionsAreOfMeasuredTime) {
  // One window of 30 slots: 6 of them at 70 MB/s (band 2), 12 at 0, 12 not measured: 6/18 and 12/18, coverage 18/120.
  LoadTable table = table_of(1);
  for (int i = 0; i < 30; ++i) {
    const double value = i < 6 ? 70 * mb : i < 18 ? 0 : not_measured;
    table.add_slot({&value, 1});
  }
  std::vector<double> f(17);
  table.fractions(0, f);
  EXPECT_DOUBLE_EQ(f[0], 12.0 / 18);
  EXPECT_DOUBLE_EQ(f[2], 6.0 / 18);
  EXPECT_DOUBLE_EQ(table.coverage(0), 18.0 / 120);
  EXPECT_DOUBLE_EQ(table.mean_throughput(0), 70 * mb * 6 / 18);
}

TEST(LoadTable, EveryWindowCountsTheSame) {
  // The older window is measured for 3 of 30 slots only, all busy; the newer one for all, idle: the mean of 1 and 0, not 3/33.
  LoadTable table = table_of(1);
  for (int i = 0; i < 60; ++i) {
    const double value = i < 3 ? 100 * mb : i < 30 ? not_measured : 0;
    table.add_slot({&value, 1});
  }
  std::vector<double> f(17);
  table.fractions(0, f);
  EXPECT_DOUBLE_EQ(f[3], 0.5);
  EXPECT_DOUBLE_EQ(f[0], 0.5);
}

TEST(LoadTable, WhatWasNeverMeasuredIsNotZero) {
  LoadTable table = table_of(2);
  const double values[] = {5 * mb, not_measured};
  table.add_slot(values);
  const Loads loads = table.loads();
  EXPECT_EQ(loads.of(0)[0], 1);
  EXPECT_EQ(std::accumulate(loads.of(1).begin(), loads.of(1).end(), 0.0), 0);
  EXPECT_EQ(loads.coverage[1], 0);
  EXPECT_TRUE(std::isnan(table.mean_throughput(1)));
}

TEST(LoadTable, TwentyMinutesLaterAllIsForgotten) {
  LoadTable table = table_of(1);
  double value = 400 * mb;
  for (int i = 0; i < 200; ++i) table.add_slot({&value, 1});
  value = not_measured;
  for (int i = 0; i < 120; ++i) table.add_slot({&value, 1});
  EXPECT_EQ(table.coverage(0), 0);
}

/// The same from the last 20 minutes of slots, looked at anew each time.
void expect_like_reference(const LoadTable& table, const std::vector<std::deque<double>>& last, std::size_t per_window) {
  const Bands& bands = table.settings().bands;
  for (std::size_t server = 0; server < last.size(); ++server) {
    std::vector<double> expected(bands.count(), 0), found(bands.count());
    std::size_t windows = 0, measured_slots = 0;
    for (std::size_t w = 0; w < table.settings().windows; ++w) {
      std::vector<double> counts(bands.count(), 0);
      double measured = 0;
      for (std::size_t age = w * per_window; age < (w + 1) * per_window && age < last[server].size(); ++age) {
        const double value = last[server][age];
        if (std::isnan(value)) continue;
        ++measured;
        ++counts[std::min(bands.count() - 1, static_cast<std::size_t>(std::max(0.0, value) / bands.width))];
      }
      measured_slots += static_cast<std::size_t>(measured);
      if (measured == 0) continue;
      ++windows;
      for (std::size_t b = 0; b < counts.size(); ++b) expected[b] += counts[b] / measured;
    }
    for (double& each : expected) each /= windows > 0 ? static_cast<double>(windows) : 1;
    table.fractions(server, found);
    for (std::size_t b = 0; b < found.size(); ++b) ASSERT_NEAR(found[b], expected[b], 1e-12);
    ASSERT_DOUBLE_EQ(table.coverage(server),
                     static_cast<double>(measured_slots) / static_cast<double>(per_window * table.settings().windows));
  }
}

TEST(LoadTable, AgreesWithLookingAtTheWholeWindowAgain) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    LoadSettings settings;
    settings.slot_seconds = seed % 2 == 0 ? 10 : 60;
    settings.windows = static_cast<std::size_t>(random.whole(1, 5));
    settings.bands.width = random.uniform(10e6, 80e6);
    const auto per_window = static_cast<std::size_t>(300 / settings.slot_seconds);
    LoadTable table = table_of(5, settings);
    std::vector<std::deque<double>> last(5);
    for (int i = 0; i < 400; ++i) {
      std::vector<double> slot;
      for (auto& each : last) {
        slot.push_back(random.chance(0.2) ? not_measured : random.uniform(-10, 600) * mb);
        each.push_front(slot.back());
        if (each.size() > per_window * settings.windows) each.pop_back();
      }
      table.add_slot(slot);
      if (i % 7 == 0) expect_like_reference(table, last, per_window);
    }
  }
}

TEST(LoadTable, RefusesWhatCannotBe) {
  LoadSettings settings;
  settings.slot_seconds = 400;
  EXPECT_FALSE(LoadTable::make(1, settings).has_value());
  settings = {};
  settings.bands.width = 1;
  EXPECT_FALSE(LoadTable::make(1, settings).has_value());
  settings = {};
  settings.windows = 0;
  EXPECT_FALSE(LoadTable::make(1, settings).has_value());
}

}  // namespace
}  // namespace fathom::advise
