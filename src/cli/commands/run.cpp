// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cli/command.h"
#include "cli/traced_command.h"
#include "ranks/launcher.h"
#include "trace_analysis/summary.h"
#include "trace_analysis/walk.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> words, include, exclude;
  std::string directory, max_size;
  bool trace = false;
};

std::string joined(const std::vector<std::string>& patterns) {
  std::string all;
  for (const std::string& pattern : patterns) all += (all.empty() ? "" : ":") + fs::absolute(pattern).string();
  return all;
}

std::string default_directory(const std::string& program) {
  return fmt::format("{}-{:%Y%m%dT%H%M%S}.trace", fs::path(program).filename().string(), fmt::localtime(std::time(nullptr)));
}

/// An empty folder, or a new one: traces of two runs would be taken for one.
Result<void> prepare(const fs::path& directory, bool alone) {
  std::error_code problem;
  fs::create_directories(directory, problem);
  if (!fs::is_directory(directory))
    return Error{ErrorKind::unwritable, fmt::format("making the trace's folder: {} ({})", problem ? problem.message() : "something else has that name", directory.string())};
  if (!alone) return {};
  for (const auto& entry : fs::directory_iterator(directory, problem))
    if (entry.path().extension() == ".fathom" || entry.path().filename() == "run.json")
      return Error{ErrorKind::usage, fmt::format("starting a trace: there is one already; name another folder with -o ({})", directory.string())};
  return {};
}

void write_run(const TracedCommand& command, const TracedOutcome* outcome) {
  nlohmann::ordered_json run;
  run["fathom"] = FATHOM_VERSION;
  run["command"] = command.words;
  run["directory"] = fs::current_path().string();
  if (outcome) {
    run["start"] = static_cast<double>(outcome->start) / 1e9;
    run["end"] = static_cast<double>(outcome->end) / 1e9;
    run["exit_code"] = outcome->exit_code;
  }
  std::ofstream(command.directory / "run.json") << run.dump(2) << '\n';
}

/// 1 file, 2 files, 3 processes
std::string counted(std::uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", human_count(number), thing, number == 1 ? "" : thing.ends_with('s') ? "es" : "s");
}

/// The second line: what moved. Traces of very long runs are not read for it.
std::string moved_line(const fs::path& directory) {
  constexpr std::uint64_t most_records = 20'000'000;
  const auto trace = trace::open_trace(directory);
  if (!trace) return "no calls were recorded";
  if (trace->records > most_records) return fmt::format("{} of {}", counted(trace->records, "call"), counted(trace->processes.size(), "process"));
  trace::SummaryAnalysis analysis(*trace);
  if (const auto walked = trace::walk_trace(*trace, {&analysis}); !walked) return "the trace cannot be read: " + walked.error().message;
  const trace::Summary& summary = analysis.summary();
  std::string line = fmt::format("{} of {} on {}", counted(summary.events, "call"), counted(summary.processes, "process"), counted(summary.files, "file"));
  for (const auto interface : {trace::Interface::mpiio, trace::Interface::posix}) {
    const trace::LayerTotals& layer = summary.layers[static_cast<std::size_t>(interface)];
    if (!layer.moved_data()) continue;
    line += fmt::format("; {}: {} read in {}, {} written in {}", trace::interface_names[static_cast<std::size_t>(interface)], human_bytes(static_cast<double>(layer.bytes[0])),
                        counted(layer.transfers[0], "call"), human_bytes(static_cast<double>(layer.bytes[1])), human_count(layer.transfers[1]));
  }
  return line;
}

