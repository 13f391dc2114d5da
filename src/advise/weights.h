// SPDX-License-Identifier: Apache-2.0
/// Which weights advice uses: those of a file, or those that are built in.
#pragma once

#include <string>

#include "advise/trained.h"

namespace fathom::advise {

/// Of a file of `fathom train`; those that are built in if none is given.
Result<Trained> weights_of(const std::string& file);
/// Where they come from, for people.
std::string origin_of(const Trained& trained, const std::string& file);

}  // namespace fathom::advise
