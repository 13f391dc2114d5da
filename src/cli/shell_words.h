// SPDX-License-Identifier: Apache-2.0
/// Commands as somebody types them: words that hold blanks or what a shell understands go between quotes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fathom {

/// `a demo/store` becomes `'a demo/store'`, `store` stays as it is.
std::string shell_word(std::string_view word);
/// The words as one line that can be pasted into a shell.
std::string shell_line(std::span<const std::string> words);

}  // namespace fathom
