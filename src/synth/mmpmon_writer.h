// SPDX-License-Identifier: Apache-2.0
/// Answers of GPFS nodes as the text of `mmpmon -p`.
#pragma once

#include <string>
#include <vector>

#include "synth/gpfs_node.h"

namespace fathom {

class MmpmonWriter {
 public:
  MmpmonWriter(const std::vector<std::string>& servers, const std::vector<std::string>& filesystems, std::string_view cluster);
  void append(std::string& text, const Answer& answer) const;

 private:
  void append_samples(std::string& text, const Answer& answer) const;

  std::vector<std::string> addresses_;  // " _n_ 10.13.0.1 _nn_ ion-R00-M0-0 _rc_ "
  std::vector<std::string> names_;      // " _cl_ jugene.zam _fs_ work _d_ 48 _br_ "
  std::vector<std::string> failed_;     // " _fn_ 10.13.0.1 _fnn_ ion-R00-M0-0\n"
};

}  // namespace fathom
