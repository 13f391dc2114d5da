// SPDX-License-Identifier: Apache-2.0
/// Time slices as part of a store: a job's client side beside its server side, and the criteria of both by the same code.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "criteria/measured.h"
#include "store/store.h"
#include "timeline/sweep.h"

namespace fathom {

struct SlicedJob {
  std::string trace, job_id;
  std::string user, name;  // as the store's job says; else the program's name
  Measured measured;
};

/// The jobs of a store that have slices, one for each run; with ids only those. Units are ranks, or processes where there are none.
Result<std::vector<SlicedJob>> sliced_jobs(const Store& store, const std::vector<std::string>& ids, const SweepOptions& options);

}  // namespace fathom
