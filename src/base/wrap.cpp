// SPDX-License-Identifier: Apache-2.0
#include "base/wrap.h"

#include "base/text.h"

namespace fathom {

std::string wrap_text(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t column = 0;  // 0: at the begin of a line
  bool as_it_is = true;    // the line before cannot be continued
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const bool kept = line.empty() || is_blank(line.front());
    if (!out.empty() && (kept || as_it_is)) {
      out += '\n';
      column = 0;
    }
    as_it_is = kept;
    if (kept) {
      out += line;
      continue;
    }
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (column > 0 && column + 1 + word.size() > width) {
        out += '\n';
        column = 0;
      }
      if (column > 0) out += ' ', ++column;
      out += word;
      column += word.size();
    }
  }
  return out;
}

}  // namespace fathom
