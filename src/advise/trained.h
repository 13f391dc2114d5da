// SPDX-License-Identifier: Apache-2.0
/// What training leaves: bands and windows, a weight for each band, thresholds; and the file that keeps it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advise/load_table.h"
#include "advise/thresholds.h"
#include "base/result.h"

namespace fathom::advise {

struct Trained {
  LoadSettings load;
  std::vector<double> weights;  // one for each band
  ThresholdTable thresholds;
  std::string source;  // where the points came from, in words
  std::size_t points = 0;
  double mean_deviation = 0;  // of normalised I/O time from the score, over training points

  /// Score of Equation 2; fractions have the adjustment in them. Nothing below 0 counts.
  double score(std::span<const double> fractions) const;
};

/// Weights first, then thresholds of the scores that follow from them.
Result<Trained> train(const std::vector<TrainingPoint>& points, const LoadSettings& load, std::string source,
                      const ThresholdTable& edges = {});

/// As TOML; reading it back gives the same.
std::string as_toml(const Trained& trained);
/// `path` is for messages.
Result<Trained> parse_trained(std::string_view text, const std::string& path);
Result<Trained> load_trained(const std::string& path);

/// What a site begins with: learned on the replayed machine (fathom train --simulated), whose servers are like those of Spider.
const Trained& built_in_training();

}  // namespace fathom::advise
