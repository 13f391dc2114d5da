// SPDX-License-Identifier: Apache-2.0
/// Where the project's source is, for unit tests that read files of it.
#pragma once
#include <string>

namespace fathom {

/// Without a slash at its end. A function and no macro: then one object alone depends on the place, and the compiler's cache knows all
/// others in every clone.
std::string source_dir();

}  // namespace fathom
