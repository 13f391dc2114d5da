// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double ops(const Measured& job, const Setting&, Direction x) {
  return counted(job, Counter::read_ops, x) ? amount(job, Counter::read_ops, x) : undefined;
}

constexpr CriterionColumn columns[] = {{"ops", Unit::operations, true, ops}};

}  // namespace

extern const Criterion total_operations;
constinit const Criterion total_operations{
    .id = "1.2",
    .name = "total_operations",
    .title = "Total number of operations",
    .symbol = "N",
    .question = "How many requests does it make?",
    .formula = R"(N_x = sum of operations of all units (D Eqs. 3.11, 3.12); metadata operations are not counted.)",
    .needs = needs_operations,
    .caveats = R"(Depends strongly on the layer: collective I/O, buffering and data sieving change the number of requests on their way.
Counters of a file system show what arrives there, usually fewer than the application made.)",
    .columns = columns};
}  // namespace fathom::criteria
