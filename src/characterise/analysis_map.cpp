// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "characterise/job_view.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

class Map {
 public:
  Map(const Study& study, const JobView& view) : study_(study), view_(view) {}
  std::vector<MapRow> rows;

  /// A row of a criterion's column in all directions.
  void values(std::string_view id, std::string_view column, std::string detail, Setting setting = {}, std::string note = {}) {
    const Criterion& criterion = *criterion_with_id(id);
    for (const CriterionColumn& each : criterion.columns) {
      if (each.name != column) continue;
      bool any = false;
      const auto value = [&](Direction x) {
        const double number = each.value(view_.measured, setting, x);
        any = any || !std::isnan(number);
        return shown(number, each.unit);
      };
      MapRow row{std::string(id), std::string(criterion.title), std::move(detail), "", "", "", std::move(note), MapRow::Kind::measured};
      if (each.per_direction) {
        row.read = value(Direction::read), row.write = value(Direction::write), row.total = value(Direction::total);
      } else {
        row.total = value(Direction::total);
      }
      if (const std::string why = any ? "" : why_undefined(criterion, view_.measured); !why.empty()) row.note = why;
      rows.push_back(std::move(row));
      return;
    }
  }

  void text(std::string_view id, std::string detail, std::string read, std::string write, std::string total, std::string note = {}) {
    rows.push_back({std::string(id), std::string(criterion_with_id(id)->title), std::move(detail), std::move(read), std::move(write),
                    std::move(total), std::move(note), MapRow::Kind::measured});
  }

  bool has(std::string_view id) const {
    return std::any_of(rows.begin(), rows.end(), [&](const MapRow& row) { return row.id == id; });
  }

  /// A criterion that nothing more is said of: its columns by their names, or why there are none.
  void plain(const Criterion& criterion) {
    const std::string why = missing(criterion.needs, counters_give);
    if (!why.empty() || criterion.columns.empty())
      rows.push_back({std::string(criterion.id), std::string(criterion.title), "", "", "", "", why, MapRow::Kind::unavailable});
    else
      for (const CriterionColumn& column : criterion.columns) values(criterion.id, column.name, std::string(column.name));
  }

  void at_thresholds(std::string_view id, std::string_view column) {
    for (std::size_t c = 0; c < study_.options.thresholds.size(); ++c)
      values(id, column, fmt::format("c = {}/s", human_bytes(static_cast<double>(study_.options.thresholds[c]))), {c, 0});
  }

  /// The same formulas on operations at c = 0.
  void on_operations(std::string_view id, std::string_view column) {
    static constexpr std::string_view detail = "operations, c = 0";
    Measured on_operations = view_.measured;
    if (on_operations.duration() > 0) {  // as if bytes were counted where operations are
      const auto operations = static_cast<CounterMask>(on_operations.has >> index(Counter::read_ops) & byte_counters);
      if (operations == 0) return text(id, std::string(detail), "-", "-", "-", why_no_types(view_.measured));
      on_operations.has = static_cast<CounterMask>((on_operations.has & ~byte_counters) | operations);
    }
    on_operations.swept.activity.assign(1, view_.on_operations);
    const JobView other{view_.job, std::move(on_operations), {}, {}, {}, 0, {}, {}};
    Map map(study_, other);
    map.values(id, column, std::string(detail));
    rows.insert(rows.end(), map.rows.begin(), map.rows.end());
  }

 private:
  const Study& study_;
  const JobView& view_;
};

