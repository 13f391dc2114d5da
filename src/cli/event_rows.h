// SPDX-License-Identifier: Apache-2.0
/// The events of a trace as rows, in every format, never all of them in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/progress.h"
#include "cli/command_line.h"
#include "trace/trace.h"

namespace fathom {

/// Which events; row numbers stay those of all.
struct EventSelection {
  std::string file;  // pattern of paths
  std::optional<std::int32_t> rank;
  std::string interface, call;
  std::uint64_t limit = UINT64_MAX;
  bool bar = true;  // none while the rows themselves go to the terminal
};

/// Declares --file, --rank, --interface, --call and --limit.
std::shared_ptr<EventSelection> add_event_selection(CommandLine& line);

/// Calls use(event) for each that was selected, in order; false from it ends the walk.
template <class Use>
Result<void> for_each_selected(const trace::Trace& trace, const EventSelection& selection, Use&& use);

/// `format` is table, csv, json or parquet; no file is standard output.
Result<void> write_events(const trace::Trace& trace, const EventSelection& selection, const std::string& format, const std::string& file);

/// What a selection means for one trace.
class EventChoice {
 public:
  static Result<EventChoice> of(const trace::Trace& trace, const EventSelection& selection);
  bool takes(const trace::Event& event) const {
    return units_[event.unit] && calls_[event.call] && (event.file == trace::no_file ? fileless_ : static_cast<bool>(files_[event.file]));
  }

 private:
  std::vector<bool> units_, calls_, files_;
  bool fileless_ = true;
};

template <class Use>
Result<void> for_each_selected(const trace::Trace& trace, const EventSelection& selection, Use&& use) {
  TRY(const EventChoice choice, EventChoice::of(trace, selection));
  std::uint64_t left = selection.limit;
  trace::EventStream stream(trace);
  std::optional<Progress> progress;
  if (selection.bar) progress.emplace("going through the events", Progress::Unit::share);
  std::uint64_t seen = 0;
  while (left > 0) {
    TRY(const auto events, stream.next());
    if (events.empty()) break;
    seen += events.size();
    if (progress) progress->update(seen, std::max(seen, trace.records));
    for (const trace::Event& event : events) {
      if (!choice.takes(event)) continue;
      if (!use(event)) return {};
      if (--left == 0) break;
    }
  }
  return {};
}

}  // namespace fathom
