// SPDX-License-Identifier: Apache-2.0
/// Runs a program without a shell and gives what it wrote; within a time and a size, or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace fathom {

struct CommandLimits {
  Duration time = std::chrono::seconds(10);
  std::size_t bytes = std::size_t{16} << 20;
};

/// Standard output of the program; a failure says what it wrote to standard error. It and all that it started are killed when the
/// time is over.
Result<std::string> run_command(const std::vector<std::string>& words, std::string_view standard_input, const CommandLimits& limits);

/// At blanks.
std::vector<std::string> split_command(std::string_view command);

/// The limit that a source's setting `timeout` gives, in seconds.
Result<Duration> command_time(std::string_view word, const std::string& seconds);

}  // namespace fathom
