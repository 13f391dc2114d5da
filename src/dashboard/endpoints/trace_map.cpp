// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/base64.h"
#include "dashboard/trace_answers.h"

namespace fathom::dashboard {
namespace {

constexpr std::size_t most_calls = 5000;

/// A byte for each: the share of the time of the row's ranks. What is there at all is not 0.
std::string cells_of(const CallPicture& picture, std::size_t units) {
  std::string bytes(picture.time.size(), '\0');
  std::size_t at = 0;
  for (std::size_t row = 0; row < picture.rows; ++row) {
    const std::size_t here = std::min(picture.units_per_row, units - row * picture.units_per_row);
    const double whole = static_cast<double>(picture.step) * static_cast<double>(here);
    for (std::size_t column = 0; column < picture.columns; ++column)
      for (std::size_t kind = 0; kind < kind_count; ++kind, ++at) {
        const std::uint64_t time = picture.at(row, column, static_cast<CallKind>(kind));
        if (time > 0)
          bytes[at] =
              static_cast<char>(static_cast<unsigned char>(std::clamp(std::lround(255 * static_cast<double>(time) / whole), 1L, 255L)));
      }
  }
  return bytes;
}

std::string name_of(const trace::Trace& trace, std::size_t first, std::size_t units) {
  const std::string_view what = trace::has_mpi_ranks(trace) ? "rank" : "process";
  if (units == 1) return fmt::format("{} {}", what, trace.units[first].rank);
  return fmt::format("{}{} {} to {}", what, trace::has_mpi_ranks(trace) ? "s" : "es", trace.units[first].rank,
                     trace.units[first + units - 1].rank);
}

Result<Reply> answer_map(Dashboard& dashboard, const Call& call) {
  TRY(const TraceSource* source, dashboard.trace(call.word("trace")));
  TRY(const auto answers, source->answers());
  TRY(const TimeWindow window, window_asked(*source, call));
  TRY(const trace::Interface interface, interface_asked(call, top_interface(answers->calls)));
  const CallPicture picture =
      answers->calls.picture(window, call.whole_within("columns", 800, 1, 4096), call.whole_within("rows", 128, 1, 256), interface);
  const trace::Trace& trace = source->trace();
  const std::size_t units = std::min<std::size_t>(answers->calls.units(), trace.units.size());
  Json map{{"t0", since_start(*source, picture.t0)},
           {"step", static_cast<double>(picture.step) / 1e9},
           {"columns", picture.columns},
           {"interface", trace::interface_names[static_cast<std::size_t>(interface)]},
           {"interfaces", Json::array()},
           {"rows", Json::array()},
           {"kinds", kind_names},
           {"cells", base64(cells_of(picture, units))},
           {"calls", picture.calls},
           {"exact", picture.exact}};
  for (const trace::Interface each : answers->calls.interfaces())
    map["interfaces"].push_back(trace::interface_names[static_cast<std::size_t>(each)]);
  for (std::size_t row = 0; row < picture.rows && row * picture.units_per_row < units; ++row) {
    const std::size_t first = row * picture.units_per_row, here = std::min(picture.units_per_row, units - first);
    map["rows"].push_back({{"name", name_of(trace, first, here)}, {"ranks", here}, {"first", trace.units[first].rank}});
  }
  return json_reply(map);
}

Json call_json(const TraceSource& source, const OneCall& one) {
  const trace::Trace& trace = source.trace();
  const trace::Call& what = trace.calls[one.call];
  return {{"row", one.row},
          {"parent", one.parent == trace::no_row ? Json(nullptr) : Json(one.parent)},
          {"rank", trace.units[one.unit].rank},
          {"thread", one.thread},
          {"interface", trace::interface_names[static_cast<std::size_t>(what.interface)]},
          {"call", what.name},
          {"kind", kind_names[static_cast<std::size_t>(one.kind)]},
          {"file", one.file == trace::no_file ? Json(nullptr) : Json(trace.files[one.file].path)},
          {"offset", one.offset == trace::no_offset ? Json(nullptr) : Json(one.offset)},
          {"bytes", one.bytes == trace::no_bytes ? Json(nullptr) : Json(one.bytes)},
          {"start", since_start(source, one.start)},
          {"end", since_start(source, one.end)},
          {"result", one.result},
          {"depth", one.depth}};
}

Result<std::optional<std::uint32_t>> unit_asked(const trace::Trace& trace, const Call& call) {
  const auto rank = call.whole("rank");
  if (!rank) return std::optional<std::uint32_t>();
  for (std::size_t i = 0; i < trace.units.size(); ++i)
    if (!trace.units[i].launcher && static_cast<std::int64_t>(trace.units[i].rank) == static_cast<std::int64_t>(*rank))
      return std::optional(static_cast<std::uint32_t>(i));
  return Error{ErrorKind::not_found, fmt::format("choosing calls: the trace has no rank {}", *rank)};
}

Result<Reply> answer_calls(Dashboard& dashboard, const Call& call) {
  TRY(const TraceSource* source, dashboard.trace(call.word("trace")));
  TRY(const auto answers, source->answers());
  CallChoice choice;
  TRY(choice.window, window_asked(*source, call));
  TRY(choice.unit, unit_asked(source->trace(), call));
  if (call.text("interface")) {
    TRY(choice.interface, interface_asked(call, trace::Interface::posix));
  }
  choice.inside = call.whole("parent");
  choice.all = call.flag("all");
  choice.limit = call.whole_within("limit", 1000, 1, most_calls);
  if (choice.inside && answers->calls.exact() && *choice.inside >= answers->calls.seen())
    return Error{ErrorKind::not_found,
                 fmt::format("choosing calls: there is no row {}; the trace has {}", *choice.inside, answers->calls.seen())};
  const auto chosen = answers->calls.choose(choice);
  if (!chosen)
    return Error{ErrorKind::unsupported,
                 fmt::format("choosing calls: the trace has {} events, too many to keep them one by one; `fathom trace events` lists them",
                             answers->calls.seen())};
  Json list{{"total", chosen->total}, {"calls", Json::array()}};
  for (const OneCall& one : chosen->calls) list["calls"].push_back(call_json(*source, one));
  return json_reply(list);
}

using Kind = Parameter::Kind;
constexpr Parameter from{"from", "seconds since the start of the trace", Kind::number};
constexpr Parameter to{"to", "seconds since the start of the trace", Kind::number};
constexpr Parameter interface { "interface", "posix, mpiio, hdf5 or pnetcdf" };
constexpr Parameter map_parameters[] = {
    from, to, {"columns", "at most so many (800)", Kind::whole}, {"rows", "at most so many (128)", Kind::whole}, interface};
constexpr Parameter call_parameters[] = {from,
                                         to,
                                         interface,
                                         {"rank", "of this one alone", Kind::whole},
                                         {"parent", "row: calls made inside this one", Kind::whole},
                                         {"all", "also on pipes, terminals and the like", Kind::flag},
                                         {"limit", "the longest, at most 5000 (1000)", Kind::whole}};

}  // namespace

namespace endpoints {
extern const Endpoint trace_map, trace_calls;
constinit const Endpoint trace_map{.method = "GET",
                                   .path = "/traces/{trace}/map",
                                   .summary = "Ranks against time: the share of time inside calls, by kind",
                                   .answers = "TraceMap",
                                   .parameters = map_parameters,
                                   .answer = answer_map,
                                   .version = trace_version};
constinit const Endpoint trace_calls{.method = "GET",
                                     .path = "/traces/{trace}/calls",
                                     .summary = "Calls one by one",
                                     .answers = "TraceCalls",
                                     .parameters = call_parameters,
                                     .answer = answer_calls,
                                     .version = trace_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
