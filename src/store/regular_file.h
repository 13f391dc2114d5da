// SPDX-License-Identifier: Apache-2.0
/// Regular files in places where others could put something else: a pipe there does not block, and no more is read than was asked for.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/files.h"

namespace fathom {

struct RegularFile {
  Descriptor descriptor;
  std::uint64_t bytes = 0;
  unsigned mode = 0;  // who may read and write it, as of chmod
};

/// Errors say only why ("it is no regular file"): who asked adds what it was for and the path.
Result<RegularFile> open_regular_file(const std::string& path);
/// From there on, at most so many bytes; fewer where the file ends before.
Result<std::string> read_part(const RegularFile& file, std::uint64_t from, std::uint64_t most);

}  // namespace fathom
