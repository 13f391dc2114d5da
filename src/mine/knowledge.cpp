// SPDX-License-Identifier: Apache-2.0
#include "mine/knowledge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/packing.h"
#include "mine/burst_book.h"

namespace fathom::mine {
namespace {

constexpr std::array<std::string_view, 5> verdict_names = {"valid", "rare", "irregular", "chance", "out of scope"};

Verdict verdict_named(std::string_view name) {
  const auto at = std::find(verdict_names.begin(), verdict_names.end(), name);
  return at == verdict_names.end() ? Verdict::rare : static_cast<Verdict>(at - verdict_names.begin());
}

ApplicationState state_named(std::string_view name) {
  for (const auto state : {ApplicationState::watch_list, ApplicationState::rejected, ApplicationState::validated})
    if (state_name(state) == name) return state;
  return ApplicationState::unknown;
}

struct RealColumn {
  std::string_view name;
  double Pattern::*value;
};
constexpr RealColumn real_columns[] = {{"period_s", &Pattern::period},
                                       {"period_error_s", &Pattern::period_error},
                                       {"jitter", &Pattern::jitter},
                                       {"burst_bytes", &Pattern::burst_bytes},
                                       {"coarse_bytes", &Pattern::coarse_bytes},
                                       {"burst_s", &Pattern::burst_s},
                                       {"throughput", &Pattern::throughput},
                                       {"peak", &Pattern::peak},
                                       {"footprint", &Pattern::footprint},
                                       {"io_share", &Pattern::io_share},
                                       {"confidence", &Pattern::confidence},
                                       {"elsewhere", &Pattern::elsewhere},
                                       {"log10_chance", &Pattern::log10_chance},
                                       {"log10_disorder", &Pattern::log10_disorder}};

struct CountColumn {
  std::string_view name;
  std::size_t Pattern::*value;
};
constexpr CountColumn count_columns[] = {{"samples", &Pattern::shown},
                                         {"judged", &Pattern::judged},
                                         {"bursts", &Pattern::bursts},
                                         {"scope_windows", &Pattern::scope_windows},
                                         {"scope_hits", &Pattern::scope_hits}};

constexpr std::array first_columns = {"user_name", "name", "nodes", "state", "reason", "runs", "last_end", "provisional", "inputs"};

/// Adds one row: of a pattern, or of an application without one.
void add_row(Columns& rows, const KnownApplication& application, const Pattern* pattern, std::size_t number) {
  const Finding& finding = application.finding;
  const auto column = [&](std::string_view name) -> Column& { return rows[rows.schema().column(name)]; };
  column("user_name").add(std::string_view(finding.name.user));
  column("name").add(std::string_view(finding.name.name));
  column("nodes").add(std::int64_t{finding.name.nodes});
  column("state").add(state_name(finding.state));
  column("reason").add(std::string_view(finding.reason));
  column("runs").add(static_cast<std::int64_t>(finding.runs));
  column("last_end").add(finding.last_end);
  column("provisional").add(std::int64_t{finding.provisional});
  column("inputs").add(std::string_view(application.inputs));
  if (pattern == nullptr) {
    for (std::size_t c = first_columns.size(); c < rows.schema().columns.size(); ++c) rows[c].add_null();
    return;
  }
  column("pattern").add(static_cast<std::int64_t>(number));
  column("verdict").add(verdict_name(pattern->verdict));
  column("filesystem").add(std::string_view(pattern->filesystem));
  column("direction").add(direction_names[pattern->direction]);
  for (const auto& [name, value] : real_columns) column(name).add(pattern->*value);
  for (const auto& [name, value] : count_columns) column(name).add(static_cast<std::int64_t>(pattern->*value));
  column("support").add(pattern->support());
  column("first_seen").add(pattern->first_seen);
  column("last_seen").add(pattern->last_seen);
}

Pattern pattern_of(const Rows& rows, std::size_t c, std::size_t row) {
  Pattern pattern;
  pattern.verdict = verdict_named(rows.text(c++, row));
  pattern.filesystem = rows.text(c++, row);
  pattern.direction = rows.text(c++, row) == direction_names[0] ? 0 : 1;
  pattern.first_seen = rows.time(c++, row);
  pattern.last_seen = rows.time(c++, row);
  for (const auto& [name, value] : real_columns) pattern.*value = rows.real(c++, row);
  for (const auto& [name, value] : count_columns) pattern.*value = static_cast<std::size_t>(rows.number(c++, row));
  return pattern;
}

template <class Stream, class Any>
void pattern_fields(Stream& stream, Any& pattern) {
  stream.field(pattern.filesystem), stream.field(pattern.direction), stream.field(pattern.verdict), stream.field(pattern.first_seen),
      stream.field(pattern.last_seen);
  for (const auto& [name, value] : real_columns) stream.field(pattern.*value);
  for (const auto& [name, value] : count_columns) stream.field(pattern.*value);
}

/// All but the patterns.
template <class Stream, class Any>
void fields(Stream& stream, Any& application) {
  auto& finding = application.finding;
  stream.field(finding.name.user), stream.field(finding.name.name), stream.field(finding.name.nodes), stream.field(finding.state),
      stream.field(finding.reason);
  stream.field(finding.runs), stream.field(finding.last_end), stream.field(finding.provisional), stream.field(application.inputs);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) { return verdict_names[static_cast<std::size_t>(verdict)]; }

Result<std::vector<KnownApplication>> read_knowledge(const Snapshot& snapshot, Database& database) {
  std::string list;
  for (const std::string_view name : first_columns) list += fmt::format("{}, ", name);
  list += "pattern, verdict, filesystem, direction, first_seen, last_seen";
  for (const auto& [name, value] : real_columns) list += fmt::format(", {}", name);
  for (const auto& [name, value] : count_columns) list += fmt::format(", {}", name);
  TRY(Rows rows,
      database.query(fmt::format("SELECT {} FROM {} ORDER BY user_name, name, nodes, pattern", list, snapshot.rows_of(patterns_table))));
  std::vector<KnownApplication> all;
  constexpr std::size_t pattern_column = first_columns.size();
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ApplicationName name{std::string(rows.text(0, i)), std::string(rows.text(1, i)), static_cast<std::uint32_t>(rows.number(2, i))};
      if (all.empty() || all.back().finding.name != name) {
        KnownApplication& added = all.emplace_back();
        added.finding.name = name;
        added.finding.state = state_named(rows.text(3, i));
        added.finding.reason = rows.text(4, i);
        added.finding.runs = static_cast<std::size_t>(rows.number(5, i));
        added.finding.last_end = rows.time(6, i);
        added.finding.provisional = rows.number(7, i) != 0;
        added.inputs = rows.text(8, i);
      }
      if (!rows.is_null(pattern_column, i)) all.back().finding.patterns.push_back(pattern_of(rows, pattern_column + 1, i));
    }
  TRY_VOID(rows.status());
  return all;
}

Result<void> write_knowledge(Transaction& transaction, const std::vector<KnownApplication>& applications) {
  std::vector<std::string> old;
  for (const Segment* segment : transaction.manifest().of(patterns_table.name)) old.push_back(segment->path);
  for (const std::string& path : old) transaction.retire(path);
  Columns rows(patterns_table);
  for (const KnownApplication& application : applications) {
    if (application.finding.patterns.empty()) add_row(rows, application, nullptr, 0);
    for (std::size_t i = 0; i < application.finding.patterns.size(); ++i)
      add_row(rows, application, &application.finding.patterns[i], i + 1);
  }
  return transaction.stage(rows, 0);
}

std::string pack_knowledge(const std::vector<KnownApplication>& applications) {
  Packer packer;
  for (const KnownApplication& application : applications) {
    fields(packer, application);
    packer.field(application.finding.patterns.size());
    for (const Pattern& pattern : application.finding.patterns) pattern_fields(packer, pattern);
  }
  return std::move(packer.bytes);
}

Result<std::vector<KnownApplication>> unpack_knowledge(std::string_view bytes) {
  std::vector<KnownApplication> all;
  Unpacker unpacker(bytes);
  while (unpacker.good && !unpacker.at_end()) {
    KnownApplication& application = all.emplace_back();
    fields(unpacker, application);
    std::size_t patterns = 0;
    unpacker.field(patterns);
    for (std::size_t i = 0; i < patterns && unpacker.good; ++i) pattern_fields(unpacker, application.finding.patterns.emplace_back());
  }
  if (!unpacker.good) return Error{ErrorKind::malformed, "reading the applications that another rank examined: they end too early"};
  return all;
}

}  // namespace fathom::mine
