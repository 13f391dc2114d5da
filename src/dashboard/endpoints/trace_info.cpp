// SPDX-License-Identifier: Apache-2.0
#include "dashboard/trace_answers.h"

namespace fathom::dashboard {
namespace {

Result<Reply> answer(Dashboard& dashboard, const Call& call) {
  TRY(const TraceSource* source, dashboard.trace(call.word("trace")));
  const trace::Trace& trace = source->trace();
  Json info = trace_entry(*source);
  info["command"] = trace.processes.empty() ? "" : trace.processes.front().command;
  for (const trace::Process& process : trace.processes)
    if (process.rank == 0) info["command"] = process.command;
  info["processes"] = trace.processes.size();
  info["mpi"] = trace::has_mpi_ranks(trace);
  info["clock_drift"] = trace.clock_drift;
  info["notes"] = trace.notes;
  for (const trace::Trouble& trouble : trace.troubles) info["notes"].push_back(trouble.what + " (" + trouble.where + ")");
  info["prepared"] = as_json(source->progress());
  info["interfaces"] = Json::array();
  info["exact"] = true;
  info["summary"] = nullptr;
  if (const auto answers = source->peek()) {
    for (const trace::Interface interface : answers->calls.interfaces())
      info["interfaces"].push_back(trace::interface_names[static_cast<std::size_t>(interface)]);
    info["exact"] = answers->calls.exact();
    info["summary"] = answers->summary;
    if (answers->unreadable_blocks > 0)
      info["notes"].push_back(std::to_string(answers->unreadable_blocks) + " blocks could not be read: their calls are missing");
  }
  return json_reply(info);
}

}  // namespace

namespace endpoints {
extern const Endpoint trace_info;
constinit const Endpoint trace_info{.method = "GET",
                                    .path = "/traces/{trace}",
                                    .summary = "A traced run in a few numbers, and how far it is prepared",
                                    .answers = "TraceInfo",
                                    .parameters = {},
                                    .answer = answer,
                                    .version = trace_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