/// What a user wants to know at once, in three lines.
void print_trace_end(const TracedCommand& command, const TracedOutcome& outcome) {
  std::uint64_t bytes = 0;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(command.directory, problem))
    if (entry.path().extension() == ".fathom") bytes += entry.file_size(problem);
  const std::string shown = fs::relative(command.directory, problem).string();
  const std::string& name = shown.starts_with("..") ? command.directory.string() : shown;
  std::string how = outcome.exit_code > 128 ? fmt::format("ended by signal {}", outcome.exit_code - 128) : fmt::format("exit code {}", outcome.exit_code);
  if (!outcome.incomplete.empty()) how += "; the trace is not complete";
  fmt::print(stderr, "fathom: ran {:.3f} s, {}; {} of trace in {}\n", static_cast<double>(outcome.end - outcome.start) / 1e9, how, human_bytes(static_cast<double>(bytes)), name);
  fmt::print(stderr, "fathom: {}\n", moved_line(command.directory));
  fmt::print(stderr, "fathom: next: fathom trace summary {0}, fathom trace findings {0}\n", name);
}

Result<void> run(const Options& given) {
  if (given.words.empty()) return Error{ErrorKind::usage, "run: no command given\nTry: fathom run -- COMMAND ARGUMENTS"};
  TracedCommand command;
  command.words = given.words;
  TRY(command.library, find_tracer());
  command.directory = fs::absolute(given.directory.empty() ? default_directory(given.words[0]) : given.directory);
  command.include = joined(given.include);
  command.exclude = joined(given.exclude);
  if (!given.max_size.empty()) {
    const auto bytes = parse_bytes(given.max_size);
    if (!bytes || *bytes == 0) return Error{ErrorKind::usage, fmt::format("run: --max-size {}: not an amount of bytes", given.max_size)};
    command.max_size = *bytes;
  }
  const auto launcher = find_launcher(process_environment());
  command.alone = !launcher || launcher->size <= 1;
  if (!command.alone && given.directory.empty()) return Error{ErrorKind::usage, "run: under a launcher all ranks need one folder: name it with -o"};
  const Result<void> prepared = prepare(command.directory, command.alone);
  if (!prepared && prepared.error().kind == ErrorKind::usage) return prepared.error();
  // A folder that cannot be made is no reason not to run the program: the tracer says so and steps aside.
  const Result<TracedOutcome> ran = run_traced(command);
  if (!ran) {
    std::error_code problem;
    fs::remove(command.directory, problem);  // if it is empty: nothing was started
    return ran.error();
  }
  const TracedOutcome& outcome = *ran;
  if (prepared && (command.alone || launcher->rank == 0)) write_run(command, &outcome);
  if (command.alone || launcher->rank == 0) print_trace_end(command, outcome);
  std::fflush(nullptr);
  ::_exit(outcome.exit_code);
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_flag("--trace", options->trace, "record every call (the default)");
  app.add_option("-o", options->directory, "the trace's folder (default PROGRAM-TIME.trace)")->type_name("DIR");
  app.add_option("--include", options->include, "only files whose absolute path matches, * and ? allowed; several times")->type_name("PATTERN")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--exclude", options->exclude, "no files whose absolute path matches; several times")->type_name("PATTERN")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--max-size", options->max_size, "stop tracing when a node's trace file reaches this size (1G)")->type_name("BYTES");
  app.add_option("COMMAND", options->words, "the program and its arguments, after --");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {

extern const Command run;
constinit const Command run{
    .name = "run",
    .summary = "Run a program and trace its I/O: every POSIX and MPI-IO call",
    .details =
        "Runs COMMAND with Fathom's library loaded before its own; the program needs no change, no recompiling and no MPI. All processes it "
        "starts are traced too, on other nodes as well if the launcher passes the environment on. Output, exit code and behaviour stay as they "
        "are. If tracing is impossible (no space, no permission), one line on standard error says so and the program runs on untraced. A "
        "program that is killed loses nothing: all calls that had returned are in the trace. Statically linked programs need fathom-cc.\n"
        "Without `fathom run` (from a Slurm TaskProlog, say) the library works from its environment: LD_PRELOAD and FATHOM_TRACE_DIR.",
    .examples =
        "  fathom run -- ./app input.nml\n"
        "  fathom run -o trace -- mpiexec -n 4 ./app\n"
        "  mpiexec -n 4 fathom run -o trace -- ./app\n"
        "  fathom run --include '/scratch/*' --max-size 2G -- python3 train.py",
    .declare = declare,
    .ranks = true,
};

}  // namespace commands
}  // namespace fathom
