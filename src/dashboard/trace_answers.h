// SPDX-License-Identifier: Apache-2.0
/// What endpoints about traces have in common.
#pragma once

#include "dashboard/dashboard.h"
#include "dashboard/trace_source.h"

namespace fathom::dashboard {

/// TraceEntry of web/src/lib/api.ts.
Json trace_entry(const TraceSource& trace);

/// For Endpoint::version: the answer depends on {trace} alone.
Result<std::string> trace_version(Dashboard& dashboard, const Call& call);

/// `from` and `to` of a question: seconds since the start of the trace, all of it where they are not given.
Result<TimeWindow> window_asked(const TraceSource& trace, const Call& call);
double since_start(const TraceSource& trace, std::int64_t moment);

/// `interface` of a question; the one given where it is not.
Result<trace::Interface> interface_asked(const Call& call, trace::Interface otherwise);
/// The highest one that the run moved data or opened files through.
trace::Interface top_interface(const KeptCalls& calls);

/// {"total": all rows, "rows": [the first `limit`]}
Reply table_reply(const Table& table, std::size_t limit);

}  // namespace fathom::dashboard
