// SPDX-License-Identifier: Apache-2.0
#include "tracer/site_script.h"

#include <cstring>

#include "trace_format/text.h"
#include "tracer/settings.h"
#include "tracer/syscalls.h"

namespace fathom::trace {

bool is_site_script() {
  // Before a task becomes the user's program it is a slurmstepd and starts the prologs; its number is known already. No other variable
  // tells them apart: tasks have SLURM_SCRIPT_CONTEXT as well.
  const char* const task = environment("SLURM_TASK_PID");
  if (!task) return false;
  Text<24> own;
  own.number(static_cast<std::uint64_t>(raw::process_id()));
  if (std::strcmp(task, own.data) == 0) return false;
  Text<40> path;
  path.add("/proc/").number(static_cast<std::uint64_t>(raw::call(SYS_getppid))).add("/comm");
  const int fd = raw::open(path.data, O_RDONLY);
  if (fd < 0) return false;
  static constexpr char daemon[] = "slurmstepd";
  char name[sizeof daemon] = {};
  const long size = raw::read(fd, name, sizeof name);
  raw::close(fd);
  return size >= static_cast<long>(sizeof daemon - 1) && std::memcmp(name, daemon, sizeof daemon - 1) == 0;
}

}  // namespace fathom::trace
