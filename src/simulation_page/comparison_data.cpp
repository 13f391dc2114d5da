// SPDX-License-Identifier: Apache-2.0
#include "simulation_page/comparison_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "population/plot_json.h"

namespace fathom::simulation_page {
namespace {

using Json = nlohmann::ordered_json;
using namespace simulate;

constexpr std::size_t slowest_jobs = 15;

/// Neighbours share a bar where there are more than fit: then it is their mean.
Json node_bars(const Work& work, const Comparison& found) {
  std::vector<std::size_t> shown;
  for (std::size_t n = 0; n < work.nodes.size(); ++n)
    if (found.changed.nodes[n].finished) shown.push_back(n);
  const std::size_t each = std::max<std::size_t>(1, (shown.size() + most_bars - 1) / most_bars);
  Json bars = Json::array();
  for (std::size_t i = 0; i < shown.size(); i += each) {
    const std::size_t end = std::min(i + each, shown.size());
    double original = 0, changed = 0;
    for (std::size_t k = i; k < end; ++k) {
      original += in_seconds(found.node_io_time[shown[k]].original);
      changed += in_seconds(found.node_io_time[shown[k]].changed);
    }
    const auto count = static_cast<double>(end - i);
    const std::string &first = work.nodes[shown[i]].name, &last = work.nodes[shown[end - 1]].name;
    bars.push_back({{"name", end - i == 1 ? first : fmt::format("{} to {}", first, last)},
                    {"nodes", end - i},
                    {"original", json_rounded(original / count)},
                    {"changed", json_rounded(changed / count)}});
  }
  return bars;
}

Json ratio_data(const Comparison& found, Pair JobComparison::*times, std::string_view label) {
  const std::vector<double> ratios = ratios_of(found, times);
  Json data;
  data["axis"] = axis_json(label, "ratio", Scale::linear, ratios, {.bins = 60});
  const auto all = statistics(ratios);
  data["standard_deviation"] = all ? number_or_null(all->standard_deviation) : Json(nullptr);
  data["share_above"] = all ? json_number(all->share_above) : Json(nullptr);
  return data;
}

Json slowest(const Work& work, const Comparison& found) {
  std::vector<const JobComparison*> jobs;
  for (const JobComparison& job : found.jobs)
    if (job.finished && job.run_time.ratio()) jobs.push_back(&job);
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const JobComparison* a, const JobComparison* b) { return *a->run_time.ratio() > *b->run_time.ratio(); });
  jobs.resize(std::min(jobs.size(), slowest_jobs));
  Json list = Json::array();
  for (const JobComparison* job : jobs) {
    const auto pair = [](const Pair& times) { return Json{in_seconds(times.original), in_seconds(times.changed)}; };
    list.push_back({{"job_id", work.jobs[job->job].id},
                    {"nodes", work.jobs[job->job].nodes.size()},
                    {"io_time", pair(job->io_time)},
                    {"run_time", pair(job->run_time)}});
  }
  return list;
}

Json price(const Scenario& scenario, const Work& work) {
  const auto of = [&](const Architecture& architecture) { return number_or_null(cost(scenario.prices, architecture, work.nodes.size())); };
  return {of(scenario.original.value_or(scenario.architecture)), of(scenario.architecture)};
}

}  // namespace

Json comparison_data(const Heading& heading, const Scenario& scenario, const Work& work, const Comparison& found) {
  Json page = begin_page(heading, scenario, work);
  Json data;
  std::uint64_t finished = 0;
  std::array<std::uint64_t, 2> bytes{};
  for (const JobComparison& job : found.jobs) finished += job.finished;
  for (const NodeOutcome& node : found.changed.nodes)
    for (std::size_t i = 0; i < 2; ++i) bytes[i] += node.bytes[i];
  data["finished"] = finished;
  data["requests"] = found.changed.requests;
  data["read_bytes"] = bytes[0];
  data["write_bytes"] = bytes[1];
  data["nodes"] = node_bars(work, found);
  data["io"] = ratio_data(found, &JobComparison::io_time, "I/O time, new / original");
  data["run"] = ratio_data(found, &JobComparison::run_time, "run time, new / original");
  data["slowest"] = slowest(work, found);
  data["cost"] = price(scenario, work);
  const Wear wears = wear(scenario.prices, scenario.architecture, buffered(scenario.architecture, work, found.changed));
  data["full_writes_per_day"] = number_or_null(wears.full_writes_per_day);
  data["most_full_writes_per_day"] = number_or_null(wears.most_full_writes_per_day);
  data["years"] = number_or_null(wears.years);
  page["comparison"] = std::move(data);
  return page;
}

}  // namespace fathom::simulation_page
