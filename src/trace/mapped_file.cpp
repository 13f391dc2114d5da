// SPDX-License-Identifier: Apache-2.0
#include "trace/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "trace/watched_range.h"

namespace fathom::trace {

Result<MappedFile> MappedFile::open(const std::string& path) {
  const auto failed = [&] { return Error{ErrorKind::unreadable, fmt::format("reading {}: {}", path, std::strerror(errno))}; };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return failed();
  MappedFile mapped;
  struct stat info;
  bool good = ::fstat(file, &info) == 0;
  if (good && info.st_size > 0) {
    void* const data = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    good = data != MAP_FAILED;
    if (good) {
      mapped.data_ = static_cast<const std::uint8_t*>(data);
      mapped.size_ = static_cast<std::size_t>(info.st_size);
      mapped.watched_ = watch(data, mapped.size_);
    }
  }
  const int why = errno;
  ::close(file);
  errno = why;
  if (!good) return failed();
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  unwatch(watched_);
  ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

}  // namespace fathom::trace
