// SPDX-License-Identifier: Apache-2.0
/// Text for a page or a terminal of some columns.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

/// Breaks paragraphs at blanks; lines that begin with a blank (examples, lists) stay as they are.
std::string wrap_text(std::string_view text, std::size_t width);

}  // namespace fathom
