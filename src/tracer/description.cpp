// SPDX-License-Identifier: Apache-2.0
#include "tracer/description.h"

#include <sys/utsname.h>

#include <cstring>

#include "trace_format/text.h"
#include "tracer/settings.h"
#include "tracer/syscalls.h"

namespace fathom::trace {
namespace {

std::size_t read_text(const char* path, char* to, std::size_t capacity) {
  const int fd = raw::open(path, O_RDONLY);
  if (fd < 0) return 0;
  std::size_t have = 0;
  for (long got; have < capacity && (got = raw::read(fd, to + have, capacity - have)) > 0;) have += static_cast<std::size_t>(got);
  raw::close(fd);
  return have;
}

std::int32_t number_in(const char* name) {
  const char* const text = environment(name);
  if (!text || *text < '0' || *text > '9') return -1;
  std::int32_t value = 0;
  for (const char* c = text; *c >= '0' && *c <= '9' && value < 100'000'000; ++c) value = value * 10 + (*c - '0');
  return value;
}

}  // namespace

void ask_launcher(ProcessHeader& header) {
  static constexpr const char* names[][2] = {{"PMI_RANK", "PMI_SIZE"},
                                             {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                             {"PMIX_RANK", nullptr},
                                             {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  header.rank = header.ranks = -1;
  for (const auto& pair : names) {
    // A batch script has SLURM_PROCID too; only steps have a step's number.
    if (pair[0][0] == 'S' && !environment("SLURM_STEP_ID")) continue;
    const std::int32_t rank = number_in(pair[0]);
    if (rank < 0) continue;
    header.rank = rank;
    if (pair[1]) header.ranks = number_in(pair[1]);
    return;
  }
}

void write_text(ProcessHeader& header, std::uint64_t parent, std::uint32_t inherited) {
  static Text<text_capacity> text;
  text.size = 0;
  char buffer[4096];
  struct utsname names;
  text.line("parent", parent, 16).line("inherited", inherited);
  text.line("ppid", static_cast<std::uint64_t>(raw::call(SYS_getppid)));
  if (raw::call(SYS_uname, raw::number(&names)) == 0) text.line("host", names.nodename);
  std::size_t length = read_text("/proc/sys/kernel/random/boot_id", buffer, 36);
  buffer[length] = 0;
  text.line("boot", buffer).line("user", static_cast<std::uint64_t>(raw::call(SYS_getuid)));
  const long exe = raw::call(SYS_readlink, raw::number("/proc/self/exe"), raw::number(buffer), sizeof buffer - 1);
  buffer[exe > 0 ? exe : 0] = 0;
  text.line("exe", buffer);
  const long cwd = raw::call(SYS_getcwd, raw::number(buffer), sizeof buffer);
  if (cwd > 0) text.line("cwd", buffer);
  length = read_text("/proc/self/cmdline", buffer, sizeof buffer - 1);
  if (length > 0) --length;  // the last argument's end
  for (std::size_t i = 0; i < length; ++i)
    if (buffer[i] == 0) buffer[i] = '\x1f';
  buffer[length] = 0;
  text.line("command", buffer).line("memory", settings.memory);
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "JOB_ID"})
    if (const char* const job = environment(name)) {
      text.line("job", job).line("job_source", name);
      break;
    }
  std::memcpy(reinterpret_cast<char*>(&header) + text_at, text.data, text.size);
  header.text_bytes.store(static_cast<std::uint32_t>(text.size), std::memory_order_release);
}

}  // namespace fathom::trace
