// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

constexpr std::size_t most_columns = 1u << 16;
constexpr std::size_t most_cells = 1u << 22;  // of one query; it is held until its last table was read

/// What one sensor of the performance monitor counts, under which names.
struct Sensor {
  std::string_view name;
  std::size_t words;        // of a key: host|GPFSFilesystem|cluster|file system|metric has 5
  std::string_view prefix;  // of its metrics
};
constexpr Sensor sensors[] = {{"GPFSFilesystem", 5, "gpfs_fs_"}, {"GPFSFilesystemAPI", 5, "gpfs_fis_"}, {"GPFSNSDDisk", 4, "gpfs_nsdds_"}};

constexpr std::pair<std::string_view, Counter> metrics[] = {
    {"bytes_read", Counter::read_bytes}, {"bytes_written", Counter::write_bytes},
    {"read_ops", Counter::read_ops},     {"write_ops", Counter::write_ops},
    {"read_calls", Counter::read_ops},   {"write_calls", Counter::write_ops},
    {"open_calls", Counter::opens},      {"close_calls", Counter::closes},
    {"readdir_calls", Counter::dirs},    {"inodes_written", Counter::inode_updates}};

/// ` 5: nsd12|GPFSFilesystem|cluster|project2|gpfs_fs_bytes_read`: number and key, or nothing.
std::optional<std::pair<std::uint64_t, std::string_view>> legend_entry(std::string_view line) {
  std::string_view rest = line;
  const auto number = parse_u64(trim(take_until(rest, ':')));
  const std::string_view key = trim(rest);
  if (!number || *number == 0 || key.find('|') == std::string_view::npos) return std::nullopt;
  return std::pair{*number, key};
}

/// One column of the tables: which counter of which series, and the metric's name as tables repeat it.
struct Column {
  std::string metric;
  std::size_t place = SIZE_MAX;  // in the query's series; SIZE_MAX: not taken
  std::size_t counter = 0;
};

struct Series {
  SeriesId id = 0;
  const Sensor* sensor = nullptr;
  CounterMask taken = 0;
};

/// One output of `mmperfmon query`: its legend, and the tables that follow. Wide ones are cut into several tables, so that a series'
/// counters of one moment stand far apart: everything is held until the query's end.
class Query {
 public:
  Query(const ReadOptions& options, Harvest& harvest) : options_(options), harvest_(harvest) {}

  void legend(std::uint64_t number, std::string_view key, std::uint64_t line, std::string_view text) {
    if (number != columns_.size() + 1 || columns_.size() >= most_columns)
      return harvest_.reject(line, text, "a legend whose numbers do not follow each other");
    columns_.push_back(column_of(key));
  }

