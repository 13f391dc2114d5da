// SPDX-License-Identifier: Apache-2.0
/// The secret of an export: 256 random bits that nobody can undo pseudonyms without.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

using Salt = std::array<std::uint8_t, 32>;

/// From the kernel; kept nowhere.
Result<Salt> draw_salt();

/// 64 hexadecimal digits and a line end; nothing if the text is anything else.
std::optional<Salt> parse_salt(std::string_view text);

/// The salt of a file that only its owner may read; a file that is missing is made, with a salt that was drawn.
Result<Salt> salt_of_file(const std::string& path);

}  // namespace fathom
