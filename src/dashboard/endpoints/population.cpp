// SPDX-License-Identifier: Apache-2.0
#include <future>

#include "dashboard/job_filter.h"
#include "population/plot_json.h"

namespace fathom::dashboard {
namespace {

constexpr PlotDetail detail{};

PlotValues chosen_values(const JobColumn& column, const std::vector<std::uint8_t>& chosen, std::uint64_t count, bool sorted_only = false) {
  PlotValues found;
  if (!sorted_only) {
    found.values.reserve(count);
    for (std::size_t row = 0; row < chosen.size(); ++row)
      if (chosen[row] != 0) found.values.push_back(column.values[row]);
  }
  found.sorted.values.reserve(count);
  for (const std::uint32_t row : column.order)
    if (chosen[row] != 0) found.sorted.values.push_back(column.values[row]);
  found.sorted.undefined = count - found.sorted.values.size();
  return found;
}

Json axis(const AskedValue& asked, const PlotValues& values) {
  return axis_json(asked.label(), name_of(asked.value->unit), asked.value->scale(), values.sorted, detail);
}

Result<Reply> answer_population(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const AskedValue x, asked_value(*call.text("x")));
  std::optional<AskedValue> y;
  if (const auto text = call.text("y")) {
    TRY(y, asked_value(*text));
  }
  TRY(const auto moment, source->moment());
  TRY(const std::optional<KeptSetting> setting, setting_for(*moment, call));
  TRY(const FilteredJobs jobs, filter_jobs(*moment, call, setting, "any"));
  TRY(const auto x_column, column_of(*moment, setting, x));
  // How far to trust it is computed meanwhile.
  std::future<Json> trust;
  if (setting) {
    TRY(const auto coverage, moment->kept->column(*setting, "coverage"));
    trust = std::async(std::launch::async, [coverage, &jobs] {
      return axis_json("Share of time that was measured", "fraction", Scale::linear,
                       chosen_values(*coverage, jobs.chosen, jobs.count, true).sorted, detail);
    });
  }
  const PlotValues xs = chosen_values(*x_column, jobs.chosen, jobs.count);
  Json answer{{"jobs", jobs.count}, {"left_out", Json::array()}, {"setting", nullptr},
              {"pair", nullptr},    {"axis", nullptr},           {"coverage", nullptr}};
  for (const LeftOut& each : jobs.left_out) answer["left_out"].push_back({{"reason", each.reason}, {"count", each.jobs}});
  if (setting)
    answer["setting"] = {
        {"link", setting->link}, {"filesystem", setting->filesystem}, {"threshold", setting->threshold}, {"small", setting->small}};
  if (y) {
    TRY(const auto y_column, column_of(*moment, setting, *y));
    answer["pair"] = pair_json(x, xs, *y, chosen_values(*y_column, jobs.chosen, jobs.count), setting ? setting->threshold : 0, detail);
  } else {
    answer["axis"] = axis(x, xs);
  }
  if (trust.valid()) answer["coverage"] = trust.get();
  return json_reply(answer);
}

struct Preset {
  std::string_view title, figure, x, y;
  std::int64_t threshold = -1;
};

// Where figures stand: P is the paper on jobs of JUGENE (000), D the dissertation (003). docs/population.md has the same list.
constexpr Preset presets[] = {
    {"Bytes read and written", "D Fig. 4.11", "bytes.read", "bytes.write"},
    {"Bytes read and maximum read bandwidth", "P Fig. 2", "bytes.read", "bw_max_inner.read"},
    {"Bytes written and maximum write bandwidth", "P Fig. 3", "bytes.write", "bw_max_inner.write"},
    {"Compute nodes and run time", "D Fig. 4.10", "nodes", "duration"},
    {"Bytes read and written per server", "D Fig. 4.12", "bytes_per_unit.read", "bytes_per_unit.write"},
    {"Read and write operations", "D Fig. 4.13", "ops.read", "ops.write"},
    {"Read and write operations per server", "D Fig. 4.14", "ops_per_unit.read", "ops_per_unit.write"},
    {"Maximum bandwidths", "D Fig. 4.15", "bw_max_inner.read", "bw_max_inner.write"},
    {"Mean bandwidths", "D Fig. 4.16", "bw_mean.read", "bw_mean.write"},
    {"Maximum IOPS", "D Fig. 4.17", "iops_max_inner.read", "iops_max_inner.write"},
    {"Mean IOPS", "D Fig. 4.18", "iops_mean.read", "iops_mean.write"},
    {"Opens and closes", "D Figs. 4.19, 4.20", "opens", "closes"},
    {"Read and write intensity", "D Figs. 4.21-4.23", "intensity.read", "intensity.write", 1 << 20},
    {"Mean request sizes", "D Fig. 4.26", "mean_request.read", "mean_request.write"},
    {"Small requests", "D Figs. 4.27, 4.28", "small_fraction.read", "small_fraction.write"},
    {"Share of writing by bytes", "D Fig. 4.29", "write_share_bytes", ""},
    {"Read and write burstiness", "D Figs. 4.30, 4.31", "burstiness.read", "burstiness.write", 1 << 20},
    {"Parallel read and write intensity", "D Figs. 4.32-4.34", "parallel_intensity.read", "parallel_intensity.write", 1 << 20},
    {"Metadata operations and their highest rate", "", "metadata_ops", "metadata_rate_max"},
    {"Size and data of jobs", "", "nodes", "bytes.total"},
};

Result<Reply> answer_values(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  TRY(const std::vector<KeptSetting> kept, moment->kept->settings());
  static constexpr std::string_view varies[] = {"no", "threshold", "small"};
  Json answer{{"values", Json::array()}, {"presets", Json::array()}, {"kept", kept_json(kept)}};
  for (const JobValue& value : job_values()) {
    Json directions = Json::array();
    for (std::size_t d = 0; d < (value.per_direction() ? direction_count : 1); ++d)
      directions.push_back({{"key", value.per_direction() ? direction_names[d] : ""}, {"label", value.labels[d]}});
    answer["values"].push_back({{"key", value.key},
                                {"criterion", value.criterion},
                                {"title", value.title},
                                {"unit", name_of(value.unit)},
                                {"scale", value.scale() == Scale::log ? "log" : "linear"},
                                {"directions", std::move(directions)},
                                {"varies", varies[static_cast<std::size_t>(value.varies)]}});
  }
  for (const Preset& preset : presets)
    answer["presets"].push_back({{"title", preset.title},
                                 {"figure", preset.figure},
                                 {"x", preset.x},
                                 {"y", preset.y.empty() ? Json(nullptr) : Json(preset.y)},
                                 {"threshold", preset.threshold < 0 ? Json(nullptr) : Json(preset.threshold)}});
  return json_reply(answer);
}

constexpr std::array own = {Parameter{"x", "a value: bytes.read, nodes, ...", Parameter::Kind::text, true},
                            Parameter{"y", "another, for a plot of two"}};
constexpr auto parameters = together(own, filter_parameters);

}  // namespace

namespace endpoints {
extern const Endpoint population, values;
constinit const Endpoint population{.method = "GET",
                                    .path = "/stores/{store}/population",
                                    .summary = "How one or two values are distributed over jobs, binned",
                                    .answers = "PopulationAnswer",
                                    .parameters = parameters,
                                    .answer = answer_population,
                                    .version = store_version};
constinit const Endpoint values{.method = "GET",
                                .path = "/stores/{store}/values",
                                .summary = "The values that population knows, the figures of the papers, and what criteria are kept",
                                .answers = "Values",
                                .parameters = {},
                                .answer = answer_values,
                                .version = store_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
