// SPDX-License-Identifier: Apache-2.0
/// A process's description as it stands in its block: lines "key=value".
#pragma once

#include "trace_format/call_table.h"
#include "trace_format/memory_file.h"
#include "trace_format/text.h"

namespace fathom::trace {

using ProcessText = Text<text_capacity + 2048>;

/// `now` is a reading of the clocks at the time of writing; the header's `end` is told if it is set.
inline void describe_process(const ProcessHeader& header, const ClockPair& now, ProcessText& text) {
  text.size = 0;
  text.line("process", header.process, 16).line("pid", header.pid);
  const std::uint32_t known = header.text_bytes.load(std::memory_order_acquire);
  text.add(reinterpret_cast<const char*>(&header) + text_at, known < text_capacity ? known : text_capacity);
  if (header.rank >= 0) text.line_signed("rank", header.rank);
  if (header.ranks >= 0) text.line_signed("ranks", header.ranks);
  text.line("clock", header.clock == ClockKind::tsc ? "tsc" : "monotonic").line("calls", call_table_hash(), 16);
  const auto pair = [&](const char* ticks_key, const char* monotonic_key, const char* realtime_key, const ClockPair& clocks) {
    text.line(ticks_key, clocks.ticks).line_signed(monotonic_key, clocks.monotonic).line_signed(realtime_key, clocks.realtime);
  };
  pair("start_ticks", "start_monotonic", "start_realtime", header.start);
  if (now.ticks) pair("now_ticks", "now_monotonic", "now_realtime", now);
  if (header.end.ticks) pair("end_ticks", "end_monotonic", "end_realtime", header.end);
  if (header.zero_ticks) text.line("zero_ticks", header.zero_ticks);
  if (header.last_ticks) text.line("last_ticks", header.last_ticks);
  text.line("waits", header.waits.load()).line("lost", header.lost.load()).line("drainer_ns", header.drainer_ns.load());
}

}  // namespace fathom::trace
