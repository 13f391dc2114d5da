// SPDX-License-Identifier: Apache-2.0
#include "store/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fathom {

Result<RegularFile> open_regular_file(const std::string& path) {
  RegularFile file{.descriptor = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))};
  if (!file.descriptor.open()) return Error{errno == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable, std::strerror(errno)};
  struct stat facts {};
  if (::fstat(file.descriptor.get(), &facts) != 0) return Error{ErrorKind::unreadable, std::strerror(errno)};
  if (!S_ISREG(facts.st_mode)) return Error{ErrorKind::unreadable, "it is no regular file"};
  file.bytes = static_cast<std::uint64_t>(facts.st_size);
  file.mode = facts.st_mode & 07777u;
  return file;
}

Result<std::string> read_part(const RegularFile& file, std::uint64_t from, std::uint64_t most) {
  std::string text(from < file.bytes ? std::min(file.bytes - from, most) : 0, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t done = ::pread(file.descriptor.get(), text.data() + have, text.size() - have, static_cast<off_t>(from + have));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return Error{ErrorKind::unreadable, std::strerror(errno)};
    if (done == 0) break;  // it has become shorter
    have += static_cast<std::size_t>(done);
  }
  text.resize(have);
  return text;
}

}  // namespace fathom
