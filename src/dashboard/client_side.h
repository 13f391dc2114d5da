// SPDX-License-Identifier: Apache-2.0
/// What a job's compute nodes counted, as the store's table of slices has it: ClientSide of web/src/lib/api.ts.
#pragma once

#include "dashboard/endpoint.h"
#include "store/store.h"

namespace fathom::dashboard {

/// One for each traced run of the job, with the bytes of all its processes slice by slice. `start` and `end` are the job's, Unix seconds.
Result<Json> clients_from_slices(const Snapshot& snapshot, const std::string& job, double start, double end);

}  // namespace fathom::dashboard
