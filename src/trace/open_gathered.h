// SPDX-License-Identifier: Apache-2.0
/// From everything that a trace holds to a Trace, without its records.
#pragma once

#include <string>

#include "trace/gather.h"
#include "trace/trace.h"

namespace fathom::trace {

/// `where` is for messages.
Trace open_gathered(Gathered gathered, std::string where);

}  // namespace fathom::trace
