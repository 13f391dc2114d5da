// SPDX-License-Identifier: Apache-2.0
/// log |gamma(x)|, from any thread: std::lgamma also writes a sign for all of them.
#pragma once

#include <math.h>

namespace fathom {

inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace fathom
