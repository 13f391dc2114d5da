// SPDX-License-Identifier: Apache-2.0
#include "cli/event_rows.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "cli/text_output.h"
#include "store/parquet_writer.h"

namespace fathom {
namespace {

using namespace trace;

bool path_matches(const std::string& pattern, const std::string& path) {
  if (pattern.find_first_of("*?[") != std::string::npos) return ::fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
  return path == pattern || (path.ends_with(pattern) && (pattern.starts_with('/') || path[path.size() - pattern.size() - 1] == '/'));
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// Words that every row needs, made once.
struct Words {
  std::vector<std::string> ranks, calls, files;

  template <class Text>
  Words(const Trace& trace, Text&& text, std::string_view between) {
    for (const Unit& unit : trace.units) ranks.push_back(unit.launcher ? "" : std::to_string(unit.rank));
    for (const Call& call : trace.calls)
      calls.push_back(
          fmt::format("{}{}{}", text(std::string(interface_names[static_cast<std::size_t>(call.interface)])), between, text(call.name)));
    for (const File& file : trace.files) files.push_back(text(file.path));
  }
};

void write_csv_row(TextOutput& out, const Words& words, const Event& e) {
  out << words.ranks[e.unit] << ',';
  out.number(e.thread) << ',' << words.calls[e.call] << ',';
  if (e.file != no_file) out << words.files[e.file];
  out << ',';
  if (e.offset != no_offset) out.number(e.offset);
  out << ',';
  if (e.bytes != no_bytes) out.number(e.bytes);
  out << ',';
  out.seconds(e.start) << ',';
  out.seconds(e.end) << ',';
  out.number(e.result) << ',';
  if (e.parent != no_row) out.number(e.parent);
  out << '\n';
}

Result<void> write_csv(const Trace& trace, const EventSelection& selection, const std::string& file) {
  TRY(TextOutput out, TextOutput::open(file));
  const Words words(trace, csv_text, ",");
  out << "rank,thread,interface,call,file,offset,bytes,start,end,result,parent\n";
  TRY_VOID(for_each_selected(trace, selection, [&](const Event& event) {
    write_csv_row(out, words, event);
    return out.good();
  }));
  return out.finish();
}

std::string json_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

void write_json_row(TextOutput& out, const Words& words, const Event& e) {
  const auto or_null = [&](bool there, auto value) { there ? out.number(value) : out << "null"; };
  out << " {\"rank\":" << (words.ranks[e.unit].empty() ? "null" : words.ranks[e.unit]) << ",\"thread\":";
  out.number(e.thread) << ",\"interface\":" << words.calls[e.call] << ",\"file\":" << (e.file == no_file ? "null" : words.files[e.file])
                       << ",\"offset\":";
  or_null(e.offset != no_offset, e.offset);
  out << ",\"bytes\":";
  or_null(e.bytes != no_bytes, e.bytes);
  out << ",\"start\":";
  out.seconds(e.start) << ",\"end\":";
  out.seconds(e.end) << ",\"result\":";
  out.number(e.result) << ",\"parent\":";
  or_null(e.parent != no_row, e.parent);
  out << '}';
}

Result<void> write_json(const Trace& trace, const EventSelection& selection, const std::string& file) {
  TRY(TextOutput out, TextOutput::open(file));
  const Words words(trace, json_quoted, ",\"call\":");
  out << '[';
  std::string_view between = "\n";
  TRY_VOID(for_each_selected(trace, selection, [&](const Event& event) {
    out << between;
    between = ",\n";
    write_json_row(out, words, event);
    return out.good();
  }));
  out << "\n]\n";
  return out.finish();
}

/// One line per event: calls inside others stand to the right of them.
Result<void> write_table(const Trace& trace, const EventSelection& selection, const std::string& file) {
  TRY(TextOutput out, TextOutput::open(file));
  out << fmt::format("{:>9}  {:>14}  {:>5}  {:>3}  {:<28}  {:>12}  {:>14}  {:>10}  {:>10}  {}\n", "row", "s from start", "rank", "thr",
                     "call", "lasts", "offset", "bytes", "result", "file");
  TRY_VOID(for_each_selected(trace, selection, [&](const Event& e) {
    const std::string call = std::string(2u * std::min<unsigned>(e.depth, 8), ' ') + trace.calls[e.call].name;
    const Unit& unit = trace.units[e.unit];
    out << fmt::format("{:>9}  {:>14.6f}  {:>5}  {:>3}  {:<28}  {:>9.3f} ms  {:>14}  {:>10}  {:>10}  {}\n", e.row,
                       static_cast<double>(e.start - trace.start) * 1e-9, unit.launcher ? "-" : std::to_string(unit.rank), e.thread, call,
                       static_cast<double>(e.duration()) * 1e-6, e.offset == no_offset ? "-" : std::to_string(e.offset),
                       e.bytes == no_bytes ? "-" : std::to_string(e.bytes), e.result, e.file == no_file ? "-" : trace.files[e.file].path);
    return out.good();
  }));
  return out.finish();
}

constexpr ColumnSchema event_columns[] = {
    {"rank", ColumnType::number, ""},   {"thread", ColumnType::number, ""}, {"interface", ColumnType::text, ""},
    {"call", ColumnType::text, ""},     {"file", ColumnType::text, ""},     {"offset", ColumnType::number, ""},
    {"bytes", ColumnType::number, ""},  {"start", ColumnType::real, ""},    {"end", ColumnType::real, ""},
    {"result", ColumnType::number, ""}, {"parent", ColumnType::number, ""}, {"start_ns", ColumnType::number, ""},
    {"end_ns", ColumnType::number, ""}, {"row", ColumnType::number, ""}};
constexpr TableSchema event_schema{"events", "", false, "", "", event_columns};

/// Numbers of words in the text columns, found once for each file and call.
struct ColumnWords {
  std::vector<std::int64_t> interfaces, calls, files;

  ColumnWords(const Trace& trace, Columns& rows) {
    for (const Call& call : trace.calls) {
      interfaces.push_back(rows[2].word(interface_names[static_cast<std::size_t>(call.interface)]));
      calls.push_back(rows[3].word(call.name));
    }
    files.assign(trace.files.size(), -1);
  }
};

Result<void> write_parquet(const Trace& trace, const EventSelection& selection, const std::string& file) {
  if (file.empty()) return Error{ErrorKind::usage, "writing parquet: it goes to a file, name it with -o FILE"};
  constexpr std::size_t rows_at_once = 4 * parquet_rows_per_group;
  ParquetFile out(event_schema, file);
  Columns rows(event_schema);
  auto words = std::make_unique<ColumnWords>(trace, rows);
  Result<void> status;
  const auto flush = [&] {
    status = out.add(rows);
    rows = Columns(event_schema);
    words = std::make_unique<ColumnWords>(trace, rows);
    return status.has_value();
  };
  const auto add_if = [&](std::size_t column, bool there, auto value) {
    there ? rows[column].add(static_cast<std::int64_t>(value)) : rows[column].add_null();
  };
  TRY_VOID(for_each_selected(trace, selection, [&](const Event& e) {
    add_if(0, !trace.units[e.unit].launcher, trace.units[e.unit].rank);
    rows[1].add(static_cast<std::int64_t>(e.thread));
    rows[2].add(words->interfaces[e.call]);
    rows[3].add(words->calls[e.call]);
    if (e.file != no_file && words->files[e.file] < 0) words->files[e.file] = rows[4].word(trace.files[e.file].path);
    add_if(4, e.file != no_file, e.file == no_file ? 0 : words->files[e.file]);
    add_if(5, e.offset != no_offset, e.offset);
    add_if(6, e.bytes != no_bytes, e.bytes);
    rows[7].add(static_cast<double>(e.start) * 1e-9);
    rows[8].add(static_cast<double>(e.end) * 1e-9);
    rows[9].add(e.result);
    add_if(10, e.parent != no_row, e.parent);
    rows[11].add(e.start);
    rows[12].add(e.end);
    rows[13].add(static_cast<std::int64_t>(e.row));
    return rows.rows() < rows_at_once || flush();
  }));
  TRY_VOID(status);
  TRY_VOID(out.add(rows));
  return out.finish();
}

}  // namespace

std::shared_ptr<EventSelection> add_event_selection(CommandLine& line) {
  auto selection = std::make_shared<EventSelection>();
  line.add_option("--file", selection->file, "only calls on files whose path matches: * and ? allowed, without them the end of the path")
      .type_name("PATTERN");
  line.add_option("--rank", selection->rank, "only this rank (without MPI: this process, in order of their start)").type_name("N");
  line.add_option("--interface", selection->interface, "only posix, mpiio, hdf5 or pnetcdf")
      .one_of({"posix", "mpiio", "hdf5", "pnetcdf"})
      .type_name("NAME");
  line.add_option("--call", selection->call, "only calls of this name, * and ? allowed: 'MPI_File_write*'").type_name("NAME");
  line.add_option("--limit", selection->limit, "stop after so many").type_name("N");
  return selection;
}

Result<EventChoice> EventChoice::of(const Trace& trace, const EventSelection& selection) {
  EventChoice choice;
  for (const Unit& unit : trace.units) choice.units_.push_back(!selection.rank || (!unit.launcher && unit.rank == *selection.rank));
  for (const Call& call : trace.calls) {
    const bool name = selection.call.empty() || ::fnmatch(selection.call.c_str(), call.name.c_str(), 0) == 0;
    choice.calls_.push_back(
        name && (selection.interface.empty() || interface_names[static_cast<std::size_t>(call.interface)] == selection.interface));
  }
  if (std::none_of(choice.calls_.begin(), choice.calls_.end(), [](bool taken) { return taken; })) {
    std::vector<std::string_view> names;
    for (const Call& call : trace.calls) names.push_back(call.name);
    const std::string_view close = closest_word(selection.call, names);
    return Error{ErrorKind::usage, fmt::format("choosing events: there is no call '{}'{}", selection.call,
                                               close.empty() ? "" : fmt::format("; did you mean '{}'?", close))};
  }
  for (const File& file : trace.files) choice.files_.push_back(selection.file.empty() || path_matches(selection.file, file.path));
  choice.fileless_ = selection.file.empty();
  return choice;
}

Result<void> write_events(const Trace& trace, const EventSelection& asked, const std::string& format, const std::string& file) {
  EventSelection selection = asked;
  selection.bar = !file.empty() || ::isatty(1) != 1;
  if (format == "csv") return write_csv(trace, selection, file);
  if (format == "json") return write_json(trace, selection, file);
  if (format == "parquet") return write_parquet(trace, selection, file);
  return write_table(trace, selection, file);
}

}  // namespace fathom
