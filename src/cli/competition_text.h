// SPDX-License-Identifier: Apache-2.0
/// Competing applications as people read them: seconds, moments, and who had which share when.
#pragma once

#include <string>
#include <vector>

#include "sharing/scenario.h"

namespace fathom {

std::string seconds_text(double seconds);     // 339 s, 01:12:00
std::string difference_text(double seconds);  // +300 s
std::string signed_percent(double fraction);  // -2.9 %
/// A start as the file has it: 300 s, or a date if it is a Unix time.
std::string moment_text(double seconds);

/// One line for each application: how much of the file system it has, over the time from `begin` to `end` (of the file's clock).
/// A column is as high as the mean share in it. Of very many the first ones.
std::string share_drawing(const sharing::Scenario& scenario, const sharing::Course& course, double begin, double end);

}  // namespace fathom
