// SPDX-License-Identifier: Apache-2.0
#include "slurm/hold_list.h"

#include <fmt/format.h>

#include <cmath>

namespace fathom::slurm {

std::string hold_list_text(const HoldList& list, Time valid_until, double lease_seconds) {
  std::string text =
      fmt::format("fathom-advice 1 {} {}\n", micros(valid_until) / 1'000'000, static_cast<std::int64_t>(std::ceil(lease_seconds)));
  for (const auto& [uid, name] : list) {
    // A name that was not valid text holds U+FFFD: nobody knows what it was, so it cannot be compared.
    if (name.empty() || name.find('\n') != std::string::npos || name.find("\xef\xbf\xbd") != std::string::npos) continue;
    text += fmt::format("{} {}\n", uid, name);
  }
  return text;
}

}  // namespace fathom::slurm
