// SPDX-License-Identifier: Apache-2.0
// Each task has a socket to the parent. It sends `b` or `f` (arrived at a barrier, well or failed) and gets `c` or `s` (continue, stop); at
// its end it sends `g`, a length and its outcome. All tasks take the same steps, so the parent may listen to one after another.
#include "bench/forked_tasks.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

namespace fathom {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Until destroyed, the signals that end a program only make this one stop and tidy up. They are let in while it waits and at no other
/// time: none can slip in between a look at `interrupted` and the wait.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = 0;
    struct sigaction act {};
    act.sa_handler = [](int) { interrupted = 1; };
    sigset_t held;
    sigemptyset(&held);
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      sigaddset(&held, signals[i]);
      sigaction(signals[i], &act, &before_[i]);
    }
    sigprocmask(SIG_BLOCK, &held, &mask_);
  }
  ~InterruptGuard() {
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;

  /// False when a signal came.
  bool wait_readable(int socket) const {
    pollfd one{socket, POLLIN, 0};
    while (interrupted == 0)
      if (::ppoll(&one, 1, nullptr, &mask_) > 0) return true;
    return false;
  }

  /// In a task: signals do what they did before.
  void leave_to_task() const {
    for (const int signal : signals) std::signal(signal, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(signals)];
  sigset_t mask_;
};

bool send_all(int socket, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

/// With a guard, a signal ends the wait.
bool receive_all(int socket, void* data, std::size_t size, const InterruptGuard* guard = nullptr) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    if (guard != nullptr && !guard->wait_readable(socket)) return false;
    const ssize_t got = ::recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

int child_any_failed(void* context, int failed) {
  const int socket = *static_cast<int*>(context);
  const char word = failed != 0 ? 'f' : 'b';
  char answer = 's';
  return send_all(socket, &word, 1) && receive_all(socket, &answer, 1) && answer == 'c' ? 0 : 1;
}

int child_gather(void* context, const void* data, std::uint64_t bytes, void (*)(void*, std::uint64_t, const void*, std::uint64_t), void*) {
  const int socket = *static_cast<int*>(context);
  return send_all(socket, "g", 1) && send_all(socket, &bytes, sizeof bytes) && send_all(socket, data, bytes) ? 0 : EPIPE;
}

[[noreturn]] void be_child(int socket, std::uint64_t rank, std::uint64_t tasks,
                           const std::function<TaskOutcome(const FathomTaskGroup&)>& run) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no task outlives its run
  const FathomTaskGroup group{.context = &socket, .rank = rank, .tasks = tasks, .any_failed = child_any_failed, .gather = child_gather};
  const std::string bytes = packed(run(group));
  ::_exit(group.gather(group.context, bytes.data(), bytes.size(), nullptr, nullptr) == 0 ? 0 : 1);
}

class Children {
 public:
  Children(std::uint64_t tasks, const InterruptGuard& guard) : tasks_(tasks), guard_(guard) {}
  Children(const Children&) = delete;
  ~Children() {
    for (Child& child : children_) {
      if (child.process > 0 && !child.outcome) ::kill(child.process, SIGKILL);  // one that has delivered ends by itself
      reap(child);
    }
  }

  Result<void> start(const std::function<TaskOutcome(const FathomTaskGroup&)>& run) {
    for (std::uint64_t rank = 0; rank < tasks_; ++rank) {
      int ends[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return failure(rank, errno);
      const pid_t process = ::fork();
      if (process == 0) {
        guard_.leave_to_task();
        ::close(ends[0]);
        for (const Child& other : children_) ::close(other.socket);  // or its task would not see that the parent is gone
        be_child(ends[1], rank, tasks_, run);
      }
      const int problem = errno;
      ::close(ends[1]);
      if (process < 0) {
        ::close(ends[0]);
        return failure(rank, problem);
      }
      children_.push_back({process, ends[0], {}});
    }
    return {};
  }

  /// One step of every task: a barrier, or the outcomes. True when all outcomes are there.
  bool step() {
    bool any_failed = false, waiting = false;
    std::vector<int> at_barrier;
    for (std::uint64_t rank = 0; rank < tasks_; ++rank) {
      Child& child = children_[rank];
      if (child.outcome) {
        any_failed = true;  // died: the others must not wait for it
        continue;
      }
      char word = 0;
      if (!receive_all(child.socket, &word, 1, &guard_) || (word == 'g' && !take_outcome(child, rank))) {
        if (interrupted != 0) return true;
        child.outcome = died(child, rank);
        any_failed = true;
      } else if (word != 'g') {
        any_failed |= word == 'f';
        at_barrier.push_back(child.socket);
        waiting = true;
      }
    }
    const char answer = any_failed ? 's' : 'c';
    for (const int socket : at_barrier) send_all(socket, &answer, 1);
    return !waiting;
  }

  std::vector<TaskOutcome> outcomes() {
    std::vector<TaskOutcome> all;
    for (Child& child : children_) all.push_back(std::move(*child.outcome));
    return all;
  }

 private:
  struct Child {
    pid_t process = -1;
    int socket = -1;
    std::optional<TaskOutcome> outcome;
  };

  static Error failure(std::uint64_t rank, int problem) {
    return {ErrorKind::busy, fmt::format("starting task {} of the benchmark: {}", rank, std::strerror(problem))};
  }

  bool take_outcome(Child& child, std::uint64_t rank) const {
    std::uint64_t size = 0;
    if (!receive_all(child.socket, &size, sizeof size, &guard_)) return false;
    std::string bytes(size, '\0');
    if (!receive_all(child.socket, bytes.data(), size, &guard_)) return false;
    child.outcome = unpacked(rank, bytes);
    return true;
  }

  static TaskOutcome died(Child& child, std::uint64_t rank) {
    const int status = reap(child);
    TaskOutcome outcome;
    outcome.task = rank;
    outcome.failure = WIFSIGNALED(status) ? fmt::format("running task {}: it was ended by signal {}", rank, WTERMSIG(status))
                                          : fmt::format("running task {}: it ended early, with exit code {}", rank, WEXITSTATUS(status));
    return outcome;
  }

  static int reap(Child& child) {
    int status = 0;
    if (child.socket >= 0) ::close(std::exchange(child.socket, -1));
    if (child.process <= 0) return status;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    child.process = -1;
    return status;
  }

  std::uint64_t tasks_;
  const InterruptGuard& guard_;
  std::vector<Child> children_;
};

}  // namespace

Result<std::vector<TaskOutcome>> run_forked(std::uint64_t tasks, const std::function<TaskOutcome(const FathomTaskGroup&)>& run) {
  const InterruptGuard guard;
  Children children(tasks, guard);
  TRY_VOID(children.start(run));
  while (!children.step()) {
  }
  if (interrupted != 0) return Error{ErrorKind::busy, "benchmarking: interrupted by a signal"};
  return children.outcomes();
}

}  // namespace fathom
