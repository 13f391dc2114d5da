// SPDX-License-Identifier: Apache-2.0
/// One application as people read it in a terminal: state, patterns, evidence, its bursts by size and its runs over time.
#pragma once

#include <string>

#include "mine/dossier.h"

namespace fathom {

std::string application_text(const mine::Dossier& dossier);

}  // namespace fathom
