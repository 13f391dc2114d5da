// SPDX-License-Identifier: Apache-2.0
#include "cli/application_page.h"

#include <fmt/format.h>

#include <chrono>

#include "base/talk.h"
#include "base/units.h"
#include "mine/page_data.h"
#include "web/report_page.h"

namespace fathom {

Result<void> write_application_page(const mine::Dossier& dossier, const OutputOptions& output) {
  mine::PageOptions options;
  options.version = FATHOM_VERSION;
  options.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  const std::string page =
      application_page(mine::page_data(dossier, options).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  TRY_VOID(write_text(page, {.format = "html", .file = output.file}));
  tell("wrote {} ({}): open it in a browser\n", output.file, human_bytes(static_cast<double>(page.size())));
  return {};
}

}  // namespace fathom
