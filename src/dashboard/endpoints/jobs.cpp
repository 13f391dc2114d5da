// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "dashboard/job_filter.h"

namespace fathom::dashboard {
namespace {

constexpr std::uint64_t most_rows = 500;

/// The columns of a list, each null where it was not asked for or is not kept.
struct Columns {
  std::shared_ptr<const JobColumn> read, write, coverage, x, y;
};

Result<Columns> columns_for(const StoreMoment& moment, const Call& call, const std::optional<KeptSetting>& setting) {
  Columns columns;
  if (setting) {
    TRY(columns.read, moment.kept->column(*setting, "read_bytes"));
    TRY(columns.write, moment.kept->column(*setting, "write_bytes"));
    TRY(columns.coverage, moment.kept->column(*setting, "coverage"));
  }
  for (const auto& [name, place] : {std::pair("x", &columns.x), std::pair("y", &columns.y)}) {
    const auto text = call.text(name);
    if (!text) continue;
    TRY(const AskedValue asked, asked_value(*text));
    TRY(*place, column_of(moment, setting, asked));
  }
  return columns;
}

bool inside(const JobColumn* column, std::uint32_t row, std::optional<double> from, std::optional<double> to) {
  if (!from && !to) return true;
  if (column == nullptr || !std::isfinite(column->values[row])) return false;
  return column->values[row] >= from.value_or(-1e300) && column->values[row] <= to.value_or(1e300);
}

bool found_in(const JobTable& jobs, std::uint32_t row, const std::string& text) {
  return jobs.ids[row].find(text) != std::string::npos || jobs.users[jobs.user[row]].find(text) != std::string::npos ||
         jobs.names[jobs.name[row]].find(text) != std::string::npos;
}

/// What rows are sorted by; text columns by their order, so that all can be compared as numbers.
Result<std::vector<double>> sort_keys(const JobTable& jobs, const Columns& columns, const std::string& by) {
  const auto of = [](const std::shared_ptr<const JobColumn>& column, std::size_t size) {
    return column ? column->values : std::vector<double>(size, std::nan(""));
  };
  const auto ranks = [&](const std::vector<std::uint32_t>& places, const Words& words) {
    std::vector<std::uint32_t> order(words.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return words[a] < words[b]; });
    std::vector<double> rank(words.size()), keys(places.size());
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<double>(i);
    for (std::size_t row = 0; row < places.size(); ++row) keys[row] = rank[places[row]];
    return keys;
  };
  if (by == "start") return jobs.start;
  if (by == "end") return jobs.end;
  if (by == "user") return ranks(jobs.user, jobs.users);
  if (by == "name") return ranks(jobs.name, jobs.names);
  if (by == "read_bytes") return of(columns.read, jobs.size());
  if (by == "write_bytes") return of(columns.write, jobs.size());
  if (by == "coverage") return of(columns.coverage, jobs.size());
  if (by == "x") return of(columns.x, jobs.size());
  if (by == "y") return of(columns.y, jobs.size());
  std::vector<double> keys(jobs.size());
  for (std::uint32_t row = 0; row < jobs.size(); ++row)
    keys[row] = by == "nodes" ? static_cast<double>(jobs.nodes[row]) : jobs.duration(row);
  if (by == "nodes" || by == "duration") return keys;
  return Error{
      ErrorKind::usage,
      fmt::format("reading parameter sort: {} is none of start, end, duration, user, name, nodes, read_bytes, write_bytes, coverage, x, y",
                  excerpt(by))};
}

Result<Reply> answer(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  const JobTable& jobs = *moment->jobs;
  TRY(const std::optional<KeptSetting> setting, setting_for(*moment, call));
  TRY(const FilteredJobs chosen, filter_jobs(*moment, call, setting, "all"));
  TRY(const Columns columns, columns_for(*moment, call, setting));
  const std::string search = call.text_or("search", "");
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < jobs.size(); ++row)
    if (chosen.chosen[row] != 0 && inside(columns.x.get(), row, call.number("x_from"), call.number("x_to")) &&
        inside(columns.y.get(), row, call.number("y_from"), call.number("y_to")) && (search.empty() || found_in(jobs, row, search)))
      rows.push_back(row);
  std::string by = call.text_or("sort", "-start");
  const bool largest = by.starts_with('-');
  if (largest) by.erase(0, 1);
  TRY(const std::vector<double> keys, sort_keys(jobs, columns, by));
  const std::uint64_t offset = std::min<std::uint64_t>(call.whole("offset").value_or(0), rows.size()),
                      limit = call.whole_within("limit", 50, 1, most_rows);
  const std::uint64_t end = std::min<std::uint64_t>(rows.size(), offset + limit);
  // What has no value comes last, whichever way it is sorted.
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const bool has_a = std::isfinite(keys[a]), has_b = std::isfinite(keys[b]);
    if (has_a != has_b) return has_a;
    if (has_a && keys[a] != keys[b]) return largest ? keys[a] > keys[b] : keys[a] < keys[b];
    return a < b;
  };
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(end), rows.end(), before);
  Json list{{"total", rows.size()}, {"offset", offset}, {"rows", Json::array()}};
  for (std::uint64_t i = offset; i < end; ++i)
    list["rows"].push_back(
        job_row(jobs, rows[i], columns.read.get(), columns.write.get(), columns.coverage.get(), columns.x.get(), columns.y.get()));
  return json_reply(list);
}

constexpr std::array own = {
    Parameter{"x", "a value to show and to choose by: bytes.read, nodes, ..."},
    Parameter{"y", "another"},
    Parameter{"x_from", "only jobs with an x of at least this", Parameter::Kind::number},
    Parameter{"x_to", "and at most this", Parameter::Kind::number},
    Parameter{"y_from", "the same for y", Parameter::Kind::number},
    Parameter{"y_to", "the same for y", Parameter::Kind::number},
    Parameter{"search", "a part of the id, the user or the name"},
    Parameter{"sort",
              "start, end, duration, user, name, nodes, read_bytes, write_bytes, coverage, x or y; with - in front the largest first "
              "(default -start)"},
    Parameter{"offset", "rows to pass over", Parameter::Kind::whole},
    Parameter{"limit", "rows at most (default 50, 500 at most)", Parameter::Kind::whole},
};
constexpr auto parameters = together(own, filter_parameters);

}  // namespace

namespace endpoints {
extern const Endpoint jobs;
constinit const Endpoint jobs{.method = "GET",
                              .path = "/stores/{store}/jobs",
                              .summary = "Jobs, filtered, sorted, a page at a time",
                              .answers = "JobList",
                              .parameters = parameters,
                              .answer = answer,
                              .version = store_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