  /// `Row           Timestamp gpfs_fs_read_ops gpfs_fs_read_ops`: columns go on where the table before ended.
  void heading(std::string_view rest, std::uint64_t line, std::string_view text) {
    first_ += width_;
    width_ = 0;
    rows_at_.clear();
    last_time_ = no_time;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest), ++width_) {
      const std::size_t column = first_ + width_;
      if (column >= columns_.size() || columns_[column].metric != word) {
        first_ = columns_.size();
        width_ = 0;
        return harvest_.reject(line, text, "a table whose columns are not those of the legend");
      }
    }
  }

  /// `  1 2019-01-08-13:00:00                0             1144`, after the row's number.
  void row(std::string_view stamp, std::string_view rest, std::uint64_t line, std::string_view text) {
    const auto time = read_time(stamp);
    if (!time) return harvest_.reject(line, text, "a time that is not YYYY-MM-DD-hh:mm:ss");
    cells_.clear();
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
      const bool is_unit = !cells_.empty() && word != "null" && word.find_first_of("0123456789") == std::string_view::npos;
      if (is_unit)
        cells_.back().second = word;
      else
        cells_.emplace_back(word, std::string_view{});
    }
    if (width_ == 0 || cells_.size() != width_)
      return harvest_.reject(line, text, fmt::format("{} values where the table has {} columns", cells_.size(), width_));
    if (held_ + width_ > most_cells) return harvest_.reject(line, text, "more values than one query may have");
    held_ += width_;
    const std::uint32_t turn = rows_at_[*time]++;
    for (std::size_t i = 0; i < width_; ++i) {
      const Column& column = columns_[first_ + i];
      if (column.place != SIZE_MAX) cell(column, {*time, turn}, cells_[i], line, text);
    }
    times_.push_back(*time);
    last_time_ = *time;
  }

  /// Hands over what was read; the next legend begins another query.
  void end() {
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    std::optional<Duration> step = options_.step;
    for (std::size_t i = 1; !options_.step && i < times_.size(); ++i)
      step = std::min(step.value_or(Duration::max()), times_[i] - times_[i - 1]);
    if (!step && !samples_.empty())
      harvest_.notice("a single row does not tell the length of its bucket: it is left out (--step gives it)");
    for (auto& [key, sample] : samples_) {
      if (step) sample.since = sample.t - *step;
      harvest_.sample(sample);
    }
    columns_.clear();
    series_.clear();
    place_of_.clear();
    samples_.clear();
    rows_at_.clear();
    last_time_ = no_time;
    times_.clear();
    first_ = width_ = held_ = 0;
  }

 private:
  Column column_of(std::string_view key) {
    std::vector<std::string_view> words;
    for (std::string_view rest = key; !rest.empty() && words.size() <= 8;) words.push_back(take_until(rest, '|'));
    Column column{std::string(words.back()), SIZE_MAX, 0};
    for (const Sensor& sensor : sensors)
      if (words.size() == sensor.words && words[1] == sensor.name && column.metric.starts_with(sensor.prefix)) {
        const auto* const known = std::find_if(std::begin(metrics), std::end(metrics),
                                               [&](const auto& m) { return column.metric.substr(sensor.prefix.size()) == m.first; });
        if (known == std::end(metrics) || words[0].empty() || words[words.size() - 2].empty()) break;
        return taken_column(std::move(column), sensor, words, index(known->second));
      }
    harvest_.leave_out("column of another metric");
    return column;
  }

  Column taken_column(Column column, const Sensor& sensor, const std::vector<std::string_view>& words, std::size_t counter) {
    const bool disk = sensor.words == 4;
    const SeriesId id = disk ? harvest_.series(fmt::format("{}:{}", words[0], words[2]), "") : harvest_.series(words[0], words[3]);
    const auto [at, added] = place_of_.try_emplace(id, series_.size());
    if (added) series_.push_back({id, &sensor, 0});
    Series& series = series_[at->second];
    if (series.sensor != &sensor || holds(series.taken, counter)) {
      harvest_.leave_out("column of what another one tells already");
      return column;
    }
    series.taken |= static_cast<CounterMask>(1u << counter);
    column.place = at->second;
    column.counter = counter;
    return column;
  }

  std::optional<Time> read_time(std::string_view stamp) {
    if (stamp.size() < 19 || stamp[10] != '-') return std::nullopt;
    std::string text(stamp);
    text[10] = 'T';
    const auto reading = parse_iso8601(text);
    if (!reading || reading->offset_seconds) return std::nullopt;
    if (!options_.timezone) harvest_.notice("times carry no zone: taken as UTC (--timezone to change)");
    const Zone zone = options_.timezone.value_or(Zone{});
    const Time time = reading->in(zone);
    // Rows ascend: an hour that happens twice goes on where the row before ended.
    const auto again = last_time_ != no_time && time <= last_time_ ? reading->again_in(zone) : std::nullopt;
    return again && *again > last_time_ ? *again : time;
  }

  /// A row's moment, and which of the table's rows of that moment it is: wide tables repeat them all, in the same order.
  struct Moment {
    Time time;
    std::uint32_t turn;
    auto operator<=>(const Moment&) const = default;
  };

  void cell(const Column& column, Moment moment, std::pair<std::string_view, std::string_view> value, std::uint64_t line,
            std::string_view text) {
    if (value.first == "null") return harvest_.leave_out("value that was not measured (null)");
    const auto amount = value.second.empty() ? parse_u64(value.first) : rounded(value.first, value.second);
    if (!amount) return harvest_.reject(line, text, fmt::format("{} is not a whole number: '{}'", column.metric, excerpt(value.first, 30)));
    Sample& sample = samples_[{column.place, moment}];
    sample.t = moment.time;
    sample.series = series_[column.place].id;
    sample.traits = per_interval;
    sample.has |= static_cast<CounterMask>(1u << column.counter);
    sample.values[column.counter] = *amount;
  }

  /// `1.7 kB`: as the command shows some metrics unless it is asked for raw values.
  std::optional<std::uint64_t> rounded(std::string_view number, std::string_view unit) {
    constexpr std::string_view units[] = {"B", "kB", "MB", "GB", "TB"};
    const auto* const found = std::find(std::begin(units), std::end(units), unit);
    const auto value = parse_double(number);
    if (found == std::end(units) || !value || !(*value >= 0) || !(*value < 1e6)) return std::nullopt;
    harvest_.notice("values have units: mmperfmon rounded them");
    return static_cast<std::uint64_t>(std::llround(std::ldexp(*value, static_cast<int>(10 * (found - std::begin(units))))));
  }

  const ReadOptions& options_;
  Harvest& harvest_;
  std::vector<Column> columns_;
  std::vector<Series> series_;
  std::map<SeriesId, std::size_t> place_of_;
  std::map<std::pair<std::size_t, Moment>, Sample> samples_;
  std::map<Time, std::uint32_t> rows_at_;  // of the current table
  Time last_time_ = no_time;               // of its rows
  std::vector<Time> times_;
  std::vector<std::pair<std::string_view, std::string_view>> cells_;  // of one row: value, unit
  std::size_t first_ = 0, width_ = 0, held_ = 0;                      // columns of the current table; values held in all
};

