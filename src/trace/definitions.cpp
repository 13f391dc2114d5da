// SPDX-License-Identifier: Apache-2.0
#include "trace/definitions.h"

#include <string_view>

#include "base/text.h"

namespace fathom::trace {
namespace {

constexpr int longest_chain = 64;  // a directory opened in a directory opened in ...

/// ROMIO takes the file system's name in front of the path: "ufs:/scratch/a".
std::string_view without_file_system(std::string_view name) {
  for (const std::string_view prefix : {"ufs:", "nfs:", "lustre:", "gpfs:", "xfs:", "panfs:", "pvfs2:", "daos:", "testfs:"})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

std::string follow(const Definitions& definitions, const Defined& what, std::string_view directory, int left) {
  if (what.kind == DefinitionKind::directory) return absolute_path(what.text, "/");
  const Defined* const parent = what.parent != 0 && what.parent != what.object ? definitions.find(what.parent) : nullptr;
  if (what.kind == DefinitionKind::handle) {
    if (parent != nullptr && left > 0) return follow(definitions, *parent, directory, left - 1);
    return what.text.empty() ? std::string() : what.text.front() == '/' ? absolute_path(what.text, "/") : what.text;
  }
  if (what.kind != DefinitionKind::path || what.text.empty()) return {};
  const std::string_view name = without_file_system(what.text);
  if (name.starts_with('/') || parent == nullptr || left == 0) return absolute_path(name, directory);
  return absolute_path(name, follow(definitions, *parent, directory, left - 1));
}

}  // namespace

std::string absolute_path(std::string_view name, std::string_view directory) {
  std::string path;
  const auto add = [&](std::string_view rest) {
    while (!rest.empty()) {
      const std::string_view part = take_until(rest, '/');
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        path.erase(path.empty() ? 0 : path.rfind('/'));
      } else {
        path += '/';
        path += part;
      }
    }
  };
  if (!name.starts_with('/')) add(directory);
  add(name);
  return path.empty() ? "/" : path;
}

std::string path_of(const Definitions& definitions, const Defined& what, std::string_view directory) {
  return follow(definitions, what, directory, longest_chain);
}

}  // namespace fathom::trace
