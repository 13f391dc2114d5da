// SPDX-License-Identifier: Apache-2.0
#include "dashboard/job_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace fathom::dashboard {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double value_at(const JobColumn* column, std::uint32_t row) { return column != nullptr ? column->values[row] : none; }

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

/// What jobs do, as criteria tell it.
struct Doing {
  std::shared_ptr<const JobColumn> read_bytes, read_ops, write_bytes, write_ops, coverage, units;

  static Result<Doing> of(const StoreMoment& moment, const KeptSetting& setting) {
    Doing doing;
    for (const auto& [name, place] : {std::pair("read_bytes", &doing.read_bytes),
                                      {"read_ops", &doing.read_ops},
                                      {"write_bytes", &doing.write_bytes},
                                      {"write_ops", &doing.write_ops},
                                      {"coverage", &doing.coverage},
                                      {"units", &doing.units}}) {
      TRY(*place, moment.kept->column(setting, name));
    }
    return doing;
  }
};

}  // namespace

Result<std::optional<KeptSetting>> setting_for(const StoreMoment& moment, const Call& call) {
  TRY(const std::vector<KeptSetting> all, moment.kept->settings());
  const auto link = call.text("link"), filesystem = call.text("filesystem");
  const std::uint64_t threshold = call.whole("threshold").value_or(1u << 20), small = call.whole("small").value_or(4096);
  // The first is of the link with most jobs, unless somebody says otherwise.
  std::optional<KeptSetting> best;
  for (const KeptSetting& each : all) {
    if ((link && each.link != *link) || each.filesystem != filesystem.value_or("")) continue;
    if (best && (each.link != best->link || std::pair(distance(each.threshold, threshold), distance(each.small, small)) >=
                                                std::pair(distance(best->threshold, threshold), distance(best->small, small))))
      continue;
    best = each;
  }
  return best;
}

Result<FilteredJobs> filter_jobs(const StoreMoment& moment, const Call& call, const std::optional<KeptSetting>& setting,
                                 std::string_view io_default) {
  const JobTable& jobs = *moment.jobs;
  const std::string io = call.text_or("io", io_default);
  if (io != "any" && io != "both" && io != "all")
    return Error{ErrorKind::usage, fmt::format("reading parameter io: {} is neither any, both nor all", excerpt(io))};
  FilteredJobs result;
  result.chosen.assign(jobs.size(), 0);
  std::optional<Doing> doing;
  if (setting && io != "all") {
    TRY(doing, Doing::of(moment, *setting));
  }
  const double min_runtime = call.number("min_runtime").value_or(0), max_runtime = call.number("max_runtime").value_or(1e300);
  const std::uint64_t min_nodes = call.whole("min_nodes").value_or(0), max_nodes = call.whole("max_nodes").value_or(UINT64_MAX);
  const double from = call.number("from").value_or(-1e300), to = call.number("to").value_or(1e300);
  const auto user = call.text("user"), name = call.text("name");
  const std::uint32_t user_place = user ? jobs.users.find(*user) : 0, name_place = name ? jobs.names.find(*name) : 0;
  enum Reason : std::size_t { running, shorter, longer, nodes, other, no_criteria, not_measured, no_io, one_way, reasons };
  std::array<std::uint64_t, reasons> left{};
  for (std::uint32_t row = 0; row < jobs.size(); ++row) {
    const double duration = jobs.duration(row);
    if ((user && jobs.user[row] != user_place) || (name && jobs.name[row] != name_place) || jobs.start[row] < from ||
        jobs.start[row] >= to) {
      ++left[other];
    } else if (std::isnan(duration) && io != "all") {
      ++left[running];
    } else if (duration < min_runtime) {
      ++left[shorter];
    } else if (duration > max_runtime) {
      ++left[longer];
    } else if (jobs.nodes[row] < min_nodes || jobs.nodes[row] > max_nodes) {
      ++left[nodes];
    } else if (io == "all") {
      result.chosen[row] = 1, ++result.count;
    } else if (!doing || std::isnan(doing->units->values[row])) {
      ++left[no_criteria];
    } else {
      const double coverage = doing->coverage->values[row];
      const bool reads = doing->read_bytes->values[row] > 0 || doing->read_ops->values[row] > 0,
                 writes = doing->write_bytes->values[row] > 0 || doing->write_ops->values[row] > 0;
      if (coverage <= 0)
        ++left[not_measured];
      else if (!reads && !writes)
        ++left[no_io];
      else if (io == "both" && !(reads && writes))
        ++left[one_way];
      else
        result.chosen[row] = 1, ++result.count;
    }
  }
  const std::array<std::string, reasons> names = {"still running",
                                                  fmt::format("shorter than {:g} s", min_runtime),
                                                  fmt::format("longer than {:g} s", max_runtime),
                                                  "other number of nodes",
                                                  "of others, or at another time",
                                                  "no criteria are kept",
                                                  "not measured",
                                                  "no I/O",
                                                  "only reads or only writes"};
  for (std::size_t i = 0; i < reasons; ++i)
    if (left[i] > 0) result.left_out.push_back({names[i], left[i]});
  return result;
}

