// SPDX-License-Identifier: Apache-2.0
#include "compete/page_data.h"

#include <gtest/gtest.h>

#include "slices/made_profile_test.h"

namespace fathom::compete {
namespace {

using namespace slices;
using Json = nlohmann::ordered_json;

Json page_of(const std::vector<Profile>& profiles, const PageOptions& options = {}) {
  const auto prepared = prepare(profiles, labels(profiles), options.direction);
  EXPECT_TRUE(prepared);
  const Comparison comparison = compare(*prepared, {options.direction, options.trim});
  return page_data(*prepared, &comparison, options);
}

TEST(PageData, HasEveryCellWhereAllOfThemFit) {
  const Json data = page_of({application("a", {writer("n1", 7, 10, {4, 0, 8}), writer("n1", 6, 10, {0, 0, 0})}),
                             application("b", {writer("n2", 8, 11, {2, 2}), writer("n2", 9, 11, {6, 6})})});
  EXPECT_EQ(data["t0"], 40);
  EXPECT_EQ(data["step"], 4);
  EXPECT_EQ(data["bins"], 3);
  EXPECT_EQ(data["last_step"], 4);
  EXPECT_EQ(data["overlap"], (Json{48, 52}));  // slice 12
  const Json& a = data["applications"][0];
  EXPECT_EQ(a["label"], "a");
  EXPECT_EQ(a["write"], (Json{1, 0, 2}));  // bytes per second
  EXPECT_EQ(data["applications"][1]["write"], (Json{nullptr, 2, 2}));
  EXPECT_EQ(a["rows"][0]["name"], "process 7 on n1");
  EXPECT_EQ(a["active"], 1);
  EXPECT_TRUE(a["cells"]["read"].is_null());
  // 4.0f, 0.0f, 8.0f, little-endian: 00 00 80 40, 00 00 00 00, 00 00 00 41.
  EXPECT_EQ(a["cells"]["write"], "AACAQAAAAAAAAABB");
  EXPECT_EQ(data["applications"][1]["rows"].size(), 2u);
}

TEST(PageData, TheLastBinMayBeShorter) {
  // 721 slices do not fit 720 bins: 360 bins of two and one of one. 40 bytes in every slice of 4 s are 10 bytes/s in every bin.
  const Json data = page_of({application("a", {writer("n1", 1, 0, std::vector<std::uint64_t>(721, 40))}),
                             application("b", {writer("n2", 2, 0, std::vector<std::uint64_t>(721, 40))})});
  EXPECT_EQ(data["bins"], 361);
  EXPECT_EQ(data["step"], 8);
  EXPECT_EQ(data["last_step"], 4);
  EXPECT_EQ(data["applications"][0]["write"], Json(std::vector<int>(361, 10)));
}

TEST(PageData, TrimKeepsThePhases) {
  PageOptions options;
  options.trim = true;
  const Json data = page_of(
      {application("a", {writer("n1", 1, 0, {0, 0, 4, 4, 0})}), application("b", {writer("n2", 2, 0, {0, 0, 0, 4, 4, 0})})}, options);
  EXPECT_EQ(data["t0"], 8);
  EXPECT_EQ(data["bins"], 3);
}

TEST(PageData, NamesOfRows) {
  Profile profile = application("a", {writer("n1", 1, 0, {1}), writer("n1", 2, 0, {1}), writer("n2", 3, 0, {1})});
  EXPECT_EQ(row_name(all_processes(profile), {0, 2, 0, 0}), "2 processes on n1");
  for (std::int32_t rank = 0; rank < 3; ++rank) profile.processes[static_cast<std::size_t>(rank)].rank = rank;
  EXPECT_EQ(row_name(all_processes(profile), {2, 1, 0, 0}), "rank 2 on n2");
  EXPECT_EQ(row_name(all_processes(profile), {0, 3, 0, 0}), "ranks 0 to 2 on 2 nodes");
}

TEST(PageData, StaysSmall) {
  // 50 applications of 40 processes, 3,000 slices long: 6 million cells; 60 characters a row and 8 a point of a line come on top of 3.2 MB.
  std::vector<Profile> many;
  for (int a = 0; a < 50; ++a) {
    std::vector<Process> processes;
    for (std::uint32_t p = 0; p < 40; ++p) {
      Process process = writer("n", p, 0, {1, 1});
      process.slices[1].number = 2999;
      process.end = 3000 * 4 * second;
      processes.push_back(process);
    }
    many.push_back(application("app" + std::to_string(a), std::move(processes)));
  }
  EXPECT_LT(page_of(many).dump().size(), 4'500'000u);
}

TEST(PageData, OfNothing) {
  const Json data = page_of({application("a", {}), application("b", {})});
  EXPECT_EQ(data["applications"][0]["rows"].size(), 0u);
  EXPECT_TRUE(data["overlap"].is_null());
}

}  // namespace
}  // namespace fathom::compete
