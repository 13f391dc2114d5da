// SPDX-License-Identifier: Apache-2.0
/// What the user's terminal can show: characters by the locale, escape codes by TERM, colours by NO_COLOR and --no-color too.
#pragma once

#include <array>
#include <string_view>

namespace fathom {

/// Signs that plots, maps and progress bars are made of; text for people names them from here alone.
struct Glyphs {
  std::array<std::string_view, 9> eighths;  // from nothing to a full block
  std::string_view missing;                 // not measured
  std::string_view done, left;              // of a progress bar
  std::string_view axis, corner;            // of a plot
  std::string_view mark, none;              // a burst; nothing in a strip of letters
  std::string_view plus_minus;
};

extern const Glyphs unicode_glyphs, ascii_glyphs;

/// By the locale: the first of LC_ALL, LC_CTYPE, LANG that is set; ASCII unless it says UTF-8.
const Glyphs& glyphs();
bool locale_is_utf8();

/// For --no-color.
void forbid_colours();
bool colours_forbidden();
/// A terminal that knows escape codes, and nobody asked for none: NO_COLOR set to something (no-color.org), --no-color.
bool shows_colours(int descriptor);
/// A terminal whose cursor can be moved by escape codes: TERM is neither unset nor `dumb`.
bool knows_escapes(int descriptor);

}  // namespace fathom
