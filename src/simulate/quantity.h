// SPDX-License-Identifier: Apache-2.0
/// Sizes, bandwidths and times as people write them in a scenario: "4 MiB", "10 Gbit/s", "2 min".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "simulate/component.h"
#include "simulate/picoseconds.h"

namespace fathom::simulate {

enum class Dimension { bytes, bytes_per_second, time };

/// Bytes, bytes per second or picoseconds; nothing when the text is no such quantity, is not whole in that unit, or does not fit.
std::optional<std::uint64_t> parse_quantity(std::string_view text, Dimension dimension);

/// An example for messages.
std::string_view example_of(Dimension dimension);

/// As parse_quantity reads it back, exactly.
std::string quantity_text(std::uint64_t value, Unit unit, std::span<const std::string_view> words = {});

}  // namespace fathom::simulate
