// SPDX-License-Identifier: Apache-2.0
#include "advise/weights.h"

namespace fathom::advise {

Result<Trained> weights_of(const std::string& file) {
  if (file.empty()) return built_in_training();
  return load_trained(file);
}

std::string origin_of(const Trained& trained, const std::string& file) { return file.empty() ? "built in, " + trained.source : file; }

}  // namespace fathom::advise
