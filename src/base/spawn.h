// SPDX-License-Identifier: Apache-2.0
/// Starts programs word by word, never through a shell.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace fathom {

/// The program that words[0] names (searched for in PATH unless it has a slash), with these descriptors as its input, output and messages,
/// in a process group of its own and with usual signals. Its number; the error says why not and nothing else.
Result<pid_t> spawn(const std::vector<std::string>& words, int in, int out, int err);

}  // namespace fathom
