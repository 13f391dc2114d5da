// SPDX-License-Identifier: Apache-2.0
/// What `fathom compete DIR DIR...` found, as a page for people.
#pragma once

#include <string>

#include "compete/competition.h"

namespace fathom {

std::string competition_page(const compete::Competition& competition);

}  // namespace fathom
