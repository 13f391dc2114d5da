// SPDX-License-Identifier: Apache-2.0
#include "cli/competition_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/competition_text.h"

namespace fathom {
namespace {

using namespace sharing;

Cell seconds_cell(double seconds, bool for_people) { return for_people ? cell(seconds_text(seconds)) : cell(seconds); }
Cell moment_cell(double moment, bool for_people) { return for_people ? cell(moment_text(moment)) : cell(moment); }
Cell seconds_cell(const std::optional<double>& seconds, bool for_people) { return seconds ? seconds_cell(*seconds, for_people) : Cell{}; }
Cell optional_cell(const std::optional<double>& value) { return value ? cell(*value) : Cell{}; }

Cell error_cell(double predicted, const std::optional<double>& observed, bool for_people) {
  if (!observed) return {};
  const double error = relative_error(predicted, *observed);
  return for_people ? cell(signed_percent(error)) : cell(error);
}

void drop_column(Table& table, std::string_view name) {
  const auto at = std::find_if(table.columns.begin(), table.columns.end(), [&](const TableColumn& column) { return column.name == name; }) -
                  table.columns.begin();
  table.columns.erase(table.columns.begin() + at);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

/// For people: a column in which nobody has anything is left out.
void drop_empty_columns(Table& table) {
  for (std::size_t i = table.columns.size(); i-- > 0;)
    if (std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return std::holds_alternative<std::monostate>(row[i]); }))
      drop_column(table, table.columns[i].name);
}

/// Something that an application has before and after a change.
struct Aspect {
  const char* name;
  Quantity quantity;
  bool always;      // shown to people even if nobody's changed
  bool difference;  // in seconds
  Cell (*of)(const Predicted&, std::size_t, bool for_people);
};

constexpr Aspect aspects[] = {
    {"processes", Quantity::count, false, false,
     [](const Predicted& in, std::size_t i, bool) { return cell(in.scenario.applications[i].processes); }},
    {"nodes", Quantity::count, false, false,
     [](const Predicted& in, std::size_t i, bool) {
       return in.scenario.applications[i].nodes ? cell(*in.scenario.applications[i].nodes) : Cell{};
     }},
    {"volume", Quantity::bytes, false, false,
     [](const Predicted& in, std::size_t i, bool) { return optional_cell(in.scenario.applications[i].volume); }},
    {"start", Quantity::real, false, false,
     [](const Predicted& in, std::size_t i, bool brief) { return moment_cell(in.scenario.applications[i].start, brief); }},
    {"standalone", Quantity::real, false, false,
     [](const Predicted& in, std::size_t i, bool brief) { return seconds_cell(in.prediction.standalone[i], brief); }},
    {"concurrent", Quantity::real, true, true,
     [](const Predicted& in, std::size_t i, bool brief) { return seconds_cell(in.prediction.concurrent(i), brief); }},
    {"end", Quantity::real, true, true,
     [](const Predicted& in, std::size_t i, bool brief) {
       return moment_cell(in.prediction.course.origin + in.prediction.course.turns[i].end, brief);
     }},
};

Cell difference_cell(const Cell& before, const Cell& after, bool for_people) {
  if (!std::holds_alternative<double>(before) || !std::holds_alternative<double>(after)) return {};
  const double difference = std::get<double>(after) - std::get<double>(before);
  return for_people ? cell(difference_text(difference)) : cell(difference);
}

}  // namespace

