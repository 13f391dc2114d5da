// SPDX-License-Identifier: Apache-2.0
#include "cli/event_rows.h"
#include "cli/perfetto.h"
#include "cli/trace_commands/trace_commands.h"

namespace fathom {
namespace {

Result<void> run(const std::string& directory, const EventSelection& selection, const std::string& to, const std::string& file) {
  TRY(const trace::Trace trace, open_and_tell(directory));
  if (to != "perfetto") return write_events(trace, selection, to, file);
  const bool protobuf = file.ends_with(".pftrace") || file.ends_with(".perfetto-trace");
  return protobuf ? write_perfetto_protobuf(trace, selection, file) : write_chrome_json(trace, selection, file);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto directory = add_trace_argument(line);
  auto to = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  line.add_option("--to", *to, "perfetto, parquet or csv").required().one_of({"perfetto", "parquet", "csv"}).type_name("FORMAT");
  line.add_option("-o,--output", *file, "the file to write").required().type_name("FILE");
  auto selection = add_event_selection(line);
  return [=] { return run(*directory, *selection, *to, *file); };
}

}  // namespace

namespace trace_commands {
extern const Command export_;
constinit const Command export_{
    .name = "export",
    .summary = "A traced run for other tools",
    .details =
        R"(`perfetto` is for https://ui.perfetto.dev and chrome://tracing: processes and threads with their calls as bars, those inside others below
them. It is JSON (trace event format, times in microseconds from the start of the run), or Perfetto's own smaller format when FILE ends in
.pftrace or .perfetto-trace. `parquet` and `csv` have the columns of `fathom trace events`.)",
    .examples = R"(  fathom trace export traced --to perfetto -o traced.json
  fathom trace export traced --to perfetto -o traced.pftrace --rank 0
  fathom trace export traced --to parquet -o events.parquet)",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
