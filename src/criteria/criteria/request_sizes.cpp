// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double mean(const Measured& job, const Setting&, Direction x) {
  if (!rated(job, Counter::read_bytes, x) || !rated(job, Counter::read_ops, x)) return undefined;
  const double ops = amount(job, Counter::read_ops, x);
  return ops > 0 ? amount(job, Counter::read_bytes, x) / ops : undefined;
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
        R"(Share of operations by size (D Eqs. 3.33, 3.34). Counters: the average size of each increment, weighted by its operations. mean: all bytes / all operations.)",
    .needs = needs_bytes | needs_operations,
    .caveats = R"(From counters these are averages over the sampling interval. Increments with bytes but without operations are left out
and counted. Layers split and merge requests on their way (forwarding buffers, page caches, collective I/O).)",
    .columns = columns};
}  // namespace fathom::criteria
