// SPDX-License-Identifier: Apache-2.0
#include "tests/support/source_dir.h"

namespace fathom {

std::string source_dir() { return FATHOM_SOURCE_DIR; }

}  // namespace fathom
