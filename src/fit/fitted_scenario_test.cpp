// SPDX-License-Identifier: Apache-2.0
#include "fit/fitted_scenario.h"

#include <gtest/gtest.h>

namespace fathom::fit {
namespace {

using namespace simulate;

Fitted row(std::string_view parameter, Kind kind, std::optional<double> value, std::optional<double> lower) {
  return {.parameter = std::string(parameter),
          .kind = kind,
          .server = {},
          .value = value,
          .unit = bytes_per_second,
          .lower = lower,
          .upper = {},
          .observations = 3,
          .method = "continuous intervals",
          .r_squared = {},
          .deviation = {},
          .notes = {}};
}

TEST(FittedScenario, AnEstimateReplacesABoundRaises) {
  const Architecture start;  // 10 Gbit/s and 66 GiB/s
  // The larger of two estimates; a bound below the present value changes nothing.
  Architecture found =
      with_fitted(start, std::vector{row(external_link_bandwidth, Kind::read, 3e8, 2.9e8),
                                     row(external_link_bandwidth, Kind::write, 4e8, 3e8), row(disk_link_bandwidth, Kind::read, {}, 1e9)});
  EXPECT_EQ(found.external_bandwidth, 400'000'000u);
  EXPECT_EQ(found.disk_bandwidth, start.disk_bandwidth);
  // A bound above it raises it, also above the estimate of the other direction.
  found = with_fitted(start, std::vector{row(external_link_bandwidth, Kind::read, {}, 2e9), row(disk_link_bandwidth, Kind::read, 1e9, 9e8),
                                         row(disk_link_bandwidth, Kind::write, {}, 2.5e9)});
  EXPECT_EQ(found.external_bandwidth, 2'000'000'000u);
  EXPECT_EQ(found.disk_bandwidth, 2'500'000'000u);
  EXPECT_EQ(with_fitted(start, {}), start);
}

TEST(FittedScenario, CanBeReadBack) {
  Scenario scenario;
  scenario.io_nodes = {{2, 16}, {1, 8}};
  scenario.missing_operations_fill_buffers = true;
  const std::string text = fitted_scenario(scenario, std::vector{row(external_link_bandwidth, Kind::read, 3.5e8, 2.9e8)});
  const auto back = Scenario::parse(text, "fitted.toml");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->architecture.external_bandwidth, 350'000'000u);
  EXPECT_EQ(back->compute_nodes(), (std::vector<std::uint32_t>{16, 16, 8}));
  EXPECT_TRUE(back->missing_operations_fill_buffers);
}

}  // namespace
}  // namespace fathom::fit
