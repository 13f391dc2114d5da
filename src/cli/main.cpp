// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <csignal>

#include <fmt/format.h>

#include "cli/command.h"

int main(int argc, char** argv) {
  // A full file-size limit or a closed pipe is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Columns of a few megabytes come and go: giving each back to the system at once costs a fault per page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  std::function<fathom::Result<void>()> chosen;
  const auto app = fathom::make_app(chosen);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app->help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    fmt::print("fathom " FATHOM_VERSION "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "fathom: {}\nTry: fathom --help, or fathom COMMAND --help\n", error.what());
    return 2;
  }
  if (!chosen) {
    fmt::print("{}", app->help());
    return argc > 1 ? 2 : 0;
  }
  const auto status = chosen();
  if (status) return 0;
  fmt::print(stderr, "fathom: {}\n", status.error().message);
  return status.error().kind == fathom::ErrorKind::usage ? 2 : 1;
}
