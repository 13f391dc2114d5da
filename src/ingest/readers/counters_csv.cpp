// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

constexpr std::size_t most_columns = 1000;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Which column holds what.
struct Columns {
  static constexpr std::size_t none = SIZE_MAX;
  std::size_t t = none, server = none, filesystem = none, job = none, step = none;
  struct CounterColumn {
    std::size_t column;
    std::size_t counter;
  };
  std::vector<CounterColumn> counters;
  std::vector<std::string> others;
  std::size_t count = 0;
  std::string repeated;  // a name that comes twice
};

Columns columns_of(std::span<const std::string_view> names) {
  Columns columns;
  columns.count = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = trim(names[i]);
    for (std::size_t before = 0; before < std::min(i, most_columns); ++before)
      if (trim(names[before]) == name) columns.repeated = name;
    const auto counter = std::find(counter_names.begin(), counter_names.end(), name);
    if (name == "t")
      columns.t = i;
    else if (name == "server")
      columns.server = i;
    else if (name == "filesystem")
      columns.filesystem = i;
    else if (name == "job")
      columns.job = i;
    else if (name == "step")
      columns.step = i;
    else if (counter != counter_names.end())
      columns.counters.push_back({i, static_cast<std::size_t>(counter - counter_names.begin())});
    else
      columns.others.emplace_back(name);
  }
  return columns;
}

