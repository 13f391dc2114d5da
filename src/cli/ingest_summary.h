// SPDX-License-Identifier: Apache-2.0
/// What an ingest did, as the user sees it.
#pragma once

#include "ingest/ingest.h"

namespace fathom {

void print_ingest_summary(const IngestReport& report);

}  // namespace fathom
