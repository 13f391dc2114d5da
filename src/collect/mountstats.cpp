// SPDX-License-Identifier: Apache-2.0
#include "collect/mountstats.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace fathom {
namespace {

/// The kernel writes blanks and backslashes of names as \040 and the like.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octal = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

void set(NfsMount& mount, Counter counter, std::uint64_t value) {
  mount.has |= mask(counter);
  mount.values[index(counter)] = value;
}

/// Procedures of NFSv3 and operations of v4 by the counter that they add to. v3 knows no open and close.
std::optional<Counter> counter_of(std::string_view operation) {
  if (operation == "READ") return Counter::read_ops;
  if (operation == "WRITE") return Counter::write_ops;
  if (operation == "OPEN" || operation == "OPEN_NOATTR") return Counter::opens;
  if (operation == "CLOSE") return Counter::closes;
  if (operation == "READDIR" || operation == "READDIRPLUS") return Counter::dirs;
  return std::nullopt;
}

/// What asks for metadata: everything but data (READ, WRITE, COMMIT), locks, and what client and server agree on (SEQUENCE, RENEW, ...).
bool is_metadata(std::string_view operation) {
  static constexpr std::string_view names[] = {"OPEN",   "OPEN_NOATTR", "CLOSE",    "GETATTR",  "SETATTR",     "LOOKUP",     "LOOKUPP",
                                               "ACCESS", "READLINK",    "CREATE",   "MKDIR",    "SYMLINK",     "MKNOD",      "REMOVE",
                                               "RMDIR",  "RENAME",      "LINK",     "READDIR",  "READDIRPLUS", "FSSTAT",     "STATFS",
                                               "GETACL", "SETACL",      "GETXATTR", "SETXATTR", "LISTXATTRS",  "REMOVEXATTR"};
  return std::find(std::begin(names), std::end(names), operation) != std::end(names);
}

class MountstatsParser {
 public:
  explicit MountstatsParser(const RejectLine& reject) : reject_(reject) {}

  void line(std::string_view text, std::uint64_t number) {
    std::string_view rest = text;
    const std::string_view first = take_word(rest);
    if (first == "device") return device(text, rest, number);
    if (!open_) return;
    if (first == "age:") {
      const auto age = parse_u64(take_word(rest));
      if (!age) return reject_(number, text, "age is not a number");
      open_->age = *age;
    } else if (first == "bytes:") {
      bytes(text, rest, number);
    } else if (first == "per-op") {
      per_operation_ = true;
    } else if (per_operation_ && first.ends_with(':')) {
      operation(text, first.substr(0, first.size() - 1), rest, number);
    }
  }

  std::vector<NfsMount> finish() {
    close();
    return std::move(mounts_);
  }

 private:
  void close() {
    // An entry that was cut off before its bytes says nothing.
    if (open_ && open_->has != 0) mounts_.push_back(std::move(*open_));
    open_.reset();
    per_operation_ = false;
  }

  /// device nfs1:/export/home mounted on /home with fstype nfs4 statvers=1.1
  void device(std::string_view text, std::string_view rest, std::uint64_t number) {
    close();
    const std::string_view name = take_word(rest), mounted = take_word(rest), on = take_word(rest), point = take_word(rest),
                           with = take_word(rest), fstype = take_word(rest), type = take_word(rest);
    if (mounted != "mounted") return;  // "no device mounted on ..." begins otherwise
    if (type != "nfs" && type != "nfs4") return;
    if (on != "on" || with != "with" || fstype != "fstype") return reject_(number, text, "not a mount");
    open_.emplace();
    open_->device = unescaped(name);
    open_->point = unescaped(point);
  }

  /// bytes: 1089 0 0 0 4096 8192 1 2 : read and written by calls, the same with O_DIRECT, then as sent by and to the server.
  void bytes(std::string_view text, std::string_view rest, std::uint64_t number) {
    std::array<std::uint64_t, 6> field{};
    for (std::uint64_t& value : field) {
      const auto amount = parse_u64(take_word(rest));
      if (!amount) return reject_(number, text, "six numbers of bytes were expected");
      value = *amount;
    }
    set(*open_, Counter::read_bytes, field[4]);
    set(*open_, Counter::write_bytes, field[5]);
  }

  /// READ: 12 12 0 1728 8389296 0 33 33 0 : the first number is the operations.
  void operation(std::string_view text, std::string_view name, std::string_view rest, std::uint64_t number) {
    const auto counter = counter_of(name);
    const bool metadata = is_metadata(name);
    if (!counter && !metadata) return;
    const auto operations = parse_u64(take_word(rest));
    const auto add = [&](Counter to) {
      std::uint64_t sum = 0;
      if (!operations || __builtin_add_overflow(open_->values[index(to)], *operations, &sum)) return false;
      set(*open_, to, sum);
      return true;
    };
    if ((counter && !add(*counter)) || (metadata && !add(Counter::metadata_ops)))
      reject_(number, text, "the number of operations is missing");
  }

  const RejectLine& reject_;
  std::vector<NfsMount> mounts_;
  std::optional<NfsMount> open_;
  bool per_operation_ = false;
};

}  // namespace

std::vector<NfsMount> parse_mountstats(std::string_view text, const RejectLine& reject) {
  MountstatsParser parser(reject);
  for (std::uint64_t number = 1; !text.empty(); ++number) parser.line(take_until(text, '\n'), number);
  return parser.finish();
}

}  // namespace fathom
