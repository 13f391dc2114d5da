// SPDX-License-Identifier: Apache-2.0
// Any text is a queue, eligible times and a job log; no record comes from less than its fields, and no name brings a line of its own.
#include <algorithm>
#include <cstdlib>

#include "slurm/commands.h"
#include "slurm/job_log.h"
#include "slurm/memory.h"
#include "slurm/queue.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::slurm;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view mark = "MARK";
  std::size_t marks = 0;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + mark.size())) ++marks;
  const Queue queue = parse_queue(text, mark);
  if (queue.jobs.size() * 9 > marks) std::abort();
  for (const QueuedJob& job : queue.jobs)
    if (job.id == 0 || std::any_of(job.name.begin(), job.name.end(), [](char c) { return c == '\n' || c == '\0'; })) std::abort();
  if (parse_eligible(text, mark).size() * 2 > marks) std::abort();
  const std::string log = without_marks(text, mark);
  if (static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n')) > 1 + marks / (job_log_columns.size() - 1)) std::abort();
  note_in(text);
  if (as_text(parse_memory(as_text(parse_memory(text)))) != as_text(parse_memory(text))) std::abort();
  return 0;
}
