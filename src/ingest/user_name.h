// SPDX-License-Identifier: Apache-2.0
/// Names of users of this machine.
#pragma once

#include <string>

namespace fathom {

/// The name behind a user's number, where this machine knows it; else the number.
std::string user_name(const std::string& number);

}  // namespace fathom
