// SPDX-License-Identifier: Apache-2.0
/// How a value is distributed over jobs, in the few numbers that people quote.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

/// Values in ascending order; what is not a number was left out and counted.
struct SortedValues {
  std::vector<double> values;
  std::uint64_t undefined = 0;
};

SortedValues sort_values(std::vector<double> values);

/// Without jobs (n = 0) everything but the counts is NaN.
struct Distribution {
  std::uint64_t n = 0;          // jobs with a value
  std::uint64_t zeros = 0;      // of them, with the value 0
  std::uint64_t undefined = 0;  // jobs without a value: in none of the other numbers
  double min, median, p80, mean, sd, max, sum;
  double top20_share;  // what the ceil(0.2 n) largest have of the sum; NaN if the sum is 0
};

/// The jobs are the whole population, not a sample of it: sd divides by n. The median of an even number is the mean of the middle two.
Distribution describe(const SortedValues& sorted);

/// Smallest value v of which at least `percent` % of the values are <= v (inverse ECDF); NaN if there are none.
double inverse_ecdf(std::span<const double> sorted, unsigned percent);

}  // namespace fathom
