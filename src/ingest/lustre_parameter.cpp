// SPDX-License-Identifier: Apache-2.0
#include "ingest/lustre_parameter.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace fathom {
namespace {

bool is_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

constexpr std::array<std::string_view, 3> table_names = {"stats", "md_stats", "job_stats"};

bool is_table_name(std::string_view text) { return std::find(table_names.begin(), table_names.end(), text) != table_names.end(); }

/// `obdfilter.scratch-OST0042.stats`: the last word is the parameter, the first the subsystem, all between the target.
LustreParameter split_dotted(std::string_view dotted) {
  LustreParameter parameter;
  const auto last = dotted.rfind('.');
  if (last == std::string_view::npos) return {"", "", std::string(dotted)};
  parameter.name = dotted.substr(last + 1);
  dotted = dotted.substr(0, last);
  parameter.subsystem = take_until(dotted, '.');
  parameter.target = dotted;
  return parameter;
}

/// The last component of `path`, which is cut off it.
std::string_view take_last(std::string_view& path) {
  const auto slash = path.rfind('/');
  const std::string_view last = slash == std::string_view::npos ? path : path.substr(slash + 1);
  path = slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
  return last;
}

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  return text.size() > suffix.size() && text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

/// A line of ours between snapshots: `# host=oss01 time=1704924117.04`, perhaps with `target=scratch-OST0042`.
struct SnapshotComment {
  std::string_view target;
  std::string_view time;
  bool any = false;
};

SnapshotComment snapshot_comment(std::string_view line) {
  SnapshotComment comment;
  line.remove_prefix(1);
  for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
    const std::string_view key = take_until(word, '=');
    if (key == "time") comment.time = word;
    if (key == "target") comment.target = word;
    comment.any = comment.any || key == "time" || key == "target" || key == "host";
  }
  return comment;
}

/// What the path and --server say about lines that no `...=` line announces.
LustrePart unannounced_part(const std::string& path, const ReadOptions& options) {
  LustrePart part;
  part.parameter = lustre_parameter_of_path(path);
  const bool told = is_lustre_target(part.parameter.target) || part.parameter.subsystem == "llite";
  if (!told && !options.default_server.empty()) part.parameter.target = options.default_server;
  return part;
}

}  // namespace

std::optional<LustreAnnouncement> lustre_announcement(std::string_view line) {
  if (line.empty() || !is_alnum(line.front())) return std::nullopt;
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = line.substr(0, equals);
  const auto fits = [](char c) { return is_alnum(c) || std::string_view("._-@:+").find(c) != std::string_view::npos; };
  if (!std::all_of(name.begin(), name.end(), fits)) return std::nullopt;
  return LustreAnnouncement{split_dotted(name), line.substr(equals + 1)};
}

LustreParameter lustre_parameter_of_path(std::string_view path) {
  std::string_view file = take_last(path);
  file = without_suffix(without_suffix(file, ".gz"), ".zst");
  if (is_table_name(file)) {
    const std::string_view target = take_last(path);
    return {std::string(take_last(path)), std::string(target), std::string(file)};
  }
  LustreParameter parameter;
  for (const std::string_view suffix : {".txt", ".log", ".out"}) file = without_suffix(file, suffix);
  for (const std::string_view table : table_names) {
    if (file.size() > table.size() && file.ends_with(table) && file[file.size() - table.size() - 1] == '.') {
      parameter.name = table;
      file.remove_suffix(table.size() + 1);
    }
  }
  const auto dot = file.find('.');
  if (dot != std::string_view::npos && !parameter.name.empty()) {
    parameter.subsystem = file.substr(0, dot);
    file.remove_prefix(dot + 1);
  }
  parameter.target = file;
  return parameter;
}

bool is_lustre_target(std::string_view text) {
  const auto dash = text.rfind('-');
  if (dash != std::string_view::npos) text.remove_prefix(dash + 1);
  return text.size() >= 7 && text.size() <= 11 && (text.starts_with("OST") || text.starts_with("MDT")) &&
         std::all_of(text.begin() + 3, text.end(), is_hex);
}

std::string_view lustre_filesystem(std::string_view target) {
  const auto at = std::max(target.rfind("-OST") + 1, target.rfind("-MDT") + 1);  // npos + 1 is 0
  return at == 0 ? std::string_view{} : target.substr(0, at - 1);
}

std::optional<Time> parse_lustre_time(std::string_view text) {
  std::string_view rest = text;
  std::string_view fraction = take_word(rest);
  const std::string_view seconds = take_until(fraction, '.');
  // Also `1510782606. 89180921 secs.nsecs`: some versions pad with blanks.
  if (fraction.empty() && text.substr(seconds.size()).starts_with('.')) fraction = take_word(rest);
  const std::string_view unit = take_word(rest);
  if (fraction.empty() || unit.empty()) return parse_unix_seconds(take_word(text));
  const auto whole = parse_unix_seconds(seconds);
  const auto part = parse_u64(fraction);
  const std::uint64_t per_second = unit == "secs.nsecs" ? 1000000000 : unit == "secs.usecs" ? 1000000 : 0;
  if (!whole || !part || *part >= per_second) return std::nullopt;
  return *whole + Duration{static_cast<std::int64_t>(*part / (per_second / 1000000))};
}

Time lustre_since(std::optional<Time> start, Time t) {
  constexpr Time before_lustre = time_from_seconds(946684800);  // 2000-01-01
  return start && *start >= before_lustre && *start <= t ? *start : no_time;
}

Result<void> read_lustre_parts(LineInput& input, const ReadOptions& options, Harvest& harvest, LustrePartReader& reader) {
  const LustrePart unannounced = unannounced_part(input.path(), options);
  LustrePart part = unannounced;
  part.line = options.first_line;
  std::uint64_t lines = 0;
  reader.begin(part);
  const auto switch_to = [&](LustrePart next, std::uint64_t number) {
    reader.end();
    part = std::move(next);
    part.line = number;
    reader.begin(part);
  };
  auto status = input.for_each_line([&](std::string_view line, std::uint64_t number) {
    ++lines;
    number += options.first_line - 1;
    if (line.starts_with('#')) {
      const SnapshotComment comment = snapshot_comment(line);
      if (!comment.any) return true;
      LustrePart next = unannounced;
      next.time = parse_unix_seconds(comment.time);
      if (!comment.time.empty() && !next.time) harvest.reject(number, line, "time= is not a Unix time in seconds");
      if (!comment.target.empty()) next.parameter.target = comment.target;
      switch_to(std::move(next), number);
    } else if (auto announced = lustre_announcement(line)) {
      switch_to({std::move(announced->parameter), true, part.time, 0}, number);
      if (!trim(announced->value).empty()) reader.line(announced->value, number);
    } else if (!trim(line).empty()) {
      reader.line(line, number);
    }
    return true;
  });
  reader.end();
  harvest.lines(lines);
  for (std::uint64_t i = 0; i < input.overlong_lines(); ++i) harvest.reject(0, "", "a line of more than 16 MiB");
  return status;
}

}  // namespace fathom
