// SPDX-License-Identifier: Apache-2.0
/// All of a small file at once: settings that people write by hand.
#pragma once

#include <string>

#include "base/result.h"

namespace fathom {

/// The error says only what the system says ("Is a directory"): who asked adds what it was for and the path.
Result<std::string> read_whole_file(const std::string& path);

}  // namespace fathom
