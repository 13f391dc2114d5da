// SPDX-License-Identifier: Apache-2.0
/// Names that stand for names: the same one for the same name and salt, and nobody can tell the name without the salt.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "store_export/salt.h"

namespace fathom {

enum class NameKind : std::uint8_t { user, application, job, server, filesystem, node, partition, path, command, file_hash };

struct NameKindFacts {
  std::string_view plural;  // for people: 12 users
  std::string_view prefix;
  /// Jobs and files may be millions: with 10 digits (40 bits) two of a million would get the same pseudonym in one export of three.
  std::size_t digits;
};
inline constexpr std::array<NameKindFacts, 10> name_kinds = {{{"users", "u-", 10},
                                                              {"job names", "a-", 10},
                                                              {"job ids", "j-", 16},
                                                              {"servers", "s-", 10},
                                                              {"file systems", "f-", 10},
                                                              {"nodes", "n-", 10},
                                                              {"partitions", "q-", 10},
                                                              {"paths", "p-", 16},
                                                              {"commands", "c-", 16},
                                                              {"hashes of files", "", 32}}};
constexpr const NameKindFacts& facts_of(NameKind kind) { return name_kinds[static_cast<std::size_t>(kind)]; }

class Pseudonyms {
 public:
  explicit Pseudonyms(const Salt& salt);

  /// An empty name stays empty. Fails where two names would get one pseudonym, which would make two users one.
  Result<std::string> of(NameKind kind, std::string_view name);
  /// Each name between separators by itself, in order of the pseudonyms.
  Result<std::string> of_list(NameKind kind, std::string_view names, char separator);
  /// A batch system's list of nodes, written out; a very long one as a whole, one that makes no sense as nothing.
  Result<std::string> of_node_list(std::string_view list);
  /// A path, with the number of its source behind it as slices of Darshan logs have it.
  Result<std::string> of_path(std::string_view path);

  /// A number of days back, from 1 to 3650, that belongs to the salt.
  int days_back() const;

  /// How many names of a kind were replaced.
  std::size_t count(NameKind kind) const { return names_[static_cast<std::size_t>(kind)].size(); }

 private:
  std::string key_;
  std::array<std::unordered_map<std::string, std::string>, name_kinds.size()> names_;  // by pseudonym
};

}  // namespace fathom
