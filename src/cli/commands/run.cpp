// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cli/command.h"
#include "cli/run_end.h"
#include "cli/traced_command.h"
#include "ranks/launcher.h"
#include "trace_format/slice.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> words, include, exclude;
  std::string directory, max_size;
  bool trace = false, slices = false;
  double slice = 0;  // seconds; 0: as usual
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
    return Error{ErrorKind::unwritable, fmt::format("making the trace's folder: {} ({})",
                                                    problem ? problem.message() : "something else has that name", directory.string())};
  if (!alone) return {};
  for (const auto& entry : fs::directory_iterator(directory, problem))
    if (entry.path().extension() == ".fathom" || entry.path().filename() == "run.json")
      return Error{ErrorKind::usage,
                   fmt::format("starting a trace: there is one already; name another folder with -o ({})", directory.string())};
  return {};
}

void write_run(const TracedCommand& command, const TracedOutcome* outcome) {
  nlohmann::ordered_json run;
  run["fathom"] = FATHOM_VERSION;
  run["command"] = command.words;
  std::error_code gone;  // the folder that it was started in may not be there any more
  run["directory"] = fs::current_path(gone).string();
  if (outcome) {
    run["start"] = static_cast<double>(outcome->start) / 1e9;
    run["end"] = static_cast<double>(outcome->end) / 1e9;
    run["exit_code"] = outcome->exit_code;
  }
  std::ofstream(command.directory / "run.json") << run.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
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
  // Neither named: both.
  command.trace = given.trace || !given.slices;
  command.slices = given.slices || !given.trace;
  if (given.slice != 0) {
    if (!(given.slice * 1e9 >= static_cast<double>(trace::shortest_slice) && given.slice <= 86'400))
      return Error{ErrorKind::usage, fmt::format("run: --slice {}: not between 0.1 and 86400 seconds", given.slice)};
    command.slice = fmt::format("{:.9f}", given.slice);
  }
  const Task task = find_task(process_environment());
  command.alone = task.size == 1;
  if (!command.alone && given.directory.empty())
    return Error{ErrorKind::usage, "run: under a launcher all ranks need one folder: name it with -o"};
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
  if (prepared && (command.alone || task.rank == 0)) write_run(command, &outcome);
  if (command.alone || task.rank == 0) print_run_end(command, outcome);
  std::fflush(nullptr);
  ::_exit(outcome.exit_code);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.add_flag("--trace", options->trace, "record every call (without --trace and --slices: both)");
  line.add_flag("--slices", options->slices,
                "count calls and bytes in slices of wall-clock time: costs next to nothing, and shows who runs beside whom");
  line.add_option("--slice", options->slice,
                  "length of a slice in seconds (default 4); the same for all applications that are to be compared")
      .type_name("S");
  line.add_option("-o", options->directory, "the trace's folder (default PROGRAM-TIME.trace)").type_name("DIR");
  line.add_option("--include", options->include, "only files whose absolute path matches, * and ? allowed; several times")
      .type_name("PATTERN")
      .repeated();
  line.add_option("--exclude", options->exclude, "no files whose absolute path matches; several times").type_name("PATTERN").repeated();
  line.add_option("--max-size", options->max_size, "stop tracing when a node's trace file reaches this size (1G)").type_name("BYTES");
  line.add_option("COMMAND", options->words, "the program and its arguments, after --");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {

extern const Command run;
constinit const Command run{
    .name = "run",
    .summary = "Run a program and record its I/O: every POSIX and MPI-IO call, and time slices",
    .details =
        "Runs COMMAND with Fathom's library loaded before its own; the program needs no change, no recompiling and no MPI. All processes "
        "it "
        "starts are traced too, on other nodes as well if the launcher passes the environment on. Output, exit code and behaviour stay as "
        "they "
        "are. If tracing is impossible (no space, no permission), one line on standard error says so and the program runs on untraced. A "
        "program that is killed loses nothing: all calls that had returned are in the trace. Statically linked programs need fathom-cc.\n"
        "Without `fathom run` (from a Slurm TaskProlog, say) the library works from its environment: LD_PRELOAD and FATHOM_TRACE_DIR.",
    .examples =
        "  fathom run -- ./app input.nml\n"
        "  fathom run -o trace -- mpiexec -n 4 ./app\n"
        "  mpiexec -n 4 fathom run -o trace -- ./app\n"
        "  srun -N 2 -n 4 fathom run -o trace -- ./app\n"
        "  fathom run --slices -o slices -- mpiexec -n 4 ./app\n"
        "  fathom run --include '/scratch/*' --max-size 2G -- python3 train.py",
    .declare = declare,
    .ranks = true,
};

}  // namespace commands
}  // namespace fathom
