// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double parallel(const Measured& job, const Setting& setting, Direction x) {
  if (!rated(job, Counter::read_bytes, x) || job.units <= 1) return undefined;
  const Activity& a = activity(job, setting, x);
  if (a.busy == 0) return 0;
  // U * Pi is the mean number of active units while any is active.
  const double mean_active = static_cast<double>(a.unit_busy) / static_cast<double>(a.busy);
  return (mean_active - 1) / (static_cast<double>(job.units) - 1);
}

constexpr CriterionColumn columns[] = {{"parallel_intensity", Unit::fraction, true, parallel}};

}  // namespace

extern const Criterion parallel_intensity;
constinit const Criterion parallel_intensity{
    .id = "3.1",
    .name = "parallel_intensity",
    .title = "Parallel I/O intensity",
    .symbol = "P",
    .question = "When it does I/O, how many of its units take part?",
    .formula =
        R"(pi(t) = active units / U; Pi = sum of pi / sum of H; P = (U Pi - 1) / (U - 1); 0 without I/O; none for U = 1 (D Eqs. 3.59-3.62).)",
    .needs = needs_bytes | needs_units,
    .caveats =
        R"(0: one unit at a time; 1: always all of them. Units of counters are servers, which many processes share, so the application's
own parallelism is higher. Tells nothing about whether units work on the same file or task. It may grow with the threshold.)",
    .columns = columns};
}  // namespace fathom::criteria
