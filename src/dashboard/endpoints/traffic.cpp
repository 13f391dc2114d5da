// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "base/base64.h"
#include "base/text.h"
#include "dashboard/time_range.h"

namespace fathom::dashboard {
namespace {

constexpr std::array traffic_parameters = {from_parameter, to_parameter, filesystem_parameter,
                                           Parameter{"bins", "of time, at most (default 600)", Parameter::Kind::whole},
                                           Parameter{"of", "bytes (default) or metadata: operations on metadata"}};
constexpr std::array heat_parameters = {
    from_parameter,
    to_parameter,
    filesystem_parameter,
    Parameter{"bins", "of time, at most (default 300)", Parameter::Kind::whole},
    Parameter{"rows", "at most (default 64): neighbouring servers share a row where there are more", Parameter::Kind::whole},
    Parameter{"direction", "read, write or total (default): bytes; or metadata: operations"}};

/// Less than this share of a bin is as good as nothing.
constexpr double least_measured = 1e-6;

Result<Reply> answer_traffic(Dashboard& dashboard, const Call& call) {
  const std::string of = call.text_or("of", "bytes");
  if (of != "bytes" && of != "metadata")
    return Error{ErrorKind::usage, fmt::format("reading parameter of: {} is neither bytes nor metadata", excerpt(of))};
  const LoadOf what = of == "metadata" ? LoadOf::metadata : LoadOf::bytes;
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  TRY(const AskedTime time, asked_time(*moment, call));
  const std::string filesystem = call.text_or("filesystem", "");
  TRY(const Traffic traffic, traffic_by_filesystem(*moment, time, call.whole_within("bins", 600, 1, 4000), filesystem, what));
  const std::vector<Place> all_places =
      moment->overview->places(filesystem, what);  // a server with three file systems is counted three times
  const std::size_t places = std::max<std::size_t>(1, all_places.size());
  std::set<std::string_view> servers;
  for (const Place& place : all_places) servers.insert(place.server);
  Json read = Json::array(), write = Json::array(), coverage = Json::array();
  for (std::size_t bin = 0; bin < traffic.grid.bins; ++bin) {
    Cell sum;
    for (const auto& row : traffic.rows.rows) {
      sum.read += row[bin].read;
      sum.write += row[bin].write;
      sum.seconds += row[bin].seconds;
    }
    // Bins that the counters begin or end in are shorter. Where servers are missing the sum is of the others, and coverage tells.
    const double begin = traffic.grid.from + traffic.grid.step * static_cast<double>(bin);
    const double length = std::max(1e-6, std::min(begin + traffic.grid.step, unix_seconds(moment->counters->to)) -
                                             std::max(begin, unix_seconds(moment->counters->from)));
    const double all = length * static_cast<double>(places), measured = std::min<double>(sum.seconds, all);
    const bool known = measured > least_measured * all;
    read.push_back(known ? Json(sum.read / length) : Json(nullptr));
    write.push_back(known ? Json(sum.write / length) : Json(nullptr));
    coverage.push_back(measured / all);
  }
  Json operations = Json::array();
  if (what == LoadOf::metadata) {  // bytes were not asked for
    operations = std::move(read);
    read = write = Json::array();
  }
  return json_reply({{"t0", traffic.grid.from},
                     {"step", traffic.grid.step},
                     {"of", of},
                     {"read", std::move(read)},
                     {"write", std::move(write)},
                     {"operations", std::move(operations)},
                     {"coverage", std::move(coverage)},
                     {"servers", servers.size()},
                     {"prepared", traffic.rows.prepared}});
}

/// Rows of servers, neighbours together where there are many.
struct HeatRow {
  std::string name;
  std::size_t servers = 0;
  std::vector<double> bytes, seconds;  // of metadata: operations
};

/// "oss001 to oss016"
std::string names_together(const std::string& first, const std::string& last) { return first == last ? first : first + " to " + last; }

double amount(const Cell& cell, std::string_view direction) {
  return direction == "read" ? cell.read : direction == "write" ? cell.write : cell.read + cell.write;
}

std::vector<HeatRow> heat_rows(const Traffic& traffic, std::string_view direction, std::size_t most) {
  std::map<std::string, HeatRow> servers;  // file systems of one server together
  for (std::size_t i = 0; i < traffic.rows.places.size(); ++i) {
    HeatRow& row = servers[traffic.rows.places[i].server];
    row.bytes.resize(traffic.grid.bins);
    row.seconds.resize(traffic.grid.bins);
    for (std::size_t bin = 0; bin < traffic.grid.bins; ++bin) {
      row.bytes[bin] += amount(traffic.rows.rows[i][bin], direction);
      row.seconds[bin] = std::max<double>(row.seconds[bin], std::min<double>(traffic.rows.rows[i][bin].seconds, traffic.grid.step));
    }
  }
  const std::size_t together = std::max<std::size_t>(1, (servers.size() + most - 1) / most);
  std::vector<HeatRow> rows;
  std::string first;
  for (auto& [name, server] : servers) {
    if (rows.empty() || rows.back().servers == together) {
      rows.emplace_back();
      rows.back().bytes.resize(traffic.grid.bins);
      rows.back().seconds.resize(traffic.grid.bins);
      first = name;
    }
    HeatRow& row = rows.back();
    ++row.servers;
    row.name = names_together(first, name);
    for (std::size_t bin = 0; bin < traffic.grid.bins; ++bin) {
      row.bytes[bin] += server.bytes[bin];
      row.seconds[bin] += server.seconds[bin];
    }
  }
  return rows;
}

Result<Reply> answer_heat(Dashboard& dashboard, const Call& call) {
  static_assert(std::endian::native == std::endian::little);
  const std::string direction = call.text_or("direction", "total");
  if (direction != "read" && direction != "write" && direction != "total" && direction != "metadata")
    return Error{ErrorKind::usage,
                 fmt::format("reading parameter direction: {} is neither read, write, total nor metadata", excerpt(direction))};
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  TRY(const AskedTime time, asked_time(*moment, call));
  TRY(const Traffic traffic, traffic_by_server(*moment, time, call.whole_within("bins", 300, 1, 2000), call.text_or("filesystem", ""),
                                               direction == "metadata" ? LoadOf::metadata : LoadOf::bytes));
  const std::vector<HeatRow> rows = heat_rows(traffic, direction, call.whole_within("rows", 64, 1, 1024));
  Json names = Json::array();
  std::vector<float> cells;
  double largest = -1;
  for (const HeatRow& row : rows) {
    names.push_back({{"name", row.name}, {"servers", row.servers}});
    for (std::size_t bin = 0; bin < traffic.grid.bins; ++bin) {
      const double rate = row.seconds[bin] > least_measured ? row.bytes[bin] / row.seconds[bin] : std::numeric_limits<double>::quiet_NaN();
      if (rate > largest) largest = rate;
      cells.push_back(static_cast<float>(rate));
    }
  }
  const std::string_view bytes(reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof(float));
  return json_reply({{"t0", traffic.grid.from},
                     {"step", traffic.grid.step},
                     {"bins", traffic.grid.bins},
                     {"direction", direction},
                     {"rows", std::move(names)},
                     {"cells", base64(bytes)},
                     {"largest", largest < 0 ? Json(nullptr) : Json(largest)},
                     {"prepared", traffic.rows.prepared}});
}

}  // namespace

namespace endpoints {
extern const Endpoint traffic, heat;
constinit const Endpoint traffic{
    .method = "GET",
    .path = "/stores/{store}/traffic",
    .summary = "Bytes or metadata operations per second of all servers over time, and how much of it was measured",
    .answers = "Traffic",
    .parameters = traffic_parameters,
    .answer = answer_traffic,
    .version = store_version};
constinit const Endpoint heat{.method = "GET",
                              .path = "/stores/{store}/heat",
                              .summary = "Bytes or metadata operations per second of each server over time",
                              .answers = "Heat",
                              .parameters = heat_parameters,
                              .answer = answer_heat,
                              .version = store_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