void aggregate(Map& map, const JobView& view) {
  const Measured& m = view.measured;
  const bool known = m.coverage && *m.coverage > 0;
  const auto if_counted = [&](std::size_t d, std::string text) { return holds(m.has, d) ? std::move(text) : std::string("-"); };
  const auto band = [&](std::size_t d) {
    return if_counted(d, fmt::format("{} ... {}", human_bytes(m.lower[d]), human_bytes(m.upper[d])));
  };
  map.values("1.1", "bytes", "");
  if (known) {
    map.text("1.1", "what may be its own", band(0), band(1), "", "discard ... double-count");
    map.text("1.1", "worst case error", if_counted(0, human_bytes(m.bound[0])), if_counted(1, human_bytes(m.bound[1])), "",
             "from the largest increment that overlaps it");
  }
  map.values("1.2", "ops", "");
  for (const auto& [id, stem] : {std::pair{"1.3", "bw"}, {"1.4", "iops"}}) {
    map.values(id, fmt::format("{}_max", stem), "max");
    map.values(id, fmt::format("{}_max_inner", stem), "max, increments inside the job");
    map.values(id, fmt::format("{}_mean", stem), "mean");
  }
  map.values("1.5", "opens", "open", {}, "files created need a trace");
  map.values("1.5", "closes", "close");
  map.values("1.5", "dirs", "readdir");
  map.values("1.5", "inode_updates", "inode updates");
  map.at_thresholds("1.6", "intensity");
  map.on_operations("1.6", "intensity");
  map.values("1.7", "metadata_ops", "");
  map.values("1.7", "metadata_rate_max", "max");
  map.values("1.7", "metadata_rate_mean", "mean");
}

std::string periods(const JobView& view) {
  if (view.dominating.empty()) return "-";
  std::string text;
  for (const Repetition& r : view.repetition)
    if (r.period)
      text += fmt::format("{}{} every {}", text.empty() ? "" : ", ", dominating_names[static_cast<std::size_t>(r.type)],
                          human_duration(Duration{static_cast<std::int64_t>(*r.period) * view.step}));
  return text.empty() ? "no" : "yes: " + text;
}

/// What 2.1 leaves out, where there is any: increments with bytes but no operations, of which no size is known.
void without_operations(Map& map, const JobView& view) {
  const RequestSizes& sizes = view.measured.swept.sizes;
  std::array<std::string, 2> bytes = {"-", "-"}, increments = {"-", "-"};
  bool any = false;
  for (std::size_t d = 0; d < 2; ++d) {
    const auto x = static_cast<Direction>(d);
    if (!rated(view.measured, Counter::read_bytes, x) || !rated(view.measured, Counter::read_ops, x)) continue;
    any = any || sizes.increments_without_ops[d] > 0;
    bytes[d] = human_bytes(sizes.bytes_without_ops[d]);
    increments[d] = human_count(sizes.increments_without_ops[d]);
  }
  if (!any) return;
  map.text("2.1", "left out: increments", increments[0], increments[1], "", "bytes, but no operations");
  map.text("2.1", "left out: bytes", bytes[0], bytes[1], "", "of these increments");
}

void patterns(Map& map, const Study& study, const JobView& view) {
  const std::string averages = fmt::format("averages over {}", human_duration(Duration{view.measured.sampling_step}));
  map.values("2.1", "mean_request", "mean", {}, averages);
  without_operations(map, view);
  for (std::size_t s = 0; s < study.options.small.size(); ++s)
    map.values("2.2", "small_fraction", fmt::format("s <= {}", human_bytes(static_cast<double>(study.options.small[s]))), {0, s}, averages);
  for (const auto& [column, detail] : {std::pair{"read_share_ops", "by operations"}, {"read_share_bytes", "by bytes"}}) {
    const Criterion& share = *criterion_with_id("2.4");
    for (const CriterionColumn& each : share.columns) {
      if (each.name != column) continue;
      const double read = each.value(view.measured, {}, Direction::total);
      map.text("2.4", detail, shown(read, Unit::fraction), shown(1 - read, Unit::fraction), "",
               std::isnan(read) && column == std::string_view("read_share_ops") ? why_no_types(view.measured) : "");
    }
  }
  std::array<std::size_t, 4> counts{};
  for (const Dominating type : view.dominating) ++counts[static_cast<std::size_t>(type)];
  const auto part = [&](Dominating type) {
    return view.dominating.empty()
               ? "-"
               : shown(static_cast<double>(counts[static_cast<std::size_t>(type)]) / static_cast<double>(view.dominating.size()),
                       Unit::fraction);
  };
  const bool operations = !view.dominating.empty();
  map.text("2.5", "part of the time", part(Dominating::read), part(Dominating::write), "",
           operations ? fmt::format("mixed {}, none {}", part(Dominating::mixed), part(Dominating::none)) : why_no_types(view.measured));
  map.text("2.8", "", "", "", "", "fathom timeline --job " + study.machine.jobs[view.job].id);
  map.at_thresholds("2.9", "burstiness");
  map.on_operations("2.9", "burstiness");
  map.text("2.11", "", "", "", periods(view), operations ? std::string(repetition_test) : why_no_types(view.measured));
}

