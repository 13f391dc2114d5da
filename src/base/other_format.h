// SPDX-License-Identifier: Apache-2.0
/// What is said of a file of our own that another version of the program wrote.
#pragma once

#include <fmt/format.h>

#include <string>

namespace fathom {

template <class Found, class Known>
std::string other_format(const Found& found, const Known& known) {
  return fmt::format("it has format {}, this program knows format {}", found, known);
}

}  // namespace fathom
