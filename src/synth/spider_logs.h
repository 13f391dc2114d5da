// SPDX-License-Identifier: Apache-2.0
/// What presets of the machine `spider` give: its logs with the truth beside them, or the samples and jobs of a harvest.
#pragma once

#include <string>

#include "synth/spider_variant.h"
#include "synth/synth.h"

namespace fathom::titan {

/// `SynthPreset::write_logs` of a variant: counter files, the job log and the truth.
Result<void> write_logs(const SpiderVariant& variant, const SynthOptions& options, const std::string& directory);

/// `SynthPreset::deliver` of a variant.
Result<void> deliver(const SpiderVariant& variant, const SynthOptions& options, Harvest& harvest);

}  // namespace fathom::titan
