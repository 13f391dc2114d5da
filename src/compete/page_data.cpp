// SPDX-License-Identifier: Apache-2.0
#include "compete/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "base/base64.h"

namespace fathom::compete {
namespace {

using Json = nlohmann::ordered_json;

/// A cell takes 5 1/3 characters: 3.2 MB.
constexpr std::size_t most_cells = 600'000, most_bins = 720, most_rows = 300;

struct Resolution {
  std::size_t bins = 0, rows = 0;  // at most; rows of each application
};

/// Few applications get rows; many share the cells, and give up detail in time before they have less than a few rows each.
Resolution resolution(std::size_t applications) {
  const std::size_t each = most_cells / (2 * std::max<std::size_t>(1, applications));
  const std::size_t bins = std::clamp<std::size_t>(each / 8, 50, most_bins);
  return {bins, std::clamp<std::size_t>(each / bins, 1, most_rows)};
}

double in_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

/// Little-endian floats: 24 bits are more than anybody reads off a map.
Json packed(const std::vector<double>& cells) {
  if (std::all_of(cells.begin(), cells.end(), [](double cell) { return cell == 0; })) return nullptr;
  static_assert(std::endian::native == std::endian::little);
  std::string bytes(cells.size() * sizeof(float), '\0');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto value = static_cast<float>(cells[i]);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return base64(bytes);
}

/// Bytes per second of all processes in each bin; null where none of them was there.
Json throughput(const slices::Series& series, const slices::HeatMap& map, Direction direction) {
  Json line = Json::array();
  for (std::size_t bin = 0; bin < map.bins; ++bin) {
    const std::int64_t first = map.first + static_cast<std::int64_t>(bin) * map.slices_per_bin;
    bool there = false;
    for (std::int64_t number = std::max(first, series.first); number < std::min(first + map.slices_per_bin, series.last() + 1); ++number)
      there |= series.at(number).running > 0;
    const double bytes = static_cast<double>(slices::bytes_in(series, direction, first, map.slices_in(bin)));
    line.push_back(there ? Json(std::round(bytes / in_seconds(map.slices_in(bin) * series.length))) : Json(nullptr));
  }
  return line;
}

Json application_data(const Application& application, slices::SliceRange window, const Resolution& size) {
  const slices::Profile& profile = *application.profile;
  const slices::Series& series = application.series;
  // Shells and helpers that moved nothing would be most of the rows of many a run.
  const slices::HeatMap map = slices::heat_map(application.movers, window, size.bins, size.rows);
  const auto all = [&](Direction direction) {
    return bytes_in(series, direction, series.first, static_cast<std::int64_t>(series.sums.size()));
  };
  std::set<std::string_view> hosts;
  for (const slices::Process& process : profile.processes) hosts.insert(process.host);
  Json data{{"label", application.label},
            {"job", profile.job},
            {"processes", profile.processes.size()},
            {"active", application.movers.size()},
            {"nodes", hosts.size()}};
  data["start"] = in_seconds(series.start);
  data["end"] = in_seconds(series.end);
  data["phase"] =
      application.phase.slices == 0 ? Json(nullptr) : Json{in_seconds(application.phase.begin), in_seconds(application.phase.end)};
  data["read_bytes"] = all(Direction::read);
  data["write_bytes"] = all(Direction::write);
  data["read"] = throughput(series, map, Direction::read);
  data["write"] = throughput(series, map, Direction::write);
  data["rows"] = Json::array();
  for (const slices::MapRow& row : map.rows)
    data["rows"].push_back({{"name", row_name(application.movers, row)},
                            {"processes", row.count},
                            {"start", in_seconds(row.start)},
                            {"end", in_seconds(row.end)}});
  data["cells"] = {{"read", packed(map.bytes[0])}, {"write", packed(map.bytes[1])}};
  return data;
}

}  // namespace

slices::SliceRange window_of(std::span<const Application> applications, bool trim) {
  slices::SliceRange window{INT64_MAX, INT64_MIN};
  const bool phases =
      trim && std::any_of(applications.begin(), applications.end(), [](const Application& one) { return one.phase.slices > 0; });
  for (const Application& application : applications) {
    if (application.series.sums.empty() || (phases && application.phase.slices == 0)) continue;
    window.first = std::min(window.first, phases ? application.phase.first : application.series.first);
    window.last = std::max(window.last, phases ? application.phase.last() : application.series.last());
  }
  return window.first > window.last ? slices::SliceRange{0, 0} : window;
}

std::string row_name(std::span<const slices::Process* const> all, const slices::MapRow& row) {
  const auto processes = all.subspan(row.first, row.count);
  std::set<std::string_view> hosts;
  bool ranks = true;
  for (const slices::Process* process : processes) {
    hosts.insert(process->host);
    ranks &= process->rank >= 0;
  }
  const std::string where = hosts.size() == 1 ? std::string(*hosts.begin()) : fmt::format("{} nodes", hosts.size());
  const slices::Process &first = *processes.front(), &last = *processes.back();
  if (row.count == 1) return ranks ? fmt::format("rank {} on {}", first.rank, where) : fmt::format("process {} on {}", first.pid, where);
  return ranks ? fmt::format("ranks {} to {} on {}", first.rank, last.rank, where) : fmt::format("{} processes on {}", row.count, where);
}

nlohmann::ordered_json page_data(std::span<const Application> applications, const Comparison* comparison, const PageOptions& options) {
  const slices::SliceRange window = window_of(applications, options.trim);
  const std::int64_t length = applications.empty() ? 1 : applications.front().series.length;
  const Resolution size = resolution(applications.size());
  const slices::HeatMap time = slices::heat_map({}, window, size.bins, 1);
  Json data{{"format", 1}, {"title", options.title}, {"generated", options.generated}, {"version", options.version}};
  data["slice"] = in_seconds(length);
  data["direction"] = slices::direction_names[static_cast<std::size_t>(options.direction)];
  data["t0"] = in_seconds(window.first * length);
  data["step"] = in_seconds(time.slices_per_bin * length);
  data["bins"] = time.bins;
  data["last_step"] = in_seconds(time.slices_in_last * length);
  data["notes"] = options.notes;
  data["overlap"] = nullptr;
  if (comparison != nullptr && comparison->active.slices > 0)
    data["overlap"] = {in_seconds(comparison->active.first * length),
                       in_seconds((comparison->active.first + comparison->active.slices) * length)};
  data["applications"] = Json::array();
  for (const Application& application : applications) data["applications"].push_back(application_data(application, window, size));
  return data;
}

}  // namespace fathom::compete
