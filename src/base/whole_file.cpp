// SPDX-License-Identifier: Apache-2.0
#include "base/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/talk.h"

namespace fathom {

Result<std::string> read_whole_file(const std::string& path) {
  constexpr std::size_t most = 256u << 20;  // nobody writes that by hand: rather a device or a log
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return Error{errno == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable, std::strerror(errno)};
  std::string text;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    if (text.size() + count > most) return Error{ErrorKind::unreadable, "it is larger than 256 MiB"};
    text.append(block, count);
  }
  if (std::ferror(file.get()) != 0) return Error{ErrorKind::unreadable, std::strerror(errno)};
  tell_step("reading {} ({} bytes)", path, text.size());
  return text;
}

}  // namespace fathom
