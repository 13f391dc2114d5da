// SPDX-License-Identifier: Apache-2.0
#include "ingest/user_name.h"

#include <pwd.h>

namespace fathom {

std::string user_name(const std::string& number) {
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos && number.size() < 10;
  const passwd* const entry = is_number ? ::getpwuid(static_cast<uid_t>(std::stoul(number))) : nullptr;
  return entry != nullptr ? entry->pw_name : number;
}

}  // namespace fathom
