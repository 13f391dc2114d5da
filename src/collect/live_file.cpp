// SPDX-License-Identifier: Apache-2.0
#include "collect/live_file.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "store/files.h"

namespace fathom {

Result<std::string> read_live_file(const std::string& path) {
  auto failed = [] { return Error{errno == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable, std::strerror(errno)}; };
  // Not blocking: a pipe put there by mistake must not stop a collector for ever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) return failed();
  std::string text;
  std::size_t used = 0;
  for (;;) {
    if (used == longest_live_file) return Error{ErrorKind::unreadable, "it is larger than 64 MiB"};
    text.resize(std::min(longest_live_file, std::max<std::size_t>(4096, used * 2)));
    const ssize_t count = ::read(file.get(), text.data() + used, text.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed();
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
  }
  text.resize(used);
  return text;
}

Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::error_code problem;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
    std::string name = at->path().filename();
    if (!name.starts_with('.')) names.push_back(std::move(name));
  }
  if (problem)
    return Error{problem == std::errc::no_such_file_or_directory ? ErrorKind::not_found : ErrorKind::unreadable, problem.message()};
  std::sort(names.begin(), names.end());
  return names;
}

bool fits_pattern(const std::string& name, const std::string& pattern) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0; }

}  // namespace fathom