Result<AskedValue> asked_value(std::string_view text) {
  const std::string_view key = text.substr(0, text.find('.')),
                         direction = key.size() == text.size() ? std::string_view{} : text.substr(key.size() + 1);
  for (const JobValue& value : job_values()) {
    if (value.key != key) continue;
    if (!value.per_direction() && direction.empty()) return AskedValue{&value, Direction::read, {}};
    for (std::size_t d = 0; value.per_direction() && d < direction_count; ++d)
      if (direction_names[d] == direction) return AskedValue{&value, static_cast<Direction>(d), {}};
    return Error{ErrorKind::usage, fmt::format("reading the value {}: {}", excerpt(text),
                                               value.per_direction() ? "it needs .read, .write or .total" : "it has no direction")};
  }
  return Error{ErrorKind::usage,
               fmt::format("reading the value {}: there is no such value; /stores/STORE/values lists all", excerpt(text))};
}

Result<std::shared_ptr<const JobColumn>> column_of(const StoreMoment& moment, const std::optional<KeptSetting>& setting,
                                                   const AskedValue& asked) {
  const JobTable& jobs = *moment.jobs;
  const std::string name = fmt::format("{}{}{}", asked.direction_name(), asked.value->per_direction() ? "_" : "", asked.value->column);
  const KeptSetting unset{};
  if (!asked.value->column.empty() && !setting) {
    auto empty = std::make_shared<JobColumn>();
    empty->values.assign(jobs.size(), none);
    return std::shared_ptr<const JobColumn>(std::move(empty));
  }
  if (asked.value->plain()) return moment.kept->column(*setting, name);
  return moment.kept->made(setting.value_or(unset), fmt::format("{}.{}", asked.value->key, asked.direction_name()),
                           [&](KeptValues& kept) -> Result<std::vector<double>> {
                             std::shared_ptr<const JobColumn> from, units;
                             if (!asked.value->column.empty()) {
                               TRY(from, kept.column(*setting, name));
                               TRY(units, kept.column(*setting, "units"));
                             }
                             std::vector<double> values(jobs.size());
                             for (std::uint32_t row = 0; row < jobs.size(); ++row)
                               values[row] = asked.value->made(value_at(from.get(), row),
                                                               {jobs.nodes[row] > 0 ? static_cast<double>(jobs.nodes[row]) : none,
                                                                value_at(units.get(), row), jobs.duration(row)});
                             return values;
                           });
}

Json job_row(const JobTable& jobs, std::uint32_t row, const JobColumn* read, const JobColumn* write, const JobColumn* coverage,
             const JobColumn* x, const JobColumn* y) {
  return {{"job_id", jobs.ids[row]},
          {"user", jobs.users[jobs.user[row]]},
          {"name", jobs.names[jobs.name[row]]},
          {"nodes", jobs.nodes[row] > 0 ? Json(jobs.nodes[row]) : Json(nullptr)},
          {"start", jobs.start[row]},
          {"end", number_or_null(jobs.end[row])},
          {"read_bytes", number_or_null(value_at(read, row))},
          {"write_bytes", number_or_null(value_at(write, row))},
          {"coverage", number_or_null(value_at(coverage, row))},
          {"x", number_or_null(value_at(x, row))},
          {"y", number_or_null(value_at(y, row))}};
}

}  // namespace fathom::dashboard
