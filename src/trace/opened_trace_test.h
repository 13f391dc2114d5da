// SPDX-License-Identifier: Apache-2.0
/// A trace directory read by the product's own reader, for tests that look at all of it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace fathom::trace {

inline std::vector<Event> all_events(const Trace& trace) {
  std::vector<Event> all;
  EventStream stream(trace);
  for (;;) {
    const auto events = stream.next();
    if (!events || events->empty()) break;
    all.insert(all.end(), events->begin(), events->end());
  }
  EXPECT_EQ(stream.unreadable_blocks(), 0u);
  return all;
}

inline Trace opened(const std::filesystem::path& directory) {
  auto trace = open_trace(directory);
  EXPECT_TRUE(trace) << trace.error().message;
  return *std::move(trace);
}

inline std::string name(const Trace& trace, const Event& event) { return trace.calls[event.call].name; }
inline std::string path(const Trace& trace, const Event& event) { return event.file == no_file ? "" : trace.files[event.file].path; }

}  // namespace fathom::trace
