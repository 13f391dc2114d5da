// SPDX-License-Identifier: Apache-2.0
#include "base/spawn.h"

#include <signal.h>
#include <spawn.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace fathom {

Result<pid_t> spawn(const std::vector<std::string>& words, int in, int out, int err) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  const int ends[] = {in, out, err};
  for (int to = 0; to < 3; ++to) ::posix_spawn_file_actions_adddup2(&actions, ends[to], to);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) return Error{failed == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable, std::strerror(failed)};
  return pid;
}

}  // namespace fathom