/// 1.3 of single units: the fastest slot of any, and the mean of the one that moved most.
void of_one_unit(Map& map, const JobView& view, const std::array<double, 2>& fastest) {
  const Measured& m = view.measured;
  std::array<std::string, 2> max = {"-", "-"}, mean = {"-", "-"};
  for (std::size_t d = 0; d < 2; ++d) {
    if (!rated(m, Counter::read_bytes, static_cast<Direction>(d))) continue;
    double most = 0;
    for (const UnitTotals& unit : view.units) most = std::max(most, unit.totals[d]);
    max[d] = shown(fastest[d], Unit::bytes_per_second);
    mean[d] = shown(most / m.duration(), Unit::bytes_per_second);
  }
  map.text("1.3", "max of one unit", max[0], max[1], "", "of its units the one with the most");
  map.text("1.3", "mean of one unit", mean[0], mean[1], "", "of its units the one with the most");
}

void parallel(Map& map, const Study& study, const JobView& view) {
  map.at_thresholds("3.1", "parallel_intensity");
  map.on_operations("3.1", "parallel_intensity");
  std::array<std::uint32_t, direction_count> most{};
  std::array<double, 2> fastest{};  // bytes per second of one unit in one slot
  walk_slots(view.assembled.timeline, study.options.slot, study.options.thresholds.front(), [&](const Slot& slot) {
    for (std::size_t d = 0; d < direction_count; ++d) most[d] = std::max(most[d], slot.active[d]);
    for (std::size_t d = 0; d < 2; ++d) fastest[d] = std::max(fastest[d], slot.units[d].max * 1e6 / static_cast<double>(slot.length));
  });
  const auto of_units = [&](std::size_t d) {
    return counted(view.measured, Counter::read_bytes, static_cast<Direction>(d)) ? fmt::format("{} of {}", most[d], view.units.size())
                                                                                  : "-";
  };
  map.text("3.2", "most units at once", of_units(0), of_units(1), of_units(2),
           fmt::format("c = {}/s", human_bytes(static_cast<double>(study.options.thresholds.front()))));
  const auto extreme = [&](std::size_t f, bool largest) {
    std::optional<double> value;  // a server that does not count it has none
    for (const UnitTotals& unit : view.units)
      if (holds(unit.has, f))
        value = largest ? std::max(value.value_or(0), unit.totals[f]) : std::min(value.value_or(unit.totals[f]), unit.totals[f]);
    return value ? human_bytes(*value) : "-";
  };
  of_one_unit(map, view, fastest);
  map.text("3.3", "largest unit", extreme(0, true), extreme(1, true), "");
  map.text("3.3", "smallest unit", extreme(0, false), extreme(1, false), "");
}

void declaration(Map& map, const Criterion& criterion, const Annotations& declared) {
  const auto found = std::find_if(declared.begin(), declared.end(), [&](const auto& each) { return each.first == criterion.name; });
  const bool known = found != declared.end();
  map.rows.push_back({std::string(criterion.id), std::string(criterion.title), known ? "declared" : "", "", "", known ? found->second : "",
                      known ? "" : fmt::format("not declared: fathom annotate STORE --app NAME {}=...", criterion.name),
                      known ? MapRow::Kind::declared : MapRow::Kind::unavailable});
}

/// In the list of criteria.
std::size_t place_of(std::string_view id) {
  const auto all = all_criteria();
  return static_cast<std::size_t>(std::find_if(all.begin(), all.end(), [&](const Criterion* each) { return each->id == id; }) -
                                  all.begin());
}

}  // namespace

std::vector<MapRow> analysis_map(const Study& study, const JobView& view, const Annotations& declared) {
  Map map(study, view);
  aggregate(map, view);
  patterns(map, study, view);
  parallel(map, study, view);
  for (const Criterion* criterion : all_criteria()) {
    if (criterion->needs == needs_declaration)
      declaration(map, *criterion, declared);
    else if (!map.has(criterion->id))
      map.plain(*criterion);
  }
  std::stable_sort(map.rows.begin(), map.rows.end(), [](const MapRow& a, const MapRow& b) { return place_of(a.id) < place_of(b.id); });
  return map.rows;
}

}  // namespace fathom
