// SPDX-License-Identifier: Apache-2.0
/// Files that must survive a crash: flushed, renamed, locked.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

Result<std::string> read_file(const std::string& path);
/// The new content is there whole, or the old one still is.
Result<void> replace_file(const std::string& path, std::string_view content);
Result<void> flush_to_disk(const std::string& path);  // a file or a directory
Result<void> make_directories(const std::string& path);
Result<void> rename_file(const std::string& from, const std::string& to);
void remove_quietly(const std::string& path);

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return number_; }
  bool open() const { return number_ >= 0; }
  int release();

 private:
  int number_ = -1;
};

/// Exclusive among processes; the kernel gives it back when the holder dies. `waiting` is called once if another holds it.
Result<Descriptor> lock_file(const std::string& path, const std::function<void()>& waiting);

}  // namespace fathom
