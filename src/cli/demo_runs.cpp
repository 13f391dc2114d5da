// SPDX-License-Identifier: Apache-2.0
#include "cli/demo_runs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/spawn.h"
#include "base/text.h"
#include "cli/shell_words.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct TracedRun {
  std::string name;                  // of its folder
  std::vector<std::string> command;  // the traced one
};

bool on_path(std::string_view program) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();)
    if (::access((fs::path(take_until(rest, ':')) / program).c_str(), X_OK) == 0) return true;
  return false;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) words.emplace_back(word);
  return words;
}

/// A checkpoint of four ranks into one file, and an analysis of two that write and read files of their own in tiny requests.
std::vector<TracedRun> planned(const std::string& folder, bool mpi) {
  const auto command = [&](const std::string& name, int ranks, std::string_view work) {
    std::vector<std::string> words =
        words_of(mpi ? fmt::format("mpiexec -n {} fathom bench {}", ranks, work) : fmt::format("fathom bench --tasks {} {}", ranks, work));
    words.push_back(fmt::format("{}/data-{}", folder, name));
    return TracedRun{name, std::move(words)};
  };
  return {command("checkpoint", 4,
                  mpi ? "--interface mpiio --layout shared --size 1M --count 96 --sync" : "--layout shared --size 1M --count 96 --sync"),
          command("analysis", 2, "--size 1K --count 200000 --sync")};
}

std::vector<std::string> traced(const std::string& folder, const TracedRun& run, const std::string& program) {
  std::vector<std::string> words = {program, "run", "--slice", "0.1", "-o", folder + "/" + run.name, "--"};
  for (const std::string& word : run.command) words.push_back(word == "fathom" ? program : word);
  return words;
}

/// Its process; what it prints goes to a file.
Result<pid_t> start(const std::vector<std::string>& words, const std::string& output) {
  const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (out < 0 || in < 0) {
    if (out >= 0) ::close(out);
    if (in >= 0) ::close(in);
    return Error{ErrorKind::unwritable, fmt::format("writing {}", output)};
  }
  auto pid = spawn(words, in, out, out);
  ::close(out);
  ::close(in);
  if (!pid) return Error{pid.error().kind, fmt::format("starting {}: {}", words[0], pid.error().message)};
  return pid;
}

int exit_code(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// True: both ended well.
Result<bool> run_both(const std::string& folder, const std::vector<TracedRun>& runs, const std::string& program) {
  std::vector<pid_t> started;
  Result<void> problem;
  for (const TracedRun& run : runs) {
    const auto pid = start(traced(folder, run, program), fmt::format("{}/{}.txt", folder, run.name));
    if (pid)
      started.push_back(*pid);
    else
      problem = pid.error();
  }
  bool well = true;
  for (const pid_t pid : started) well &= exit_code(pid) == 0;
  if (!problem) return problem.error();
  return well;
}

}  // namespace

Result<std::vector<std::string>> trace_side_by_side(const std::string& folder, const std::function<void(std::string_view)>& step) {
  std::error_code failed;
  const std::string program = fs::read_symlink("/proc/self/exe", failed).string();
  fs::create_directories(folder, failed);
  // Open MPI wants to be told that root may start a program, and that there are more ranks than cores.
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
    ::setenv(name, "1", 0);
  for (bool mpi = on_path("mpiexec");; mpi = false) {
    const std::vector<TracedRun> runs = planned(folder, mpi);
    std::string commands;
    for (const TracedRun& run : runs)
      commands += fmt::format("{}{}", commands.empty() ? "" : " & ", shell_line(traced(folder, run, "fathom")));
    step(commands + "; wait");
    TRY(const bool well, run_both(folder, runs, program));
    for (const TracedRun& run : runs) fs::remove_all(fmt::format("{}/data-{}", folder, run.name), failed);
    if (!well && !mpi)
      return Error{
          ErrorKind::unreadable,
          fmt::format("tracing two programs: one of them failed; what they said is in {0}/checkpoint.txt and {0}/analysis.txt", folder)};
    std::vector<std::string> folders;
    for (const TracedRun& run : runs) folders.push_back(folder + "/" + run.name);
    if (well) return folders;
    fmt::print("  mpiexec did not do it here (see {}/checkpoint.txt); once more without MPI\n", folder);
    for (const std::string& each : folders) fs::remove_all(each, failed);
  }
}

}  // namespace fathom
