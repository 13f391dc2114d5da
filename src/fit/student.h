// SPDX-License-Identifier: Apache-2.0
/// Student's t distribution, for intervals around what was estimated from few values.
#pragma once

namespace fathom::fit {

/// The chance of a value of at most `t`.
double student_cdf(double t, double degrees_of_freedom);

/// The t that a value stays below with this chance, 0 < chance < 1. For an interval that holds 95 % of all values: 0.975.
double student_quantile(double chance, double degrees_of_freedom);

}  // namespace fathom::fit
