// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/simulate_modes.h"
#include "cli/simulate_page.h"
#include "cli/simulate_progress.h"
#include "cli/simulate_tables.h"
#include "simulation_page/verification_data.h"

namespace fathom {

Result<void> simulate_verification(const simulate::Scenario& scenario, const simulate::Work& work, const OutputOptions& output) {
  SimulationProgress progress(1);
  TRY(const simulate::Verification found, simulate::verify(scenario.architecture, work, progress.watch()));
  if (is_page(output)) {
    TRY_VOID(write_what_if_page(
        simulation_page::verification_data(what_if_heading(scenario, "Simulated and real counters:", found.stopped), scenario, work, found),
        output));
  } else {
    TRY_VOID(write_table(verification_table(found.errors), output));
  }
  if (found.stopped) return stopped_by_user(fmt::format("{} increments that ended before are compared", found.errors[0].increments));
  return {};
}

}  // namespace fathom