std::string_view without_mark(std::string_view text) {
  return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

bool recognises(std::string_view first_bytes, std::string_view) {
  first_bytes = without_mark(first_bytes);
  CsvRecord header;
  if (header.split(trim(take_until(first_bytes, '\n'))) != nullptr || header.fields().size() > most_columns) return false;
  const Columns columns = columns_of(header.fields());
  const auto other = [&](std::string_view name) {
    return std::find(columns.others.begin(), columns.others.end(), name) != columns.others.end();
  };
  const bool jobs = other("job_id") && other("start") && other("end");
  return columns.t != Columns::none && columns.server != Columns::none && !columns.counters.empty() && !jobs;
}

/// A count, also where a spreadsheet wrote it as 1000.0 or 1.5e9.
std::optional<std::uint64_t> parse_count(std::string_view text) {
  if (const auto whole = parse_u64(text)) return whole;
  text = trim(text);
  const auto dot = text.find('.');
  if (dot != std::string_view::npos && text.find_first_not_of('0', dot + 1) == std::string_view::npos)
    return parse_u64(text.substr(0, dot));
  if (const auto whole = parse_u64(text)) return whole;
  const auto value = parse_double(text);
  if (!value || !(*value >= 0) || !(*value < 0x1p64) || std::floor(*value) != *value) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

/// Series ids by name, guessing that rows come in the same order in every round of sampling.
class SeriesGuess {
 public:
  explicit SeriesGuess(Harvest& harvest) : harvest_(harvest) {}

  SeriesId operator()(std::string_view server, std::string_view filesystem, std::string_view job) {
    const std::size_t guess = known_.empty() ? 0 : known_[last_].next;
    if (guess < known_.size() && known_[guess].is(server, filesystem, job)) {
      last_ = guess;
      return known_[guess].series;
    }
    const SeriesId series = harvest_.series(server, filesystem, job);
    if (series >= place_.size()) place_.resize(series + 1, SIZE_MAX);
    if (place_[series] == SIZE_MAX) {
      place_[series] = known_.size();
      known_.push_back({std::string(server), std::string(filesystem), std::string(job), series, 0});
    }
    known_[last_].next = place_[series];
    last_ = place_[series];
    return series;
  }

 private:
  struct Known {
    std::string server, filesystem, job;
    SeriesId series;
    std::size_t next;  // what came after it last time
    bool is(std::string_view s, std::string_view f, std::string_view j) const { return server == s && filesystem == f && job == j; }
  };

  Harvest& harvest_;
  std::vector<Known> known_;
  std::vector<std::size_t> place_;  // in known_, by series id
  std::size_t last_ = 0;
};

class RowReader {
 public:
  RowReader(Columns columns, const ReadOptions& options, Harvest& harvest)
      : columns_(std::move(columns)), options_(options), zone_(options.timezone.value_or(Zone{})), harvest_(harvest), series_(harvest) {}

  void line(std::string_view text, std::uint64_t number) {
    if (const char* wrong = line_.split(text)) return harvest_.reject(number, text, wrong);
    const auto fields = line_.fields();
    if (fields.size() != columns_.count) {
      return harvest_.reject(number, text, fmt::format("{} fields where the header has {}", fields.size(), columns_.count));
    }
    Sample sample;
    if (!read_time(fields[columns_.t])) return harvest_.reject(number, text, "t is neither Unix seconds nor ISO 8601");
    sample.t = last_time_;
    for (const auto [column, counter] : columns_.counters) {
      if (fields[column].empty()) continue;  // unknown in this row
      const auto value = parse_count(fields[column]);
      if (!value) return bad_counter(counter, fields[column], text, number);
      sample.values[counter] = *value;
      sample.has |= static_cast<CounterMask>(1u << counter);
    }
    if (options_.per_interval && !read_step(sample)) return harvest_.reject(number, text, "step is not a positive number of seconds");
    if (sample.has == 0) return harvest_.leave_out("row without any counter");
    const std::string_view server = name(columns_.server).empty() ? std::string_view(options_.default_server) : name(columns_.server);
    if (server.empty()) return harvest_.reject(number, text, "no server");
    sample.series = series_(server, name(columns_.filesystem), name(columns_.job));
    if (options_.per_interval) note_first_row(sample);
    harvest_.sample(sample);
  }

  /// Put off to the end: a file may begin with many servers.
  void tell() const {
    if (without_length_ > 0)
      harvest_.notice(
          fmt::format("the first rows of {} series have no length: their amounts count only where an earlier file has the row "
                      "before (a column step or --step gives it)",
                      without_length_));
  }

 private:
  std::string_view name(std::size_t column) const { return column == Columns::none ? std::string_view{} : line_.fields()[column]; }

  /// Servers sampled together share their time, so the last one is kept.
  bool read_time(std::string_view text) {
    if (text == last_text_ && !text.empty()) return true;
    std::optional<Time> time = parse_unix_seconds(text);
    if (!time) {
      const auto reading = parse_iso8601(trim(text));
      if (!reading) return false;
      if (!reading->offset_seconds && !options_.timezone) harvest_.notice("times carry no zone: taken as UTC (--timezone to change)");
      time = reading->in(zone_);
      // Of an hour that happens twice it is the one in which the row before lies.
      if (const auto again = last_time_ == no_time ? std::nullopt : reading->again_in(zone_);
          again && std::chrono::abs(*again - last_time_) < std::chrono::abs(*time - last_time_))
        time = again;
    }
    last_text_ = text;
    last_time_ = *time;
    return true;
  }

  bool read_step(Sample& sample) const {
    sample.traits = per_interval;
    const std::string_view text = trim(name(columns_.step));
    std::optional<Duration> step = options_.step;
    if (!text.empty()) {
      const auto seconds = parse_double(text);
      if (!seconds || !(*seconds > 0) || !(*seconds < 1e9)) return false;
      step = Duration{std::llround(*seconds * 1e6)};
    }
    if (step) sample.since = sample.t - *step;
    return true;
  }

  void note_first_row(const Sample& sample) {
    if (sample.series >= seen_.size()) seen_.resize(sample.series + 1, false);
    if (!seen_[sample.series] && sample.since == no_time) ++without_length_;
    seen_[sample.series] = true;
  }

  void bad_counter(std::size_t counter, std::string_view value, std::string_view text, std::uint64_t number) {
    harvest_.reject(number, text, fmt::format("{} is not a whole number: '{}'", counter_names[counter], excerpt(value, 30)));
  }

  Columns columns_;
  const ReadOptions& options_;
  Zone zone_;
  Harvest& harvest_;
  SeriesGuess series_;
  CsvRecord line_;
  std::string last_text_;
  Time last_time_ = no_time;
  std::vector<bool> seen_;  // by series, of amounts per interval
  std::uint64_t without_length_ = 0;
};

template <class Names>
std::string joined(const Names& names) {
  std::string text;
  for (const auto& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

Result<Columns> read_header(std::string_view line, const std::string& path, const ReadOptions& options, Harvest& harvest) {
  const auto complain = [&](std::string_view what) {
    return Error{ErrorKind::malformed, fmt::format("reading the header of {} as counters_csv: {}; found '{}'", path, what, excerpt(line))};
  };
  CsvRecord header;
  if (const char* wrong = header.split(line)) return complain(wrong);
  if (header.fields().size() > most_columns) return complain("more than 1000 columns");
  Columns columns = columns_of(header.fields());
  if (columns.t == Columns::none) return complain("there is no column t");
  if (columns.server == Columns::none && options.default_server.empty()) return complain("there is no column server (--server gives one)");
  if (columns.counters.empty()) return complain(fmt::format("there is none of {}", joined(counter_names)));
  if (!columns.repeated.empty()) return complain(fmt::format("column {} comes twice", columns.repeated));
  if (!columns.others.empty()) harvest.notice(fmt::format("columns ignored: {}", excerpt(joined(columns.others))));
  if (columns.step != Columns::none && !options.per_interval)
    harvest.notice("column step ignored: values are taken as running totals (--per-interval if they are amounts per step)");
  return columns;
}

Result<void> read_rows(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  std::optional<RowReader> rows;
  std::string header;
  std::uint64_t lines = 0;
  Result<void> trouble;
  auto status = input.for_each_line([&](std::string_view line, std::uint64_t number) {
    ++lines;
    if (line.empty()) return true;
    if (rows) {
      if (line == header)
        harvest.leave_out("repeated header");
      else
        rows->line(line, number + options.first_line - 1);
      return true;
    }
    header = without_mark(line);
    auto columns = read_header(header, input.path(), options, harvest);
    if (!columns)
      trouble = std::move(columns).error();
    else
      rows.emplace(*std::move(columns), options, harvest);
    return trouble.has_value();
  });
  harvest.lines(lines);
  if (rows) rows->tell();
  for (std::uint64_t i = 0; i < input.overlong_lines(); ++i) harvest.reject(0, "", "a line of more than 16 MiB");
  return trouble ? status : trouble;
}

}  // namespace

extern const Reader counters_csv;
constinit const Reader counters_csv{
    .name = "counters_csv",
    .summary = "Any server's counters as comma-separated values",
    .details =
        "The form to bring counters in that no other reader knows. The first line names the columns, in any order: `t` and `server`, "
        "and any of `filesystem`, `job`, `read_bytes`, `write_bytes`, `read_ops`, `write_ops`, `opens`, `closes`, `dirs`, "
        "`inode_updates`, `metadata_ops`, `step`; other columns are ignored, with a notice. `t` is Unix seconds, a fraction allowed, or "
        "ISO 8601 "
        "(without a zone: `--timezone`, else UTC, with a notice). `job` marks counters that belong to one job.\n\n"
        "Values are running totals. With `--per-interval` each row holds the amount since the previous row of its series; the row's "
        "time is the END of its interval. The first row of a series has none before it: the length of its interval, in seconds, is taken "
        "from "
        "the column `step`, or from `--step`; without either its amounts are not booked.\n\n"
        "`metadata_ops` are metadata operations of all kinds, opens and closes included. Where it is empty or missing and the four of "
        "`opens`, "
        "`closes`, `dirs` and `inode_updates` are there, their sum is taken.\n\n"
        "Counts are whole numbers; `1000.0` and `1.5e9` are accepted, `0.5` and negative ones are not. An empty cell means that this "
        "counter is unknown in this row, not zero. Names with commas or quotes are quoted as in RFC 4180; a name may not hold a line "
        "break. Rows that cannot be used are rejected one by one and counted; a header that comes again (files put together) is passed "
        "over.",
    .example =
        "t,server,filesystem,read_bytes,write_bytes\n"
        "1704924117,ion-0042,work,205607400434,74839282351\n"
        "1704924237.5,ion-0042,work,205607404530,74839282351\n"
        "2024-01-10T22:04:00Z,\"ion, spare\",work,,1.5e9\n",
    .recognises = recognises,
    .read = read_rows};

}  // namespace fathom
