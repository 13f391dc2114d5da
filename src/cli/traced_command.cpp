// SPDX-License-Identifier: Apache-2.0
#include "cli/traced_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>

#include "trace/memory_reader.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::int64_t unix_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  utsname names{};
  ::uname(&names);
  return names.nodename;
}

void set_environment(const TracedCommand& command, const fs::path& memory) {
  const char* const before = std::getenv("LD_PRELOAD");
  const std::string preload = before && *before ? fmt::format("{}:{}", command.library.string(), before) : command.library.string();
  ::setenv("LD_PRELOAD", preload.c_str(), 1);
  ::setenv("FATHOM_TRACE_DIR", command.directory.c_str(), 1);
  ::setenv("FATHOM_MEMORY", memory.c_str(), 1);
  ::setenv("FATHOM_COLLECTED", host_name().c_str(), 1);
  ::setenv("FATHOM_RECORD", command.trace && command.slices ? "trace,slices" : command.trace ? "trace" : "slices", 1);
  if (!command.slice.empty()) ::setenv("FATHOM_SLICE", command.slice.c_str(), 1);
  if (!command.include.empty()) ::setenv("FATHOM_INCLUDE", command.include.c_str(), 1);
  if (!command.exclude.empty()) ::setenv("FATHOM_EXCLUDE", command.exclude.c_str(), 1);
  if (command.max_size > 0) ::setenv("FATHOM_MAX_SIZE", std::to_string(command.max_size).c_str(), 1);
}

volatile sig_atomic_t child = 0;
void pass_on(int signal) {
  if (child > 0) ::kill(child, signal);
}

/// The child: as if this program had not been there. Returns only if exec failed.
[[noreturn]] void become(const TracedCommand& command, const fs::path& memory, int report) {
  set_environment(command, memory);
  for (const int each : {SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT, SIGTERM, SIGHUP}) ::signal(each, SIG_DFL);
  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  const int trouble = errno;
  [[maybe_unused]] const ssize_t told = ::write(report, &trouble, sizeof trouble);
  ::_exit(127);
}

void add(trace::Leftovers& all, const trace::Leftovers& more) {
  all.processes += more.processes;
  all.records += more.records;
  all.killed += more.killed;
  all.alive = more.alive;
}

}  // namespace

Result<fs::path> find_tracer() {
  std::error_code problem;
  const fs::path folder = fs::read_symlink("/proc/self/exe", problem).parent_path();
  for (const char* way : {"lib", "../lib/fathom", "../lib"}) {
    const fs::path place = (folder / way / "libfathom-trace.so").lexically_normal();
    if (fs::exists(place, problem)) return place;
  }
  return Error{ErrorKind::not_found,
               fmt::format("looking for the tracer: no libfathom-trace.so beside the program ({})", (folder / "lib").string())};
}

Result<TracedOutcome> run_traced(const TracedCommand& command) {
  // Ranks of one node that each run `fathom run` share it.
  const fs::path memory = trace::memory_folder_of(command.directory);
  std::error_code problem;
  if (command.alone) fs::remove_all(memory, problem);  // of a run that was killed and had the same name
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0)
    return Error{ErrorKind::busy, fmt::format("starting {}: {}", command.words[0], std::strerror(errno))};
  TracedOutcome outcome;
  outcome.start = unix_now();
  const pid_t started = ::fork();
  if (started < 0) return Error{ErrorKind::busy, fmt::format("starting {}: {}", command.words[0], std::strerror(errno))};
  if (started == 0) become(command, memory, report[1]);
  child = started;
  ::close(report[1]);
  // The terminal sends these to the program too; whoever sends them to us alone means the program.
  for (const int each : {SIGTERM, SIGHUP}) ::signal(each, pass_on);
  for (const int each : {SIGINT, SIGQUIT}) ::signal(each, SIG_IGN);
  int trouble = 0;
  const bool not_started = ::read(report[0], &trouble, sizeof trouble) == static_cast<ssize_t>(sizeof trouble);
  ::close(report[0]);
  int status = 0;
  for (auto next = std::chrono::steady_clock::now();;) {
    const pid_t ended = ::waitpid(started, &status, WNOHANG);
    if (ended == started || (ended < 0 && errno != EINTR)) break;
    // Programs that start thousands of others must not fill the memory with what those leave behind.
    if (std::chrono::steady_clock::now() >= next) {
      if (const auto found = trace::collect_leftovers(memory, command.directory)) add(outcome.leftovers, *found);
      next = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    }
    static int wait_ms = 1;
    ::usleep(static_cast<useconds_t>(wait_ms) * 1000);
    wait_ms = std::min(wait_ms * 2, 20);
  }
  outcome.end = unix_now();
  if (not_started) return Error{ErrorKind::not_found, fmt::format("starting {}: {}", command.words[0], std::strerror(trouble))};
  outcome.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  // The program has done its work; that its trace could not be written in full is a remark, not a failure.
  const auto found = trace::collect_leftovers(memory, command.directory);
  if (found)
    add(outcome.leftovers, *found);
  else
    outcome.incomplete = found.error().message;
  if ((!found || found->alive == 0) && command.alone) fs::remove_all(memory, problem);
  if (!command.alone) fs::remove(memory, problem);  // whoever is last finds it empty
  return outcome;
}

}  // namespace fathom