Result<void> read_queries(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  Query query(options, harvest);
  std::uint64_t lines = 0;
  bool in_legend = false;
  auto status = input.for_each_line([&](std::string_view text, std::uint64_t number) {
    ++lines;
    std::string_view rest = text;
    const std::string_view first = take_word(rest);
    const std::uint64_t line = number + options.first_line - 1;
    if (first.empty()) return true;
    if (first == "Legend:") {
      query.end();
      in_legend = true;
    } else if (const auto entry = in_legend ? legend_entry(text) : std::nullopt) {
      query.legend(entry->first, entry->second, line, text);
    } else if (first == "Row") {
      in_legend = false;
      take_word(rest);  // Timestamp
      query.heading(rest, line, text);
    } else if (parse_u64(first)) {
      const std::string_view stamp = take_word(rest);
      query.row(stamp, rest, line, text);
    } else {
      harvest.leave_out("line that is no row of a table");
    }
    return true;
  });
  query.end();
  harvest.lines(lines);
  return status;
}

bool recognises(std::string_view text, std::string_view) {
  bool legend = false;
  while (!text.empty()) {
    const std::string_view line = trim(take_until(text, '\n'));
    if (line.empty()) continue;
    if (legend) return legend_entry(line).has_value();
    if (line != "Legend:") return false;
    legend = true;
  }
  return false;
}

}  // namespace

extern const Reader mmperfmon;
constinit const Reader mmperfmon{
    .name = "mmperfmon",
    .summary = "GPFS / Storage Scale: output of mmperfmon query",
    .details =
        "What `mmperfmon query` prints of the performance monitor (ZIMon): a legend that names every column, and a table. Wide tables are "
        "cut into several, each with the next columns of the legend; they are put together again. Taken are bytes and operations of "
        "`GPFSFilesystem` (`gpfs_fs_*`), bytes, calls and inode updates of `GPFSFilesystemAPI` (`gpfs_fis_*`), and bytes and operations of "
        "`GPFSNSDDisk` (`gpfs_nsdds_*`); other metrics are left out and counted. The server is the host, the file system the one of the "
        "legend; of a disk the server is `HOST:DISK`, without a file system. If one file has a file system both of `GPFSFilesystem` and of "
        "`GPFSFilesystemAPI`, the first one of the legend is taken: both count the same traffic, at the disks and at the programs.\n\n"
        "A value is the amount of its row's bucket, not a running total; `null` is a value that was not measured, not zero. A row's time "
        "is taken as the END of its bucket. "
        "Whether it is that or the begin was not found in IBM's documentation. In the public files of NERSC's pytokio the query for the "
        "hour from 12:00:00 in steps of a minute has rows "
        "from 12:01:00 to 13:00:00, and pytokio takes a row's time as the right edge of its bin. The length of the first bucket is the "
        "smallest distance between rows, or "
        "`--step`. Times have no zone: `--timezone`, else UTC, with a notice.\n\n"
        "Ask for bytes read and written in one query. Two files that tell different counters of one series at the same moments contradict "
        "each other, "
        "and only one of them is kept. Values as `1.7 kB` are taken as they are, which is rounded; a notice says so.",
    .example =
        "Legend:\n"
        " 1: nsd12.example.org|GPFSFilesystem|cluster1.example.org|project2|gpfs_fs_bytes_read\n"
        " 2: nsd12.example.org|GPFSFilesystem|cluster1.example.org|project2|gpfs_fs_bytes_written\n"
        " \n"
        "Row           Timestamp gpfs_fs_bytes_read gpfs_fs_bytes_written \n"
        "  1 2019-01-08-13:10:00          232503296             135733248 \n"
        "  2 2019-01-08-13:20:00               null             130244608 \n",
    .recognises = recognises,
    .read = read_queries};

}  // namespace fathom
