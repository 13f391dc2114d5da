// SPDX-License-Identifier: Apache-2.0
/// Synthetic machines whose truth is known: raw logs in the real formats, or the same samples straight into a harvest.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/harvest.h"

namespace fathom {

struct SynthOptions {
  std::uint64_t seed = 1;
  std::optional<double> days;                            // the preset's own default where absent
  std::optional<std::uint64_t> jobs;                     // about how many jobs to run; by default as many as the machine has room for
  std::function<void(double)> progress = [](double) {};  // told the fraction done, now and then
};

struct SynthPreset {
  std::string_view name;  // the word on the command line, the file in presets/
  std::string_view summary;
  std::string_view details;  // what it imitates, with its sources; for the documentation
  /// Writes logs and truth/*.csv below `directory`, which exists and is empty.
  Result<void> (*write_logs)(const SynthOptions& options, const std::string& directory);
  /// Delivers what reading those logs would give (same series names, samples, marks and jobs), without text in between.
  Result<void> (*deliver)(const SynthOptions& options, Harvest& harvest);
};

std::span<const SynthPreset* const> all_presets();
const SynthPreset* preset_named(std::string_view name);

}  // namespace fathom
