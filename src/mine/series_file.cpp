// SPDX-License-Identifier: Apache-2.0
#include "mine/series_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/csv.h"
#include "base/text.h"

namespace fathom {
namespace {

constexpr std::size_t most_slots = 100'000'000;
constexpr double largest_value = 1e21;

struct Row {
  Time t = no_time;
  double value = unknown_amount;
};

class SeriesRows {
 public:
  SeriesRows(LineInput& input, const SeriesFileOptions& options) : input_(input), options_(options) {}

  Result<std::vector<Row>> read() {
    Result<void> outcome;
    TRY_VOID(input_.for_each_line([&](std::string_view line, std::uint64_t number) {
      if (trim(line).empty()) return true;
      outcome = take(line, number);
      return outcome.has_value();
    }));
    TRY_VOID(std::move(outcome));
    if (rows_.empty()) return Error{ErrorKind::malformed, fmt::format("reading a series: there are no values ({})", input_.path())};
    return std::move(rows_);
  }

 private:
  Error wrong(std::string what, std::uint64_t line) const {
    return {ErrorKind::malformed, fmt::format("reading a series: {} ({}:{})", what, input_.path(), line)};
  }

  Result<void> take(std::string_view line, std::uint64_t number) {
    if (const char* trouble = record_.split(line)) return wrong(trouble, number);
    const auto fields = record_.fields();
    if (!begun_) {
      begun_ = true;
      const bool header = !parse_double(trim(fields[0])).has_value() && !parse_iso8601(trim(fields[0]));
      if (header) return take_header(fields, number);
      if (fields.size() == 1) columns_ = {no_column, 0, no_column};
    }
    if (columns_[0] == no_column && options_.step <= 0) return wrong("values without times need --step", number);
    Row row;
    if (columns_[0] != no_column) TRY_VOID(time_of(fields, number, row.t));
    TRY_VOID(value_of(fields, number, row.value));
    rows_.push_back(row);
    return {};
  }

  // t,length,read_bytes,write_bytes,... or t,value
  Result<void> take_header(std::span<const std::string_view> fields, std::uint64_t number) {
    const std::string_view wanted[] = {"t", options_.column.empty() ? std::string_view("value") : std::string_view(options_.column),
                                       "read_bytes", "write_bytes"};
    const auto found = find_columns(fields, wanted);
    columns_ = {found[0], found[1], no_column};
    if (found[1] == no_column && options_.column.empty()) columns_ = {found[0], found[2], found[3]};
    if (fields.size() == 1 && options_.column.empty()) columns_[1] = found[0] == no_column ? 0 : columns_[1];
    if (columns_[1] == no_column)
      return wrong(options_.column.empty()
                       ? "the header has neither `value` nor `read_bytes` and `write_bytes`; name a column with --column"
                       : fmt::format("the header has no column `{}`", options_.column),
                   number);
    return {};
  }

  Result<void> time_of(std::span<const std::string_view> fields, std::uint64_t number, Time& t) const {
    const std::string_view text = columns_[0] < fields.size() ? trim(fields[columns_[0]]) : std::string_view{};
    if (const auto unix_time = parse_unix_seconds(text)) return t = *unix_time, Result<void>{};
    if (const auto iso = parse_iso8601(text)) return t = iso->in(Zone{}), Result<void>{};
    return wrong(fmt::format("'{}' is no time (Unix seconds or ISO 8601)", excerpt(text, 40)), number);
  }

  Result<void> value_of(std::span<const std::string_view> fields, std::uint64_t number, double& value) const {
    for (const std::size_t column : {columns_[1], columns_[2]}) {
      if (column == no_column) continue;
      const std::string_view text = column < fields.size() ? trim(fields[column]) : std::string_view{};
      if (text.empty()) continue;  // not measured
      const auto number_read = parse_double(text);
      if (!number_read) return wrong(fmt::format("'{}' is no number", excerpt(text, 40)), number);
      if (!(std::abs(*number_read) <= largest_value))
        return wrong(fmt::format("{} is beyond {:g}", excerpt(text, 40), largest_value), number);
      value = std::isnan(value) ? *number_read : value + *number_read;
    }
    return {};
  }

  LineInput& input_;
  const SeriesFileOptions& options_;
  CsvRecord record_;
  bool begun_ = false;
  std::array<std::size_t, 3> columns_{0, 1, no_column};  // time, value, and what is added to it
  std::vector<Row> rows_;
};

/// The usual distance of successive rows; zero where no two differ.
Duration usual_distance(const std::vector<Row>& rows) {
  std::vector<Duration> distances;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].t > rows[i - 1].t) distances.push_back(rows[i].t - rows[i - 1].t);
  if (distances.empty()) return {};
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

}  // namespace

Result<SeriesFile> read_series_file(const std::string& path, const SeriesFileOptions& options) {
  TRY(LineInput input, LineInput::open(path));
  return read_series_file(input, options);
}

Result<SeriesFile> read_series_file(LineInput& input, const SeriesFileOptions& options) {
  const std::string& path = input.path();
  TRY(const std::vector<Row> rows, SeriesRows(input, options).read());
  SeriesFile file;
  file.rows = rows.size();
  TrafficSeries& series = file.series;
  series.step = Duration{static_cast<std::int64_t>(options.step * 1e6)};
  if (rows.front().t == no_time) {
    series.start = time_from_seconds(0);
    for (const Row& row : rows) series.amounts.push_back(row.value);
    return file;
  }
  if (series.step.count() == 0) series.step = usual_distance(rows);
  if (series.step.count() == 0)
    return Error{ErrorKind::malformed, fmt::format("reading a series: one time alone has no step; give --step ({})", path)};
  const auto [first, last] = std::minmax_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.t < b.t; });
  series.start = first->t;
  const auto slots = (static_cast<double>((last->t - first->t).count()) / static_cast<double>(series.step.count())) + 1;
  if (slots > static_cast<double>(most_slots))
    return Error{ErrorKind::malformed,
                 fmt::format("reading a series: from {} to {} in steps of {:g} s are too many slots; is a clock wrong? ({})",
                             format_iso8601(first->t), format_iso8601(last->t), seconds(series.step), path)};
  series.amounts.assign(static_cast<std::size_t>(slots + 0.5), unknown_amount);
  // With a longer step than the file's, several rows belong to a slot on purpose.
  const bool adds = options.step > 0 && series.step > usual_distance(rows);
  std::vector<std::uint8_t> taken(series.amounts.size(), 0);
  for (const Row& row : rows) {
    const double place = static_cast<double>((row.t - series.start).count()) / static_cast<double>(series.step.count());
    const std::size_t slot = std::min(static_cast<std::size_t>(adds ? place : place + 0.5), series.amounts.size() - 1);
    if (taken[slot] != 0 && !adds) {
      ++file.left_out;
      continue;
    }
    series.amounts[slot] = taken[slot] != 0 ? series.amounts[slot] + row.value : row.value;
    taken[slot] = 1;
  }
  return file;
}

}  // namespace fathom
