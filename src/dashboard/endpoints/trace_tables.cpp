// SPDX-License-Identifier: Apache-2.0
#include "dashboard/trace_answers.h"

namespace fathom::dashboard {
namespace {

using Kind = Parameter::Kind;
constexpr std::size_t usual_rows = 1000, most_rows = 100'000;

template <Table TraceAnswers::*table>
Result<Reply> answer_table(Dashboard& dashboard, const Call& call) {
  TRY(const TraceSource* source, dashboard.trace(call.word("trace")));
  TRY(const auto answers, source->answers());
  return table_reply((*answers).*table, call.whole_within("limit", usual_rows, 1, most_rows));
}

Result<Reply> answer_concurrency(Dashboard& dashboard, const Call& call) {
  TRY(const TraceSource* source, dashboard.trace(call.word("trace")));
  TRY(const auto answers, source->answers());
  TRY(const TimeWindow window, window_asked(*source, call));
  TRY(const trace::Interface interface, interface_asked(call, trace::Interface::posix));
  const CallLevels levels = answers->calls.levels(window, call.whole_within("columns", 2000, 1, 4096), interface);
  Json found{{"interface", trace::interface_names[static_cast<std::size_t>(interface)]},
             {"from", since_start(*source, levels.from)},
             {"to", since_start(*source, levels.to)},
             {"steps", Json::array()},
             {"exact", levels.exact},
             {"share", Json::array()},
             {"largest", levels.most.back()}};
  for (const CallLevels::Step& step : levels.steps)
    found["steps"].push_back({since_start(*source, step.time), step.levels[0], step.levels[1], step.levels[2]});
  for (const std::int64_t time : levels.lasted)
    found["share"].push_back(static_cast<double>(time) / static_cast<double>(levels.to - levels.from));
  Reply reply = json_reply(found);
  const Reply rows =
      table_reply(answers->concurrency[static_cast<std::size_t>(interface)], call.whole_within("limit", usual_rows, 1, most_rows));
  reply.body.back() = ',';
  reply.body.append(rows.body, 1);
  return reply;
}

constexpr Parameter limit{"limit", "rows, at most 100000 (1000)", Kind::whole};
constexpr Parameter table_parameters[] = {limit};
constexpr Parameter concurrency_parameters[] = {{"from", "seconds since the start of the trace", Kind::number},
                                                {"to", "seconds since the start of the trace", Kind::number},
                                                {"columns", "at most so many steps (2000)", Kind::whole},
                                                {"interface", "posix (default), mpiio, hdf5 or pnetcdf"},
                                                limit};

}  // namespace

namespace endpoints {
extern const Endpoint trace_concurrency, trace_decomposition, trace_bandwidth, trace_findings, trace_files;
constinit const Endpoint trace_concurrency{.method = "GET",
                                           .path = "/traces/{trace}/concurrency",
                                           .summary = "Reads and writes under way at once; rows as `fathom trace concurrency` has them",
                                           .answers = "Concurrency",
                                           .parameters = concurrency_parameters,
                                           .answer = answer_concurrency,
                                           .version = trace_version};
constinit const Endpoint trace_decomposition{.method = "GET",
                                             .path = "/traces/{trace}/decomposition",
                                             .summary = "Where the time of MPI-IO calls goes, as `fathom trace decompose` has it",
                                             .answers = "Decomposition",
                                             .parameters = table_parameters,
                                             .answer = answer_table<&TraceAnswers::decomposition>,
                                             .version = trace_version};
constinit const Endpoint trace_bandwidth{
    .method = "GET",
    .path = "/traces/{trace}/bandwidth",
    .summary = "Bandwidths as the program, MPI and the file system see them, as `fathom trace bandwidth` has them",
    .answers = "BandwidthTable",
    .parameters = table_parameters,
    .answer = answer_table<&TraceAnswers::bandwidth>,
    .version = trace_version};
constinit const Endpoint trace_findings{.method = "GET",
                                        .path = "/traces/{trace}/findings",
                                        .summary = "What should be changed, as `fathom trace findings` has it",
                                        .answers = "Findings",
                                        .parameters = table_parameters,
                                        .answer = answer_table<&TraceAnswers::findings>,
                                        .version = trace_version};
constinit const Endpoint trace_files{.method = "GET",
                                     .path = "/traces/{trace}/files",
                                     .summary = "The files of the run, as `fathom trace files` has them",
                                     .answers = "TraceFiles",
                                     .parameters = table_parameters,
                                     .answer = answer_table<&TraceAnswers::files>,
                                     .version = trace_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
