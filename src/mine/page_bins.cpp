// SPDX-License-Identifier: Apache-2.0
#include "mine/page_bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace fathom::mine {
namespace {

using Json = nlohmann::ordered_json;

constexpr double step_width = 0.05, widest_step = 5.5;  // periods
constexpr std::size_t most_volume_bins = 40, most_server_bins = 60;

/// [a quarter is smaller, half is, three quarters are]
Json quartiles(std::vector<double> values) {
  if (values.empty()) return nullptr;
  std::sort(values.begin(), values.end());
  const auto at = [&](std::size_t quarters) { return json_rounded(values[(values.size() - 1) * quarters / 4]); };
  return Json::array({at(1), at(2), at(3)});
}

}  // namespace

std::vector<std::size_t> evenly(std::size_t n, std::size_t most) {
  const std::size_t count = std::min(n, most);
  std::vector<std::size_t> chosen(count);
  for (std::size_t k = 0; k < count; ++k) chosen[k] = k * n / count;
  return chosen;
}

Json json_rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);
  return rounded == std::floor(rounded) && std::abs(rounded) < 9e15 ? Json(static_cast<std::int64_t>(rounded)) : Json(rounded);
}

Json step_bins(std::span<const double> periods) {
  // Bins lie around multiples of their width, so that a whole number of periods is in the middle of one.
  std::vector<std::size_t> counts(static_cast<std::size_t>(std::lround(widest_step / step_width)) + 1);
  std::size_t over = 0;
  for (const double each : periods) {
    const double bin = std::round(each / step_width);
    if (bin < static_cast<double>(counts.size()))
      ++counts[static_cast<std::size_t>(std::max(0.0, bin))];
    else
      ++over;
  }
  return {{"width", step_width}, {"counts", counts}, {"over", over}};
}

Json volume_bins(std::span<const KnownBurst> bursts) {
  std::vector<double> before, after;
  for (const KnownBurst& burst : bursts)
    if (burst.servers > 0 && burst.area > 0 && burst.own_area > 0) before.push_back(burst.area), after.push_back(burst.own_area);
  Json data{{"bins", Json::array()},
            {"before", quartiles(before)},
            {"after", quartiles(after)},
            {"bursts", before.size()},
            {"untold", bursts.size() - before.size()}};
  if (before.empty()) return data;
  double least = INFINITY, most = 0;
  for (const std::vector<double>* each : {&before, &after})
    for (const double value : *each) least = std::min(least, value), most = std::max(most, value);
  // Bursts of one size are no reason to look closer than people care.
  if (most < least * 1.2) least /= 1.1, most *= 1.1;
  const double width = std::log(most / least) / static_cast<double>(most_volume_bins);
  std::vector<std::size_t> counts[2] = {std::vector<std::size_t>(most_volume_bins), std::vector<std::size_t>(most_volume_bins)};
  const auto bin_of = [&](double value) {
    return std::min(most_volume_bins - 1, static_cast<std::size_t>(std::max(0.0, std::log(value / least) / width)));
  };
  for (const double value : before) ++counts[0][bin_of(value)];
  for (const double value : after) ++counts[1][bin_of(value)];
  for (std::size_t i = 0; i < most_volume_bins; ++i)
    data["bins"].push_back({{"from", json_rounded(least * std::exp(static_cast<double>(i) * width))},
                            {"to", json_rounded(least * std::exp(static_cast<double>(i + 1) * width))},
                            {"before", counts[0][i]},
                            {"after", counts[1][i]}});
  return data;
}

Json server_bins(std::span<const KnownBurst> bursts) {
  std::uint32_t least = UINT32_MAX, most = 0;
  for (const KnownBurst& burst : bursts)
    if (burst.servers > 0) least = std::min(least, burst.servers), most = std::max(most, burst.servers);
  Json bins = Json::array();
  if (most == 0) return bins;
  const std::size_t span = std::size_t{most} - least + 1, width = (span + most_server_bins - 1) / most_server_bins;
  std::vector<std::size_t> counts((span + width - 1) / width);
  for (const KnownBurst& burst : bursts)
    if (burst.servers > 0) ++counts[(burst.servers - least) / width];
  for (std::size_t i = 0; i < counts.size(); ++i)
    bins.push_back({{"from", least + i * width}, {"to", least + (i + 1) * width}, {"count", counts[i]}});
  return bins;
}

}  // namespace fathom::mine
