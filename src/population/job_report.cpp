// SPDX-License-Identifier: Apache-2.0
#include "population/job_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using Json = nlohmann::ordered_json;

/// A page draws no more than this many steps; longer jobs get longer steps.
constexpr std::int64_t most_steps = 2000;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json map_rows(const Study& study, const JobView& view, const Annotations& declared) {
  static constexpr const char* kinds[] = {"measured", "declared", "unavailable"};
  Json rows = Json::array();
  for (const MapRow& row : analysis_map(study, view, declared))
    rows.push_back({{"id", row.id},
                    {"criterion", row.criterion},
                    {"detail", row.detail},
                    {"read", text_or_null(row.read)},
                    {"write", text_or_null(row.write)},
                    {"total", text_or_null(row.total)},
                    {"note", text_or_null(row.note)},
                    {"kind", kinds[static_cast<std::size_t>(row.kind)]}});
  return rows;
}

Json timeline_of(const Study& study, const JobView& view) {
  const JobTimeline& job = view.assembled.timeline;
  const std::int64_t seconds = (job.end - job.start) / 1'000'000;
  // At least a quarter of the sampling step: finer ones say nothing more.
  const std::int64_t step =
      std::max<std::int64_t>({1, (seconds + most_steps - 1) / most_steps, view.measured.sampling_step / 4'000'000}) * 1'000'000;
  const std::vector<Slot> slots = slots_of(view, step, study.options.thresholds.back());
  // What was not counted is unknown, not 0.
  const auto series = [&](CounterMask needs, const auto& of) {
    Json values = Json::array();
    for (const Slot& slot : slots) values.push_back(slot.measured == 0 || (slot.has & needs) != needs ? Json(nullptr) : number(of(slot)));
    return values;
  };
  const auto counted = [](std::size_t c) { return static_cast<CounterMask>(1u << c); };
  const auto band = [&](std::size_t d) {
    return Json{{"min", series(counted(d), [&](const Slot& s) { return s.units[d].min; })},
                {"mean", series(counted(d), [&](const Slot& s) { return s.units[d].mean; })},
                {"max", series(counted(d), [&](const Slot& s) { return s.units[d].max; })}};
  };
  std::string types;
  for (const Slot& slot : slots) {
    const auto type = dominating(slot);
    types += slot.measured == 0 ? '?' : type ? ".rwm"[static_cast<std::size_t>(*type)] : '-';
  }
  const auto active = [&](std::size_t d) {
    return series(counted(d), [&, d](const Slot& s) { return static_cast<double>(s.active[d]) / view.measured.units; });
  };
  Json json{{"t0", static_cast<double>(slots.empty() ? job.start : slots.front().begin / step * step) / 1e6},
            {"step", static_cast<double>(step) / 1e6}};
  static constexpr const char* names[] = {"read_bytes", "write_bytes", "read_ops", "write_ops"};
  for (std::size_t f = 0; f < flow_count; ++f) json[names[f]] = series(counted(f), [f](const Slot& s) { return s.amounts[f]; });
  Json metadata = Json::array();
  for (const Slot& slot : slots) metadata.push_back(slot.metadata_measured == 0 ? Json(nullptr) : number(slot.amounts[metadata_flow]));
  json["metadata_ops"] = std::move(metadata);
  json["read_share_bytes"] = series(byte_counters, [](const Slot& s) { return s.amounts[0] / (s.amounts[0] + s.amounts[1]); });
  json["dominating"] = types;
  json["active_read"] = active(0);
  json["active_write"] = active(1);
  json["unit_read"] = band(0);
  json["unit_write"] = band(1);
  return json;
}

Json size_bins(const std::vector<double>& classes) {
  Json bins = Json::array();
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (classes[c] > 0) bins.push_back({{"from", size_class_begin(c)}, {"to", size_class_begin(c + 1)}, {"ops", classes[c]}});
  return bins;
}

Json repetition_of(const JobView& view) {
  Json rows = Json::array();
  for (const Repetition& r : view.repetition)
    rows.push_back({{"type", dominating_names[static_cast<std::size_t>(r.type)]},
                    {"repeats", r.period.has_value()},
                    {"period", r.period ? Json(*r.period * static_cast<double>(view.step) / 1e6) : Json(nullptr)},
                    {"evidence", r.evidence}});
  return rows;
}

Json units_of(const JobView& view) {
  Json rows = Json::array();
  for (const UnitTotals& unit : view.units) {
    Json row{{"unit", unit.unit}};
    for (const Counter c : {Counter::read_bytes, Counter::write_bytes, Counter::read_ops, Counter::write_ops, Counter::opens,
                            Counter::closes, Counter::metadata_ops})
      row[std::string(counter_names[index(c)])] = holds(unit.has, index(c)) ? number(unit.totals[index(c)]) : Json(nullptr);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Json job_report(const Study& study, const JobView& view, const Annotations& declared, const std::string& why) {
  const Job& job = study.machine.jobs[view.job];
  const Measured& m = view.measured;
  Json flags = Json::array();
  for (std::size_t i = 0; i < measured_flag_names.size(); ++i)
    if ((m.flags >> i & 1) != 0) flags.push_back(measured_flag_names[i]);
  return {{"job_id", job.id},
          {"user", job.user},
          {"name", job.name},
          {"nodes", job.nodes > 0 ? Json(job.nodes) : Json(nullptr)},
          {"units", m.units},
          {"start", static_cast<double>(m.start) / 1e6},
          {"end", static_cast<double>(m.end) / 1e6},
          {"coverage", m.coverage ? Json(*m.coverage) : Json(nullptr)},
          {"flags", flags},
          {"link", name_of(study.options.link)},
          {"threshold", study.options.thresholds.back()},
          {"why", text_or_null(why)},
          {"map", map_rows(study, view, declared)},
          {"timeline", timeline_of(study, view)},
          {"request_sizes", {{"read", size_bins(m.swept.sizes.classes[0])}, {"write", size_bins(m.swept.sizes.classes[1])}}},
          {"repetition", repetition_of(view)},
          {"units_table", units_of(view)}};
}

}  // namespace fathom
