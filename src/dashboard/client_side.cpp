// SPDX-License-Identifier: Apache-2.0
#include "dashboard/client_side.h"

#include <algorithm>
#include <cmath>

#include "characterise/client_runs.h"

namespace fathom::dashboard {
namespace {

constexpr std::size_t most_steps = 2000;

Json as_json(const ClientRun& run) {
  const std::int64_t first = run.slices.front().number, last = run.slices.back().number;
  const auto together =
      std::max<std::int64_t>(1, (last - first + static_cast<std::int64_t>(most_steps)) / static_cast<std::int64_t>(most_steps));
  const auto steps = static_cast<std::size_t>((last - first) / together + 1);
  const double step = run.length * static_cast<double>(together);
  std::vector<double> read(steps, std::nan("")), write(steps, std::nan(""));
  double all_read = 0, all_write = 0;
  for (const ClientRun::Slice& slice : run.slices) {
    const auto at = static_cast<std::size_t>((slice.number - first) / together);
    read[at] = (std::isnan(read[at]) ? 0 : read[at]) + slice.read / step;
    write[at] = (std::isnan(write[at]) ? 0 : write[at]) + slice.write / step;
    all_read += slice.read;
    all_write += slice.write;
  }
  const auto series = [](const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
    return list;
  };
  return {{"source", "slices"},
          {"trace", nullptr},
          {"name", run.trace},
          {"t0", static_cast<double>(first) * run.length},
          {"step", step},
          {"read", series(read)},
          {"write", series(write)},
          {"read_bytes", all_read},
          {"write_bytes", all_write}};
}

}  // namespace

Result<Json> clients_from_slices(const Snapshot& snapshot, const std::string& job, double start, double end) {
  const auto moment = [](double t) { return time_from_micros(static_cast<std::int64_t>(t * 1e6)); };
  TRY(const std::vector<ClientRun> runs, client_runs(snapshot, job, moment(start), std::isnan(end) ? no_time : moment(end)));
  Json list = Json::array();
  for (const ClientRun& run : runs) list.push_back(as_json(run));
  return list;
}

}  // namespace fathom::dashboard
