// SPDX-License-Identifier: Apache-2.0
/// The metadata operations that Lustre counts by name, and their sum.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

/// What clients ask a metadata server for. Left out is housekeeping among servers and clients (connect, disconnect, reconnect, ping,
/// notify, llog_init, process_config, ...), what moves data (read, write, punch), and what counts a rename a second time by its kind
/// (samedir_rename, crossdir_rename).
inline constexpr std::array<std::string_view, 20> metadata_operation_names = {
    "open",    "close",  "mknod",   "create",  "destroy",  "link",     "symlink",   "unlink", "mkdir",    "rmdir",
    "readdir", "rename", "getattr", "setattr", "getxattr", "setxattr", "listxattr", "statfs", "quotactl", "migrate"};

/// Samples by operation; a name that comes again takes the place of what it gave before (statfs stands twice in some tables).
class MetadataOperations {
 public:
  static std::optional<std::size_t> place_of(std::string_view name) {
    for (std::size_t i = 0; i < metadata_operation_names.size(); ++i)
      if (metadata_operation_names[i] == name) return i;
    return std::nullopt;
  }

  void set(std::size_t place, std::uint64_t samples) {
    samples_[place] = samples;
    any_ = true;
  }
  void spoil() { spoilt_ = true; }
  bool any() const { return any_; }

  /// Nothing where an operation's number could not be read, or the sum does not fit.
  std::optional<std::uint64_t> sum() const {
    std::uint64_t all = 0;
    for (const std::uint64_t each : samples_)
      if (__builtin_add_overflow(all, each, &all)) return std::nullopt;
    return spoilt_ ? std::nullopt : std::optional(all);
  }

 private:
  std::array<std::uint64_t, metadata_operation_names.size()> samples_{};
  bool any_ = false, spoilt_ = false;
};

}  // namespace fathom
