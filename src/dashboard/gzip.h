// SPDX-License-Identifier: Apache-2.0
/// Bytes packed as gzip, for readers who take it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fathom::dashboard {

std::string gzip(std::string_view bytes);
/// Nothing if it is not gzip, or longer than `most`.
std::optional<std::string> gunzip(std::string_view bytes, std::size_t most);

}  // namespace fathom::dashboard
