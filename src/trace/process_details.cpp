// SPDX-License-Identifier: Apache-2.0
#include "trace/process_details.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace fathom::trace {
namespace {

template <class T>
void read_number(std::string_view text, T& value, int base = 10) {
  T read{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), read, base);
  if (problem == std::errc{} && end == text.data() + text.size()) value = read;
}

void read_clocks(std::string_view which, std::string_view text, ClockPair& pair) {
  if (which == "ticks")
    read_number(text, pair.ticks);
  else if (which == "monotonic")
    read_number(text, pair.monotonic);
  else if (which == "realtime")
    read_number(text, pair.realtime);
}

bool read_words(std::string_view key, std::string_view value, ProcessDetails& process) {
  struct Word {
    std::string_view key;
    std::string ProcessDetails::*field;
  };
  static constexpr Word words[] = {{"host", &ProcessDetails::host},
                                   {"boot", &ProcessDetails::boot},
                                   {"user", &ProcessDetails::user},
                                   {"exe", &ProcessDetails::executable},
                                   {"cwd", &ProcessDetails::directory},
                                   {"job", &ProcessDetails::job},
                                   {"job_source", &ProcessDetails::job_source},
                                   {"memory", &ProcessDetails::memory},
                                   {"command", &ProcessDetails::command}};
  for (const Word& word : words) {
    if (key != word.key) continue;
    process.*word.field = value;
    if (key == "command") std::replace(process.command.begin(), process.command.end(), '\x1f', ' ');
    return true;
  }
  return false;
}

void read_line(std::string_view key, std::string_view value, ProcessDetails& p) {
  if (read_words(key, value, p)) return;
  if (key == "process")
    read_number(value, p.process, 16);
  else if (key == "parent")
    read_number(value, p.parent, 16);
  else if (key == "exec_of")
    read_number(value, p.exec_of, 16);
  else if (key == "inherited")
    read_number(value, p.inherited);
  else if (key == "pid")
    read_number(value, p.pid);
  else if (key == "ppid")
    read_number(value, p.parent_pid);
  else if (key == "rank")
    read_number(value, p.rank);
  else if (key == "ranks")
    read_number(value, p.ranks);
  else if (key == "clock")
    p.clock = value == "tsc" ? ClockKind::tsc : ClockKind::monotonic_ns;
  else if (key == "zero_ticks")
    read_number(value, p.zero_ticks);
  else if (key == "last_ticks")
    read_number(value, p.last_ticks);
  else if (key == "calls")
    read_number(value, p.call_table, 16);
  else if (key == "waits")
    read_number(value, p.waits);
  else if (key == "lost")
    read_number(value, p.lost);
  else if (key.starts_with("start_"))
    read_clocks(key.substr(6), value, p.start);
  else if (key.starts_with("end_"))
    read_clocks(key.substr(4), value, p.end);
  else if (key.starts_with("now_"))
    read_clocks(key.substr(4), value, p.now);
}

}  // namespace

void read_process_text(std::string_view text, ProcessDetails& process) {
  process.known = true;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const std::string_view key = take_until(line, '=');
    read_line(key, line, process);
  }
}

}  // namespace fathom::trace
