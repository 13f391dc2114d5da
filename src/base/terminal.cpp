// SPDX-License-Identifier: Apache-2.0
#include "base/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace fathom {
namespace {

bool no_colours = false;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

}  // namespace

constinit const Glyphs unicode_glyphs{.eighths = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
                                      .missing = "░",
                                      .done = "█",
                                      .left = "░",
                                      .axis = "│",
                                      .corner = "└",
                                      .mark = "▀",
                                      .none = "·",
                                      .plus_minus = "±"};

constinit const Glyphs ascii_glyphs{.eighths = {" ", "_", ".", ":", "-", "=", "+", "*", "#"},
                                    .missing = "?",
                                    .done = "#",
                                    .left = ".",
                                    .axis = "|",
                                    .corner = "+",
                                    .mark = "^",
                                    .none = ".",
                                    .plus_minus = "+-"};

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(variable(name));
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

const Glyphs& glyphs() { return locale_is_utf8() ? unicode_glyphs : ascii_glyphs; }

void forbid_colours() { no_colours = true; }
bool colours_forbidden() { return no_colours; }

bool knows_escapes(int descriptor) {
  const std::string_view terminal = variable("TERM");
  return ::isatty(descriptor) == 1 && !terminal.empty() && terminal != "dumb";
}

bool shows_colours(int descriptor) { return !no_colours && variable("NO_COLOR").empty() && knows_escapes(descriptor); }

}  // namespace fathom
