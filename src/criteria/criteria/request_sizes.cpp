// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

/// Bytes that came without operations are those of operations that nobody counted: they say nothing about the others.
double mean(const Measured& job, const Setting&, Direction x) {
  if (!rated(job, Counter::read_bytes, x) || !rated(job, Counter::read_ops, x)) return undefined;
  double bytes = 0, ops = 0;
  for (std::size_t d = 0; d < 2; ++d)
    if (x == Direction::total || x == static_cast<Direction>(d)) bytes += job.swept.sized_bytes[d], ops += job.swept.sizes.sized[d];
  return ops > 0 ? bytes / ops : undefined;
}

constexpr CriterionColumn columns[] = {{"mean_request", Unit::bytes, true, mean}};

}  // namespace

extern const Criterion request_sizes;
constinit const Criterion request_sizes{
    .id = "2.1",
    .name = "request_sizes",
    .title = "Distribution of request sizes",
    .symbol = "p(s)",
    .question = "How large are its requests?",
    .formula =
        R"(Share of operations by size (D Eqs. 3.33, 3.34). Counters: the average size of each increment, weighted by its operations.
mean: bytes / operations; from counters, of those increments alone that have operations of the direction (for total: each direction by itself).)",
    .needs = needs_bytes | needs_operations,
    .caveats = R"(From counters these are averages over the sampling interval. Increments with bytes but without operations are left out
and counted: the analysis map of a job says how many they are, and their bytes. Layers split and merge requests on their way
(forwarding buffers, page caches, collective I/O).)",
    .columns = columns};
}  // namespace fathom::criteria
