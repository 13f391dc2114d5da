// SPDX-License-Identifier: Apache-2.0
// What `fathom train --simulated` learned; tools/built_in_training writes built_in_weights.toml.
#include <cassert>

#include "advise/trained.h"

extern "C" {
extern const char fathom_built_in_weights_begin[], fathom_built_in_weights_end[];
}

namespace fathom::advise {

const Trained& built_in_training() {
  static const Trained trained = [] {
    const std::string_view learned(fathom_built_in_weights_begin,
                                   static_cast<std::size_t>(fathom_built_in_weights_end - fathom_built_in_weights_begin));
    auto parsed = parse_trained(learned, "built-in weights");
    assert(parsed.has_value());
    return *std::move(parsed);
  }();
  return trained;
}

}  // namespace fathom::advise
