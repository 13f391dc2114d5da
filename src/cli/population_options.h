// SPDX-License-Identifier: Apache-2.0
/// The options that the commands about all jobs share.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/population_tables.h"
#include "cli/study_options.h"

namespace fathom {

struct PopulationArguments {
  std::string peak, volume_floor = "1T";
  std::size_t sample = 5;
  std::uint64_t seed = 1;
};

/// The thresholds and sizes of the papers.
StudyArguments population_defaults();
std::shared_ptr<PopulationArguments> add_population_options(CommandLine& line);
Result<PopulationOptions> population_options(const PopulationArguments& given);

}  // namespace fathom
