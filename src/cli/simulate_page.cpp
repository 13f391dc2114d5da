// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate_page.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "base/talk.h"
#include "base/units.h"
#include "web/report_page.h"

namespace fathom {

simulation_page::Heading what_if_heading(const simulate::Scenario& scenario, std::string_view words, bool stopped) {
  simulation_page::Heading heading;
  heading.title = fmt::format("{} {}", words, std::filesystem::path(scenario.path).filename().string());
  heading.version = FATHOM_VERSION;
  heading.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (stopped) heading.notes.push_back("The simulation was stopped before its end: only what was finished until then is here.");
  return heading;
}

simulation_page::Heading comparing_heading(const simulate::Scenario& scenario, std::string_view words, bool stopped) {
  simulation_page::Heading heading = what_if_heading(scenario, words, stopped);
  if (!scenario.original) heading.notes.push_back("The scenario names no original to compare with: it is compared with itself.");
  return heading;
}

Result<void> write_what_if_page(const nlohmann::ordered_json& data, const OutputOptions& output) {
  const std::string page = what_if_page(data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  TRY_VOID(write_text(page, {.format = "html", .file = output.file}));
  tell("wrote {} ({}): open it in a browser\n", output.file, human_bytes(static_cast<double>(page.size())));
  return {};
}

}  // namespace fathom
