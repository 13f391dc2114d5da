// SPDX-License-Identifier: Apache-2.0
/// What the object numbers of a process stand for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "trace_format/record.h"

namespace fathom::trace {

struct Defined {
  std::uint32_t object = 0;
  DefinitionKind kind = DefinitionKind::path;
  FileKind file_kind = FileKind::unknown;
  std::uint32_t parent = 0;
  std::uint32_t open_flags = 0;
  std::uint64_t inode = 0, device = 0;
  std::int64_t size = -1;
  std::string text;
};

/// Things sorted by their object number; numbers are mostly without gaps, so that the place can be guessed.
template <class Thing>
const Thing* find_object(const std::vector<Thing>& things, std::uint32_t object) {
  if (things.empty() || object < things.front().object) return nullptr;
  const std::size_t guess = object - things.front().object;
  if (guess < things.size() && things[guess].object == object) return &things[guess];
  const auto found = std::lower_bound(things.begin(), things.end(), object,
                                      [](const Thing& thing, std::uint32_t number) { return thing.object < number; });
  return found != things.end() && found->object == object ? &*found : nullptr;
}

/// Those of one process. A forked one has its parent's below `inherited`, as long as it did not make them anew.
struct Definitions {
  std::vector<Defined> own;  // sorted, once `sort` was called
  const Definitions* parent = nullptr;
  std::uint32_t inherited = 0;

  void sort() {
    std::stable_sort(own.begin(), own.end(), [](const Defined& a, const Defined& b) { return a.object < b.object; });
    own.erase(std::unique(own.begin(), own.end(), [](const Defined& a, const Defined& b) { return a.object == b.object; }), own.end());
  }
  const Defined* find(std::uint32_t object) const {
    const Definitions* at = this;
    for (int generations = 0; at != nullptr && generations < 4096; ++generations) {
      if (const Defined* found = find_object(at->own, object)) return found;
      if (object >= at->inherited) return nullptr;
      at = at->parent;
    }
    return nullptr;
  }
};

/// Absolute path of a name; `directory` is what a relative one stands in.
std::string absolute_path(std::string_view name, std::string_view directory);

/// The absolute path of a path, handle or directory; empty if it has none. `directory` is the process's working directory.
std::string path_of(const Definitions& definitions, const Defined& what, std::string_view directory);

}  // namespace fathom::trace
