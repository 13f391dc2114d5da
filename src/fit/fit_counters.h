// SPDX-License-Identifier: Apache-2.0
/// Bandwidths of the links from counters: changed until simulated counters match the real ones (5.4.1 of the dissertation).
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "fit/fitted.h"
#include "simulate/architecture.h"
#include "simulate/work.h"

namespace fathom::fit {

struct CounterFitOptions {
  double confidence = 0.95;
  double tolerance = 0.05;  // rates that differ by less are the same
  bool by_server = false;   // external links: rows of each server
  std::function<void(std::uint64_t done, std::uint64_t total)> watch = {};
};

/// For both links and directions: an estimate with its interval where continuous I/O was seen and nothing was faster; otherwise only what
/// the link could do at least. With `by_server` only external links, rows of each server.
Result<std::vector<Fitted>> fit_counters(const simulate::Architecture& architecture, const simulate::Work& work,
                                         const CounterFitOptions& options);

}  // namespace fathom::fit
