// SPDX-License-Identifier: Apache-2.0
#include "store/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace fathom {
namespace {

Error failed(std::string_view what, const std::string& path, ErrorKind kind = ErrorKind::unwritable) {
  return Error{kind, fmt::format("{} {}: {}", what, path, std::strerror(errno))};
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (number_ >= 0) ::close(number_);
    number_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

int Descriptor::release() {
  const int number = number_;
  number_ = -1;
  return number;
}

Result<std::string> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return failed("opening", path, errno == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable);
  std::string content;
  char buffer[65536];
  ssize_t got = 0;
  while ((got = ::read(file.get(), buffer, sizeof buffer)) > 0) content.append(buffer, static_cast<std::size_t>(got));
  if (got < 0) return failed("reading", path, ErrorKind::unreadable);
  return content;
}

Result<void> replace_file(const std::string& path, std::string_view content) {
  const std::string aside = path + ".new";
  {
    const Descriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file.open()) return failed("writing", path);
    while (!content.empty()) {
      const ssize_t put = ::write(file.get(), content.data(), content.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) {
        const Error error = failed("writing", path);
        ::unlink(aside.c_str());
        return error;
      }
      content.remove_prefix(static_cast<std::size_t>(put));
    }
    if (::fsync(file.get()) != 0) return failed("flushing", path);
  }
  TRY_VOID(rename_file(aside, path));
  return flush_to_disk(std::filesystem::path(path).parent_path());
}

Result<void> flush_to_disk(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open() || ::fsync(file.get()) != 0) return failed("flushing", path);
  return {};
}

Result<void> make_directories(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(path, problem);
  if (problem) return Error{ErrorKind::unwritable, fmt::format("creating {}: {}", path, problem.message())};
  return {};
}

Result<void> rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return failed("moving to", to);
  return {};
}

void remove_quietly(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

Result<Descriptor> lock_file(const std::string& path, const std::function<void()>& waiting) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.open()) return failed("locking", path);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file;
  if (errno != EWOULDBLOCK) return failed("locking", path);
  waiting();
  while (::flock(file.get(), LOCK_EX) != 0)
    if (errno != EINTR) return failed("locking", path);
  return file;
}

}  // namespace fathom
