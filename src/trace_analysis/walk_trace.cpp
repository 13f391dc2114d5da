// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/walk.h"

namespace fathom::trace {

Result<std::uint64_t> walk_trace(const Trace& trace, std::vector<Analysis*> analyses, const std::function<void(std::uint64_t)>& progress) {
  Walk walk(trace, std::move(analyses));
  EventStream stream(trace);
  std::uint64_t seen = 0;
  while (true) {
    TRY(const auto events, stream.next());
    if (events.empty()) break;
    for (const Event& event : events) walk.take(event);
    seen += events.size();
    if (progress) progress(seen);
  }
  walk.finish();
  return stream.unreadable_blocks();
}

}  // namespace fathom::trace
