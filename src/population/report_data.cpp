// SPDX-License-Identifier: Apache-2.0
#include "population/report_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "population/plot_json.h"
#include "population/tables.h"

namespace fathom {
namespace {

using Json = nlohmann::ordered_json;

constexpr PlotDetail fine{}, coarse{.bins = 25, .points = 80, .columns = 24};
constexpr std::size_t most_above_peak = 200;
const SelectedJobs nobody;

double volume(const Ledger::Amounts& amounts) { return static_cast<double>(amounts[0]) + static_cast<double>(amounts[1]); }
Json both(const std::array<double, 2>& values) { return {json_number(values[0]), json_number(values[1])}; }

Json pairs_json(const Study& study, const SelectedJobs& selected) {
  Json pairs = Json::array();
  for (const JobValue& value : job_values())
    if (value.per_direction() && value.varies == Varies::no)
      pairs.push_back(pair_json(study, {&value, Direction::read, {}}, {&value, Direction::write, {}}, selected, fine));
  return pairs;
}

/// Values without direction; those with a threshold for read and write together; small requests of either (D
/// Figs. 4.10, 4.19-4.21, 4.27-4.29, 4.32).
Json singles_json(const Study& study) {
  Json singles = Json::array();
  for (const AskedValue& asked : all_asked(study.options)) {
    const bool wanted = !asked.value->per_direction() || (asked.value->varies == Varies::by_threshold && asked.x == Direction::total) ||
                        (asked.value->varies == Varies::by_small && asked.x != Direction::total);
    if (wanted) singles.push_back(single_json(study, asked, asked.value->per_direction() ? coarse : fine));
  }
  return singles;
}

Json panels_json(const Study& study) {
  Json sets = Json::array();
  for (const JobValue& value : job_values()) {
    if (value.varies != Varies::by_threshold) continue;
    Json set;
    set["id"] = value.criterion;
    set["key"] = value.key;
    set["title"] = value.title;
    set["panels"] = Json::array();
    for (std::size_t c = 0; c < study.options.thresholds.size(); ++c)
      set["panels"].push_back(pair_json(study, {&value, Direction::read, {c, 0}}, {&value, Direction::write, {c, 0}}, nobody, coarse));
    sets.push_back(std::move(set));
  }
  return sets;
}

/// P Figs. 2 and 3.
Json volume_json(const Study& study, const SelectedJobs& selected, double peak, std::vector<std::string>& notes) {
  const auto above = peak > 0 ? above_peak(study, peak) : std::vector<AbovePeak>{};
  Json plots = Json::array();
  for (std::size_t d = 0; d < 2; ++d) {
    const auto x = static_cast<Direction>(d);
    Json plot = pair_json(study, {&job_value("bytes"), x, {}}, {&job_value("bw_max_inner"), x, {}}, selected, fine);
    plot["id"] = "1.3";
    plot["key"] = fmt::format("volume_{}", direction_names[d]);
    plot["title"] = fmt::format("Bytes {} and maximum {} bandwidth", d == 0 ? "read" : "written", direction_names[d]);
    plot["peak"] = peak > 0 ? json_number(peak) : Json(nullptr);
    plot["above_peak"] = Json::array();
    const auto count = std::count_if(above.begin(), above.end(), [&](const AbovePeak& job) { return job.x == x; });
    for (const AbovePeak& found : above) {
      if (found.x != x || plot["above_peak"].size() >= most_above_peak) continue;
      const Job& job = study.machine.jobs[study.analysis.jobs[found.at]];
      plot["above_peak"].push_back(
          {{"job_id", job.id}, {"nodes", job.nodes == 0 ? Json(nullptr) : Json(job.nodes)}, {"value", json_number(found.bandwidth)}});
    }
    if (static_cast<std::size_t>(count) > most_above_peak)
      notes.push_back(fmt::format("{} jobs are above the peak when {}; the {} fastest are listed.",
                                  human_count(static_cast<std::uint64_t>(count)), d == 0 ? "reading" : "writing", most_above_peak));
    plots.push_back(std::move(plot));
  }
  return plots;
}

void add_tables(Json& json, const Study& study) {
  json["table2"] = Json::array();
  for (const EightyPercentRow& row : eighty_percent_table(study))
    json["table2"].push_back({{"threshold", row.threshold},
                              {"intensity", both(row.intensity)},
                              {"burstiness", both(row.burstiness)},
                              {"parallel_intensity", both(row.parallel_intensity)}});
  const AllRequests all = all_requests(study);
  json["small"] = Json::array();
  for (std::size_t k = 0; k < study.options.small.size(); ++k)
    json["small"].push_back(
        {{"size", study.options.small[k]}, {"read", json_number(all.small_share(0, k))}, {"write", json_number(all.small_share(1, k))}});
  Json sizes;
  for (std::size_t d = 0; d < 2; ++d) {
    sizes[direction_names[d]] = Json::array();
    for (std::size_t k = 0; k < all.by_class[d].size(); ++k)
      if (all.by_class[d][k] > 0)
        sizes[direction_names[d]].push_back({{"from", json_number(size_class_begin(k))},
                                             {"to", json_number(size_class_begin(k + 1))},
                                             {"ops", json_number(all.by_class[d][k])}});
  }
  sizes["left_out_bytes"] = json_number(all.bytes_without_operations[0] + all.bytes_without_operations[1]);
  json["request_sizes"] = std::move(sizes);
  const OpensAndCloses files = opens_and_closes(study);
  json["opens_closes"] = {{"more_opens", files.more_opens},
                          {"more_closes", files.more_closes},
                          {"equal", files.equal},
                          {"p80_relative_difference", json_number(files.p80_relative_difference)}};
}

void add_servers(Json& json, const Study& study) {
  json["servers"] = Json::array();
  for (std::size_t s = 0; s < study.machine.servers.size(); ++s) {
    if (!study.analysis.moves_data(s)) continue;
    Json server;
    server["server"] = study.machine.servers[s];
    for (std::size_t f = 0; f < flow_count; ++f)
      server[std::string(counter_names[f])] =
          holds(study.analysis.server_has[s], f) ? json_number(study.analysis.server_totals[s][f]) : Json(nullptr);
    json["servers"].push_back(std::move(server));
  }
}

Json population_json(const Study& study, const ReportOptions& options, std::vector<std::string>& notes) {
  const SelectedJobs selected = select_jobs(study, options.selection);
  notes.insert(notes.end(), selected.notes.begin(), selected.notes.end());
  Json json;
  json["jobs"] = study.analysis.jobs.size();
  json["left_out"] = Json::array();
  for (const LeftOut& left : study.left_out) json["left_out"].push_back({{"reason", left.reason}, {"count", left.jobs}});
  json["link"] = name_of(study.options.link);
  json["min_runtime"] = json_number(study.options.min_runtime);
  json["pairs"] = pairs_json(study, selected);
  json["singles"] = singles_json(study);
  json["threshold_panels"] = panels_json(study);
  json["volume_vs_bandwidth"] = volume_json(study, selected, options.peak, notes);
  add_tables(json, study);
  add_servers(json, study);
  json["selected"] = Json::array();
  for (const SelectedJob& job : selected.jobs) {
    const Measured& m = study.analysis.measured[job.at];
    json["selected"].push_back({{"job_id", study.machine.jobs[study.analysis.jobs[job.at]].id},
                                {"why", job.why()},
                                {"read_bytes", json_number(m.totals[0])},
                                {"write_bytes", json_number(m.totals[1])}});
  }
  const Ledger& ledger = study.analysis.ledger;
  json["linking"] = {{"to_jobs", volume(ledger.to_jobs)},     {"unattributed", volume(ledger.unattributed)},
                     {"discarded", volume(ledger.discarded)}, {"repeated", volume(ledger.repeated)},
                     {"total", volume(ledger.total)},         {"conserved", ledger.conserved()}};
  for (auto& amount : json["linking"])
    if (amount.is_number_float()) amount = json_number(amount.get<double>());
  return json;
}

/// The usual sampling interval of most series, in microseconds; 0 if there is none.
std::int64_t usual_step(const Machine& machine) {
  LengthCounts steps;
  for (const MachineSeries& series : machine.series)
    if (series.usual_interval > 0) steps.add(series.usual_interval);
  return steps.classes().empty() ? 0 : steps.median();
}

Json store_json(const Study& study, const ReportOptions& options) {
  TimeRange time;
  for (const auto& day : study.machine.ranges)
    for (const TimeRange& range : day)
      if (range.from < range.to) time.add(range.from, range.to);
  const auto seconds = [](std::int64_t micros) { return json_number(static_cast<double>(micros) / 1e6); };
  const std::int64_t step = usual_step(study.machine);
  Json store;
  store["name"] = options.store_name;
  store["start"] = time.from < time.to ? seconds(time.from) : Json(nullptr);
  store["end"] = time.from < time.to ? seconds(time.to) : Json(nullptr);
  store["servers"] = study.machine.servers.size();
  store["jobs"] = study.machine.jobs.size();
  store["sampling_step"] = step > 0 ? seconds(step) : Json(nullptr);
  return store;
}

void add_caveats(const Study& study, std::vector<std::string>& notes) {
  if (const std::int64_t step = usual_step(study.machine); step > 0)
    notes.push_back(fmt::format("Counters were read every {}: maxima are averages over that time, and nothing shorter can be seen.",
                                human_duration(Duration{step})));
  std::uint64_t uncovered = 0;
  for (const Measured& m : study.analysis.measured) uncovered += (m.flags & low_coverage) != 0;
  if (uncovered > 0)
    notes.push_back(fmt::format("{} measured less than {:.0f} % of the time: {} are lower bounds.",
                                counted(uncovered, "job was", "jobs were"), 100 * enough_coverage,
                                uncovered == 1 ? "its sums" : "their sums"));
  if (study.machine.simultaneous > 0 && study.options.link != LinkStrategy::window)
    notes.push_back(
        fmt::format("On {} jobs ran at the same time: their shares there are guesses.", counted(study.machine.simultaneous, "server")));
  if (study.options.link == LinkStrategy::window)
    notes.push_back("Linked by window: each job is shown with all traffic while it ran, its own or not.");
}

}  // namespace

Json report_data(const Study& study, const ReportOptions& options, Json jobs) {
  std::vector<std::string> notes;
  add_caveats(study, notes);
  Json population = population_json(study, options, notes);
  Json json;
  json["format"] = 1;
  json["title"] = options.title;
  json["generated"] = options.generated;
  json["version"] = options.version;
  json["store"] = store_json(study, options);
  json["notes"] = notes;
  json["population"] = std::move(population);
  json["jobs"] = jobs.is_array() ? std::move(jobs) : Json::array();
  return json;
}

}  // namespace fathom
