// SPDX-License-Identifier: Apache-2.0
#include "population/plot_json.h"

#include <fmt/format.h>

#include <cmath>
#include <future>

#include "base/units.h"
#include "population/distribution.h"
#include "population/hexbin.h"

namespace fathom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t worth_a_thread = 50'000;  // jobs

std::string_view name_of(Scale scale) { return scale == Scale::log ? "log" : "linear"; }

Json axis_of(std::string_view label, const AskedValue& asked, const SortedValues& values, const PlotDetail& detail) {
  return axis_json(label, fathom::name_of(asked.value->unit), asked.value->scale(), values, detail);
}

std::string title_of(const Study& study, const AskedValue& asked) {
  if (asked.value->varies != Varies::by_small) return std::string(asked.value->title);
  return fmt::format("{} of at most {}", asked.label(), human_size(study.options.small[asked.setting.small]));
}

void add_heading(Json& json, const AskedValue& asked, std::uint64_t threshold, std::string title) {
  json["id"] = asked.value->criterion;
  json["key"] = asked.value->key;
  json["title"] = std::move(title);
  json["threshold"] = nullptr;
  if (asked.value->varies == Varies::by_threshold) json["threshold"] = threshold;
}

PlotValues plot_values(const Study& study, const AskedValue& asked) {
  PlotValues found{values_of(study, asked), {}};
  found.sorted = sort_values(found.values);
  return found;
}

}  // namespace

Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 0x1p53) return static_cast<std::int64_t>(value);
  return value;
}

Json json_rounded(double value) {
  if (!std::isfinite(value) || value == 0) return json_number(value);
  return json_number(std::stod(fmt::format("{:.5g}", value)));
}

Json axis_json(std::string_view label, std::string_view unit, Scale scale, std::vector<double> values, const PlotDetail& detail) {
  return axis_json(label, unit, scale, sort_values(std::move(values)), detail);
}

Json axis_json(std::string_view label, std::string_view unit, Scale scale, const SortedValues& sorted, const PlotDetail& detail) {
  const Distribution found = describe(sorted);
  Json axis;
  axis["label"] = label;
  axis["unit"] = unit;
  axis["scale"] = name_of(scale);
  axis["n"] = found.n;
  axis["zeros"] = scale == Scale::log ? found.zeros : 0;
  for (const auto& [name, value] : {std::pair{"min", found.min},
                                    {"max", found.max},
                                    {"mean", found.mean},
                                    {"median", found.median},
                                    {"p80", found.p80},
                                    {"top20_share", found.top20_share}})
    axis[name] = json_number(value);
  Json bins = Json::array(), cdf = Json::array();
  for (const HistogramBin& bin : histogram(sorted.values, scale, detail.bins))
    bins.push_back({{"from", json_rounded(bin.from)}, {"to", json_rounded(bin.to)}, {"count", bin.count}});
  // The 80 % value stays exact where it is: it is drawn as a line too.
  for (const auto& [value, share] : cumulative_curve(sorted.values, scale, detail.points))
    cdf.push_back({value == found.p80 ? json_number(value) : json_rounded(value), json_rounded(share)});
  axis["histogram"] = std::move(bins);
  axis["cdf"] = std::move(cdf);
  return axis;
}

Json pair_json(const AskedValue& x, const PlotValues& xs, const AskedValue& y, const PlotValues& ys, std::uint64_t threshold,
               const PlotDetail& detail) {
  const auto bin = [&] { return hexbin(xs.values, x.value->scale(), ys.values, y.value->scale(), detail.columns); };
  std::future<Hexbin> meanwhile = std::async(xs.values.size() > worth_a_thread ? std::launch::async : std::launch::deferred, bin);
  Json json;
  add_heading(json, x, threshold, std::string(x.value->title));
  json["x"] = axis_of(x.label(), x, xs.sorted, detail);
  json["y"] = axis_of(y.label(), y, ys.sorted, detail);
  const Hexbin bins = meanwhile.get();
  json["hexagons"] = Json::array();
  for (const Hexagon& hexagon : bins.hexagons)
    json["hexagons"].push_back({json_rounded(hexagon.x), json_rounded(hexagon.y), hexagon.count});
  json["hex_radius"] = {json_number(bins.grid.rx), json_number(bins.grid.ry)};
  json["diagonal"] = x.value == y.value;
  json["selected"] = Json::array();
  return json;
}

Json pair_json(const Study& study, const AskedValue& x, const AskedValue& y, const SelectedJobs& selected, const PlotDetail& detail) {
  const PlotValues xs = plot_values(study, x), ys = plot_values(study, y);
  Json json = pair_json(x, xs, y, ys, study.options.thresholds[x.setting.threshold], detail);
  for (const SelectedJob& job : selected.jobs) {
    const double at_x = xs.values[job.at], at_y = ys.values[job.at];
    if (!std::isfinite(at_x) || !std::isfinite(at_y)) continue;
    json["selected"].push_back({{"job_id", study.machine.jobs[study.analysis.jobs[job.at]].id},
                                {"x", json_number(at_x)},
                                {"y", json_number(at_y)},
                                {"why", job.why()}});
  }
  return json;
}

Json single_json(const Study& study, const AskedValue& asked, const PlotDetail& detail) {
  Json json;
  const std::string title = title_of(study, asked);
  add_heading(json, asked, study.options.thresholds[asked.setting.threshold], title);
  json["axis"] = axis_of(asked.value->varies == Varies::by_small ? std::string_view(title) : asked.label(), asked,
                         sort_values(values_of(study, asked)), detail);
  return json;
}

}  // namespace fathom
