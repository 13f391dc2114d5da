// SPDX-License-Identifier: Apache-2.0
/// Who a traced process is: what the trace says of it beside its calls.
#pragma once

#include <cstdint>

#include "trace_format/memory_file.h"

namespace fathom::trace {

/// What a launcher says about the rank; MPI_Init knows better later. A child of a rank inherits its words, and so belongs to it.
void ask_launcher(ProcessHeader& header);

/// Host, program, arguments, folder, job: lines "key=value" into the header's page. `parent` and `inherited` of a forked child.
void write_text(ProcessHeader& header, std::uint64_t parent, std::uint32_t inherited);

}  // namespace fathom::trace
