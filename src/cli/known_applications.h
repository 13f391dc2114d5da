// SPDX-License-Identifier: Apache-2.0
/// What was mined of applications, as advice asks for it.
#pragma once

#include "cli/store_advice.h"

namespace fathom {

/// Looks up validated applications in the store's knowledge base, which is read at the first question; their usual run time comes from the job log.
FindApplication find_in_knowledge_base();

}  // namespace fathom
