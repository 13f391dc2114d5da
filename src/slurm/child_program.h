// SPDX-License-Identifier: Apache-2.0
/// A program that runs beside this one and ends with it: long work that must not keep a daemon from its rounds.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace fathom::slurm {

class ChildProgram {
 public:
  ChildProgram() = default;
  ~ChildProgram();  // kills it, with all that it started
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  /// Without a shell; what it says goes where this program's talk goes. One at a time.
  Result<void> start(const std::vector<std::string>& words);
  bool running() const { return pid_ > 0; }
  /// Its exit code once it has ended (128 + signal), told once.
  std::optional<int> ended();

 private:
  pid_t pid_ = 0;
};

}  // namespace fathom::slurm
