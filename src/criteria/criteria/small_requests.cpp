// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double small(const Measured& job, const Setting& setting, Direction x) {
  if (!rated(job, Counter::read_bytes, x) || !rated(job, Counter::read_ops, x)) return undefined;
  const double all = amount(job, Counter::read_ops, x);
  const auto of = [&](std::size_t d) { return job.swept.sizes.small[d][setting.small]; };
  const double few = x == Direction::total ? of(0) + of(1) : of(static_cast<std::size_t>(x));
  return all > 0 ? std::min(1.0, few / all) : undefined;  // sums of the same numbers in another order may differ in the last bit
}

constexpr CriterionColumn columns[] = {{"small_fraction", Unit::fraction, true, small}};

}  // namespace

extern const Criterion small_requests;
constinit const Criterion small_requests{
    .id = "2.2",
    .name = "small_requests",
    .title = "Small requests",
    .symbol = "f(s_small)",
    .question = "What part of its requests is small?",
    .formula = R"(Operations with at most s_small bytes / all operations (D Eqs. 3.35, 3.36).)",
    .needs = needs_bytes | needs_operations,
    .caveats = R"(The block size of the file system is the natural s_small. From counters sizes are averages over the sampling interval:
large requests among many small ones are not seen. Few large requests may still move most of the data.)",
    .columns = columns};
}  // namespace fathom::criteria