Table prediction_table(const Scenario& scenario, const Prediction& prediction, bool for_people) {
  Table table{{{"application"},
               {"processes", Quantity::count},
               {"volume", Quantity::bytes},
               {"start", Quantity::real},
               {"standalone", Quantity::real},
               {"concurrent", Quantity::real},
               {"observed", Quantity::real},
               {"relative_error", Quantity::real}},
              {}};
  if (for_people) table.columns.insert(table.columns.begin() + 6, {{"slowdown", Quantity::real}, {"mean_rate", Quantity::bandwidth}});
  for (std::size_t i = 0; i < scenario.applications.size(); ++i) {
    const Application& each = scenario.applications[i];
    const double concurrent = prediction.concurrent(i);
    auto& row = table.rows.emplace_back(
        std::vector<Cell>{cell(each.name), cell(each.processes), optional_cell(each.volume), moment_cell(each.start, for_people),
                          seconds_cell(prediction.standalone[i], for_people), seconds_cell(concurrent, for_people)});
    if (for_people) {
      row.push_back(cell(fmt::format("{:.2f} x", prediction.slowdown(i))));
      row.push_back(each.volume ? cell(*each.volume / concurrent) : Cell{});
    }
    row.push_back(seconds_cell(each.observed, for_people));
    row.push_back(error_cell(concurrent, each.observed, for_people));
  }
  if (for_people) drop_empty_columns(table);
  return table;
}

Table segments_table(const Scenario& scenario, const Prediction& prediction, std::size_t application, bool for_people) {
  Table table{
      {{"application"}, {"begin", Quantity::real}, {"end", Quantity::real}, {"share", Quantity::fraction}, {"rate", Quantity::bandwidth}},
      {}};
  const Application& each = scenario.applications[application];
  for (const Segment& segment : prediction.course.segments_of(application))
    table.rows.push_back({cell(each.name), moment_cell(prediction.course.origin + segment.begin, for_people),
                          moment_cell(prediction.course.origin + segment.end, for_people), cell(segment.share(scenario.weight(each))),
                          optional_cell(rate(scenario, each, segment))});
  return table;
}

Table standalone_table(const Scenario& scenario, const std::vector<double>& inferred, bool for_people) {
  Table table{{{"application"},
               {"processes", Quantity::count},
               {"start", Quantity::real},
               {"observed", Quantity::real},
               {"inferred", Quantity::real},
               {"standalone", Quantity::real},
               {"relative_error", Quantity::real}},
              {}};
  for (std::size_t i = 0; i < scenario.applications.size(); ++i) {
    const Application& each = scenario.applications[i];
    table.rows.push_back({cell(each.name), cell(each.processes), moment_cell(each.start, for_people),
                          seconds_cell(each.observed, for_people), seconds_cell(inferred[i], for_people),
                          seconds_cell(each.standalone, for_people), error_cell(inferred[i], each.standalone, for_people)});
  }
  if (for_people) drop_empty_columns(table);
  return table;
}

Table what_if_table(const Predicted& before, const Predicted& after, bool for_people) {
  const auto& left = before.scenario.applications;
  std::vector<std::size_t> now(left.size(), after.scenario.applications.size());  // the same application afterwards, or the end
  // Changes keep the order; one that is gone is passed over.
  for (std::size_t i = 0, j = 0; i < left.size() && j < after.scenario.applications.size(); ++i)
    if (left[i].name == after.scenario.applications[j].name) now[i] = j++;
  Table table{{{"application"}}, {}};
  for (const Application& each : left) table.rows.push_back({cell(each.name)});
  for (const Aspect& aspect : aspects) {
    bool changed = aspect.always || !for_people;
    std::vector<std::vector<Cell>> cells;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const bool stays = now[i] < after.scenario.applications.size();
      const Cell was = aspect.of(before, i, false), is = stays ? aspect.of(after, now[i], false) : Cell{};
      changed = changed || (stays && was != is);
      auto& row =
          cells.emplace_back(std::vector<Cell>{aspect.of(before, i, for_people), stays ? aspect.of(after, now[i], for_people) : Cell{}});
      if (aspect.difference) row.push_back(difference_cell(was, is, for_people));
    }
    if (!changed) continue;
    const std::string name = aspect.name;
    table.columns.push_back({for_people ? name : name + "_before", aspect.quantity});
    table.columns.push_back({for_people ? "what if" : name + "_after", aspect.quantity});
    if (aspect.difference) table.columns.push_back({for_people ? "change" : name + "_difference", aspect.quantity});
    for (std::size_t i = 0; i < left.size(); ++i) table.rows[i].insert(table.rows[i].end(), cells[i].begin(), cells[i].end());
  }
  return table;
}

}  // namespace fathom
