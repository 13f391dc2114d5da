// SPDX-License-Identifier: Apache-2.0
/// What `fathom --version` says: the version, how it was built, and which formats it reads and writes.
#pragma once

#include <string>

namespace fathom {

std::string version_text();

}  // namespace fathom
