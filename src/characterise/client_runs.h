// SPDX-License-Identifier: Apache-2.0
/// What a job's compute nodes counted, as the store's table of slices has it.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "store/store.h"

namespace fathom {

/// One traced run of a job: the bytes of all its processes, slice by slice.
struct ClientRun {
  struct Slice {
    std::int64_t number = 0;  // it began `number * length` seconds after the Unix epoch
    double read = 0, write = 0;
  };
  std::string trace;          // the folder
  double length = 0;          // of a slice, seconds
  std::vector<Slice> slices;  // in order; where there is none, nothing was done
};

/// `end` is no_time for a job that still ran.
Result<std::vector<ClientRun>> client_runs(const Snapshot& snapshot, const std::string& job, Time start, Time end);

}  // namespace fathom
