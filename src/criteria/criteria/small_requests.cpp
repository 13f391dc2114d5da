// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double small(const Measured& job, const Setting& setting, Direction x) {
  if (!rated(job, Counter::read_bytes, x) || !rated(job, Counter::read_ops, x)) return undefined;
  const RequestSizes& sizes = job.swept.sizes;
  double few = 0, all = 0;
  for (std::size_t d = 0; d < 2; ++d)
    if (x == Direction::total || x == static_cast<Direction>(d)) few += sizes.small[d][setting.small], all += sizes.sized[d];
  return all > 0 ? few / all : undefined;
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
    .formula = R"(Operations with at most s_small bytes / all operations of which the size is known (D Eqs. 3.35, 3.36).)",
    .needs = needs_bytes | needs_operations,
    .caveats = R"(The block size of the file system is the natural s_small. From counters sizes are averages over the sampling interval:
large requests among many small ones are not seen. Few large requests may still move most of the data.)",
    .columns = columns};
}  // namespace fathom::criteria
