// SPDX-License-Identifier: Apache-2.0
#include "store_export/salt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/sha256.h"
#include "store/files.h"

namespace fathom {
namespace {

Error cannot(std::string_view what, const std::string& path, ErrorKind kind) {
  return {kind, fmt::format("{} the salt in {}: {}", what, path, std::strerror(errno))};
}

Result<Salt> read_salt(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // a pipe shall not block
  if (!file.open()) return cannot("reading", path, ErrorKind::unreadable);
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return cannot("reading", path, ErrorKind::unreadable);
  if (!S_ISREG(facts.st_mode)) return Error{ErrorKind::unreadable, fmt::format("reading the salt in {}: it is no regular file", path)};
  if ((facts.st_mode & 077u) != 0)
    return Error{ErrorKind::unreadable, fmt::format("reading the salt in {}: others may read or change it (chmod 600)", path)};
  char text[80];
  const ssize_t got = ::read(file.get(), text, sizeof text);
  if (got < 0) return cannot("reading", path, ErrorKind::unreadable);
  const auto salt = parse_salt({text, static_cast<std::size_t>(got)});
  if (!salt)
    return Error{ErrorKind::malformed,
                 fmt::format("reading the salt in {}: it is not one line of 64 hexadecimal digits ({}:1)", path, path)};
  return *salt;
}

}  // namespace

Result<Salt> draw_salt() {
  Salt salt{};
  for (std::size_t have = 0; have < salt.size();) {
    const ssize_t got = ::getrandom(salt.data() + have, salt.size() - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Error{ErrorKind::unsupported, fmt::format("drawing a random salt: {}", std::strerror(errno))};
    have += static_cast<std::size_t>(got);
  }
  return salt;
}

std::optional<Salt> parse_salt(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  Salt salt{};
  if (text.size() != 2 * salt.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return std::nullopt;
    salt[i / 2] = static_cast<std::uint8_t>(salt[i / 2] << 4 | digit);
  }
  return salt;
}

Result<Salt> salt_of_file(const std::string& path) {
  // Never an existing file, and never one that others could open between its creation and its mode.
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.open()) return errno == EEXIST ? read_salt(path) : cannot("writing", path, ErrorKind::unwritable);
  TRY(const Salt salt, draw_salt());
  const std::string text = hex_digits(salt) + "\n";
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) || ::fsync(file.get()) != 0) {
    const Error error = cannot("writing", path, ErrorKind::unwritable);
    ::unlink(path.c_str());
    return error;
  }
  return salt;
}

}  // namespace fathom
