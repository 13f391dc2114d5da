// SPDX-License-Identifier: Apache-2.0
/// What a process says about itself: lines "key=value" of a process block or of the head of a memory file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace_format/memory_file.h"

namespace fathom::trace {

struct ProcessDetails {
  std::uint64_t process = 0;
  std::uint32_t pid = 0, parent_pid = 0;
  std::uint64_t parent = 0;  // the process it was forked from, whose definitions below `inherited` are its own too
  std::uint32_t inherited = 0;
  std::uint64_t exec_of = 0;  // what the same process was before it became another program
  std::int32_t rank = -1, ranks = 0;
  std::string host, boot, user, executable, command, directory, job, job_source, memory;
  bool known = false;  // something was read at all
  ClockKind clock = ClockKind::monotonic_ns;
  ClockPair start{}, end{}, now{};
  std::uint64_t zero_ticks = 0, last_ticks = 0;
  std::uint64_t waits = 0, lost = 0;
  std::uint64_t call_table = 0;  // hash of the table of calls that its records mean; 0: not said
};

/// Takes over what the text says; what it does not name stays as it was.
///   rank=3
///   command=ior<0x1f>-a<0x1f>MPIIO
void read_process_text(std::string_view text, ProcessDetails& process);

}  // namespace fathom::trace
