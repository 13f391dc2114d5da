// SPDX-License-Identifier: Apache-2.0
/// SHA-256 (FIPS 180-4) and its keyed form HMAC (RFC 2104): for what nobody without the key may guess.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fathom {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view message);
Digest hmac_sha256(std::string_view key, std::string_view message);

/// Two digits for each byte.
std::string hex_digits(std::span<const std::uint8_t> bytes);

}  // namespace fathom
