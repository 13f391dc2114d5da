// SPDX-License-Identifier: Apache-2.0
/// The ranks of this run, as a study or mining asks for them.
#pragma once

#include "characterise/exchange.h"
#include "ranks/ranks.h"

namespace fathom {

/// Good as long as `ranks` is there.
inline Exchange exchange_of(Ranks& ranks) {
  Exchange exchange;
  if (ranks.size() <= 1) return exchange;
  exchange.rank = ranks.rank();
  exchange.size = ranks.size();
  exchange.all_gather = [&ranks](std::string mine) { return ranks.all_gather(std::move(mine)); };
  exchange.gather = [&ranks](std::string mine) { return ranks.gather(std::move(mine)); };
  return exchange;
}

}  // namespace fathom
