// SPDX-License-Identifier: Apache-2.0
#include "cli/population_options.h"

namespace fathom {

StudyArguments population_defaults() {
  StudyArguments defaults;
  defaults.threshold = "0,1K,8K,128K,512K,1M";
  defaults.small = "4K,8K,64K,128K,512K,1M,4M";
  return defaults;
}

std::shared_ptr<PopulationArguments> add_population_options(CommandLine& line) {
  auto a = std::make_shared<PopulationArguments>();
  line.add_option("--peak", a->peak, "the machine's peak bandwidth: jobs above it are counted and listed; 66G is 66 GiB/s")
      .type_name("BYTES_PER_S");
  line.add_option("--volume-floor", a->volume_floor, "median jobs are chosen among those that read or wrote at least this (default 1T)")
      .type_name("BYTES");
  line.add_option("--sample", a->sample, "size of the random group among the selected jobs (default 5)").type_name("N");
  line.add_option("--seed", a->seed, "of the random group (default 1)").type_name("N");
  return a;
}

Result<PopulationOptions> population_options(const PopulationArguments& given) {
  PopulationOptions options;
  TRY(options.selection.volume_floor, parse_size(given.volume_floor, "--volume-floor"));
  options.selection.sample = given.sample;
  options.selection.seed = given.seed;
  if (!given.peak.empty()) {
    TRY(const std::uint64_t peak, parse_size(given.peak, "--peak"));
    if (peak == 0) return Error{ErrorKind::usage, "reading --peak 0: a machine's peak is more than nothing"};
    options.peak = static_cast<double>(peak);
  }
  return options;
}

}  // namespace fathom
