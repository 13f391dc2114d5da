// SPDX-License-Identifier: Apache-2.0
/// A file's bytes in memory, as the system pages them in. Where the file is cut meanwhile, the bytes that are gone read as zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"

namespace fathom::trace {

struct WatchedRange;

class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        watched_(std::exchange(other.watched_, nullptr)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(watched_, other.watched_);
    return *this;
  }
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  MappedFile() = default;
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  WatchedRange* watched_ = nullptr;
};

}  // namespace fathom::trace
