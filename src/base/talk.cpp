// SPDX-License-Identifier: Apache-2.0
#include "base/talk.h"

#include <atomic>
#include <cstdio>

#include "base/terminal.h"

namespace fathom {
namespace {
std::atomic<Talk> amount = Talk::usual;
}

void set_talk(Talk talk) { amount = talk; }
Talk talk() { return amount; }

void tell_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void tell_step_text(std::string_view text) {
  // A progress bar may stand in this line.
  tell_text(fmt::format("{}fathom: {}\n", knows_escapes(2) ? "\r\033[K" : "", text));
}

}  // namespace fathom
