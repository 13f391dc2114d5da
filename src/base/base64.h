// SPDX-License-Identifier: Apache-2.0
/// Bytes as text (RFC 4648), for data inside JSON.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

std::string base64(std::string_view bytes);

}  // namespace fathom
