// SPDX-License-Identifier: Apache-2.0
#include "slurm/child_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/spawn.h"
#include "store/files.h"

namespace fathom::slurm {

ChildProgram::~ChildProgram() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

Result<void> ChildProgram::start(const std::vector<std::string>& words) {
  const Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const auto started = spawn(words, nowhere.get(), nowhere.get(), STDERR_FILENO);
  if (!started) return Error{started.error().kind, fmt::format("starting {}: {}", fmt::join(words, " "), started.error().message)};
  pid_ = *started;
  return {};
}

std::optional<int> ChildProgram::ended() {
  if (pid_ <= 0) return std::nullopt;
  int status = 0;
  const pid_t found = ::waitpid(pid_, &status, WNOHANG);
  if (found == 0 || (found < 0 && errno == EINTR)) return std::nullopt;
  pid_ = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace fathom::slurm
