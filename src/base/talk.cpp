// SPDX-License-Identifier: Apache-2.0
#include "base/talk.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "base/terminal.h"
#include "base/text.h"

namespace fathom {
namespace {
std::atomic<Talk> amount = Talk::usual;
}

void set_talk(Talk talk) { amount = talk; }
Talk talk() { return amount; }

std::string printable(std::string_view text) {
  std::string shown;
  while (true) {
    const std::size_t kept = std::min(text.size(), text.find_first_of("\n\t"));
    shown += excerpt(text.substr(0, kept), text.size());
    if (kept == text.size()) return shown;
    shown += text[kept];
    text.remove_prefix(kept + 1);
  }
}

void tell_text(std::string_view text) {
  const std::string shown = printable(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void tell_step_text(std::string_view text) {
  // A progress bar may stand in this line.
  const std::string line = fmt::format("{}fathom: {}\n", knows_escapes(2) ? "\r\033[K" : "", printable(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace fathom
