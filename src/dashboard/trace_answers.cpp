// SPDX-License-Identifier: Apache-2.0
#include "dashboard/trace_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::dashboard {

Json trace_entry(const TraceSource& source) {
  const trace::Trace& trace = source.trace();
  const std::string problem = source.problem();
  const auto answers = source.peek();
  return {{"id", source.id()},
          {"name", source.name()},
          {"problem", problem.empty() ? Json(nullptr) : Json(problem)},
          {"start", static_cast<double>(trace.start) / 1e9},
          {"end", static_cast<double>(trace.end) / 1e9},
          {"ranks", trace.ranks()},
          {"events", answers ? Json(answers->calls.seen()) : Json(nullptr)},
          {"has_calls", source.has_calls()},
          {"has_slices", source.has_slices()},
          {"program", source.program()},
          {"job", source.job()}};
}

Result<std::string> trace_version(Dashboard& dashboard, const Call& call) {
  TRY(const TraceSource* source, dashboard.trace(call.word("trace")));
  return source->version();
}

double since_start(const TraceSource& trace, std::int64_t moment) { return static_cast<double>(moment - trace.trace().start) / 1e9; }

Result<TimeWindow> window_asked(const TraceSource& source, const Call& call) {
  constexpr double furthest = 4e9;  // seconds: more than a hundred years
  const trace::Trace& trace = source.trace();
  TimeWindow window{trace.start, std::max(trace.end, trace.start + 1)};
  const auto from = call.number("from"), to = call.number("to");
  if ((from && std::fabs(*from) > furthest) || (to && std::fabs(*to) > furthest))
    return Error{ErrorKind::usage, "reading the query: from and to are seconds since the start of the trace"};
  if (from) window.from = trace.start + std::llround(*from * 1e9);
  if (to) window.to = trace.start + std::llround(*to * 1e9);
  if (window.to <= window.from) return Error{ErrorKind::usage, "reading the query: to must be after from"};
  return window;
}

Result<trace::Interface> interface_asked(const Call& call, trace::Interface otherwise) {
  const auto name = call.text("interface");
  if (!name || name->empty()) return otherwise;
  const auto at = std::find(trace::interface_names.begin(), trace::interface_names.end(), *name);
  if (at == trace::interface_names.end())
    return Error{ErrorKind::usage,
                 fmt::format("reading the query: there is no interface {}; posix, mpiio, hdf5 and pnetcdf are known", *name)};
  return static_cast<trace::Interface>(at - trace::interface_names.begin());
}

trace::Interface top_interface(const KeptCalls& calls) {
  const auto used = calls.interfaces();
  return used.empty() ? trace::Interface::posix : used.back();
}

Reply table_reply(const Table& table, std::size_t limit) {
  Table part{table.columns, {table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(std::min(limit, table.rows.size()))}};
  return {fmt::format("{{\"total\":{},\"rows\":{}}}", table.rows.size(), as_json(part)), "application/json", 200, nullptr, {}};
}

}  // namespace fathom::dashboard
