// SPDX-License-Identifier: Apache-2.0
#include "collect/run_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/spawn.h"
#include "base/text.h"
#include "store/files.h"

namespace fathom {
namespace {

using Steady = std::chrono::steady_clock;

/// A process that was started and was not waited for yet; it does not outlive this.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);  // its group: what it started too
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;

  /// Its status, if it ends before that.
  std::optional<int> wait_until(Steady::time_point deadline) {
    for (;;) {
      int status = 0;
      const pid_t found = ::waitpid(pid_, &status, WNOHANG);
      if (found == pid_ || (found < 0 && errno != EINTR)) {
        ::kill(-pid_, SIGKILL);  // what it left running
        pid_ = 0;
        return status;
      }
      if (Steady::now() >= deadline) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

 private:
  pid_t pid_;
};

struct Pipe {
  Descriptor from, to;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error{ErrorKind::unreadable, std::strerror(errno)};
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A file in memory: a program that never reads its input cannot hurt who writes it.
Result<Descriptor> input_file(std::string_view text) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.open() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::lseek(file.get(), 0, SEEK_SET) != 0)
    return Error{ErrorKind::unreadable, std::strerror(errno)};
  return file;
}

/// Reads both until they end. False when the time is over.
Result<bool> read_both(int out, std::string& output, int err, std::string& messages, const CommandLimits& limits,
                       Steady::time_point deadline) {
  pollfd ends[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  char block[1 << 16];
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now()).count();
    if (left <= 0) return false;
    const int ready = ::poll(ends, 2, static_cast<int>(left));
    if (ready < 0 && errno != EINTR) return Error{ErrorKind::unreadable, std::strerror(errno)};
    if (ready <= 0) continue;
    for (pollfd& end : ends) {
      if (end.fd < 0 || end.revents == 0) continue;
      const ssize_t count = ::read(end.fd, block, sizeof block);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        end.fd = -1;
        continue;
      }
      const std::string_view piece(block, static_cast<std::size_t>(count));
      if (&end == &ends[1]) {
        if (messages.size() < 1000) messages += piece;
        continue;
      }
      output += piece;
      if (output.size() > limits.bytes) return Error{ErrorKind::malformed, fmt::format("it wrote more than {} bytes", limits.bytes)};
    }
  }
  return true;
}

std::string why(int status, std::string_view messages) {
  const std::string said = messages.empty() ? "" : fmt::format(": {}", excerpt(messages.substr(0, messages.find('\n'))));
  if (WIFSIGNALED(status)) return fmt::format("it was ended by signal {}{}", WTERMSIG(status), said);
  return fmt::format("it ended with {}{}", WEXITSTATUS(status), said);
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  for (auto word = take_word(command); !word.empty(); word = take_word(command)) words.emplace_back(word);
  return words;
}

Result<Duration> command_time(std::string_view word, const std::string& seconds) {
  const auto given = parse_double(seconds);
  if (!given || !(*given >= 0.01 && *given <= 3600))
    return Error{ErrorKind::usage, fmt::format("reading source '{}': timeout is a number of seconds, at most 3600", excerpt(word))};
  return Duration{static_cast<std::int64_t>(*given * 1e6)};
}

Result<std::string> run_command(const std::vector<std::string>& words, std::string_view standard_input, const CommandLimits& limits) {
  const auto failed = [&](ErrorKind kind, const std::string& what) {
    return Error{kind, fmt::format("running {}: {}", excerpt(fmt::format("{}", fmt::join(words, " ")), 80), what)};
  };
  if (words.empty()) return Error{ErrorKind::usage, "running a command: there is none"};
  const auto deadline = Steady::now() + limits.time;
  auto input = input_file(standard_input);
  auto output = make_pipe(), messages = make_pipe();
  for (const Result<Pipe>* each : {&output, &messages})
    if (!*each) return failed(each->error().kind, each->error().message);
  if (!input) return failed(input.error().kind, input.error().message);
  const auto pid = spawn(words, input->get(), output->to.get(), messages->to.get());
  if (!pid) return failed(pid.error().kind, pid.error().message);
  Child child(*pid);
  output->to = Descriptor();
  messages->to = Descriptor();
  std::string text, said;
  const auto whole = read_both(output->from.get(), text, messages->from.get(), said, limits, deadline);
  if (!whole) return failed(whole.error().kind, whole.error().message);
  const auto status = *whole ? child.wait_until(deadline) : std::nullopt;
  if (!status) return failed(ErrorKind::busy, fmt::format("no end after {:g} s: killed", seconds(limits.time)));
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) return failed(ErrorKind::unreadable, why(*status, said));
  return text;
}

}  // namespace fathom
