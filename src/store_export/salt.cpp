// SPDX-License-Identifier: Apache-2.0
#include "store_export/salt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/sha256.h"
#include "store/regular_file.h"

namespace fathom {
namespace {

Error unwritable(const std::string& path) {
  return {ErrorKind::unwritable, fmt::format("writing the salt in {}: {}", path, std::strerror(errno))};
}

Error unreadable(const std::string& path, std::string_view why) {
  return {ErrorKind::unreadable, fmt::format("reading the salt in {}: {}", path, why)};
}

Result<Salt> read_salt(const std::string& path) {
  const auto file = open_regular_file(path);
  if (!file) return unreadable(path, file.error().message);
  if ((file->mode & 077u) != 0) return unreadable(path, "others may read or change it (chmod 600)");
  constexpr std::uint64_t longer_than_any = 80;
  const auto text = read_part(*file, 0, longer_than_any);
  if (!text) return unreadable(path, text.error().message);
  const auto salt = parse_salt(*text);
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
  if (!file.open()) return errno == EEXIST ? read_salt(path) : unwritable(path);
  TRY(const Salt salt, draw_salt());
  const std::string text = hex_digits(salt) + "\n";
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) || ::fsync(file.get()) != 0) {
    const Error error = unwritable(path);
    ::unlink(path.c_str());
    return error;
  }
  return salt;
}

}  // namespace fathom
