// SPDX-License-Identifier: Apache-2.0
/// The file that job_submit.lua reads: whose jobs wait for advice when they are submitted, and until when this is to be believed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.h"

namespace fathom::slurm {

/// User number and name of jobs.
using HoldList = std::set<std::pair<std::uint32_t, std::string>>;

/// `fathom-advice 1 VALID_UNTIL LEASE`, then a line for each: `UID NAME`. A name is as in the job log: valid UTF-8 without control
/// characters.
std::string hold_list_text(const HoldList& list, Time valid_until, double lease_seconds);

}  // namespace fathom::slurm
