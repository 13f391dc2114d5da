// SPDX-License-Identifier: Apache-2.0
/// A trace for Perfetto and chrome://tracing: as JSON (trace event format), or as Perfetto's own protobuf.
#pragma once

#include <string>

#include "cli/event_rows.h"
#include "trace/trace.h"

namespace fathom {

Result<void> write_chrome_json(const trace::Trace& trace, const EventSelection& selection, const std::string& file);
Result<void> write_perfetto_protobuf(const trace::Trace& trace, const EventSelection& selection, const std::string& file);

}  // namespace fathom
