// SPDX-License-Identifier: Apache-2.0
// Any text is a list of decisions; each says the same when it is written and read again.
#include <cstdlib>

#include "slurm/decisions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::slurm;
  const std::vector<Decision> found = parse_decisions({reinterpret_cast<const char*>(data), size});
  std::string text;
  for (const Decision& each : found) text += as_line(each);
  const std::vector<Decision> again = parse_decisions(text);
  if (again.size() != found.size()) std::abort();
  std::string twice;
  for (const Decision& each : again) twice += as_line(each);
  std::string thrice;
  for (const Decision& each : parse_decisions(twice)) thrice += as_line(each);
  if (thrice != twice) std::abort();
  return 0;
}
