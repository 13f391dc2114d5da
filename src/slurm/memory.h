// SPDX-License-Identifier: Apache-2.0
/// What steering remembers of jobs, in a file that survives its own end: how long each was held, and until when it is.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "slurm/queue.h"

namespace fathom::slurm {

struct Remembered {
  Time submit = no_time;      // Slurm uses numbers again
  double held_seconds = 0;    // up to `since`
  Time since = no_time;       // held from then on; no_time: not held
  Time until = no_time;       // it begins by itself then
  Time free_since = no_time;  // told to run at this time
  bool left_alone = false;    // somebody else said when it begins, or its delay is used up
  std::string others_note;    // what was in the job's note before

  bool held() const { return since != no_time; }
  double held_so_far(Time now) const { return held_seconds + (held() && now > since ? seconds(now - since) : 0); }
};

using Memory = std::map<JobId, Remembered>;

std::string as_text(const Memory& memory);
/// Lines that make no sense are passed over: what is forgotten costs a job a longer wait at worst.
Memory parse_memory(std::string_view text);
/// That of a file; none where there is no file yet. One that another version of this program wrote is refused.
Result<Memory> load_memory(const std::string& path);

}  // namespace fathom::slurm
