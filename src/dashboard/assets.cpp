// SPDX-License-Identifier: Apache-2.0
#include "dashboard/assets.h"

#include <array>

#include "base/text.h"

namespace fathom::dashboard {

Result<Assets> Assets::unpack(std::string_view pack) {
  constexpr std::string_view magic = "FATHOMPACK1\n";
  const Error damaged{ErrorKind::damaged, "reading the files of the page: the program was built with a damaged pack"};
  if (!pack.starts_with(magic)) return damaged;
  pack.remove_prefix(magic.size());
  Assets assets;
  while (!pack.empty()) {
    if (pack.find('\n') == std::string_view::npos) return damaged;
    std::string_view line = take_until(pack, '\n');
    std::array<std::string_view, 5> fields;
    for (std::string_view& field : fields) field = take_until(line, '\t');
    const auto size = parse_u64(fields[2]), packed = parse_u64(fields[3]);
    if (!size || !packed || *packed > pack.size()) return damaged;
    assets.all_[std::string(fields[0])] = {std::string(fields[1]), "\"" + std::string(fields[4]) + "\"", static_cast<std::size_t>(*size),
                                           std::make_shared<const std::string>(pack.substr(0, *packed))};
    pack.remove_prefix(*packed);
  }
  if (assets.find("index.html") == nullptr) return damaged;
  return assets;
}

const Asset* Assets::find(std::string_view name) const {
  const auto at = all_.find(name);
  return at == all_.end() ? nullptr : &at->second;
}

}  // namespace fathom::dashboard
