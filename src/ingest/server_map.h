// SPDX-License-Identifier: Apache-2.0
/// Which storage servers (I/O nodes) belong to the compute nodes of a job: the file of --map, or a built-in rule.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ingest/server_rule.h"
#include "model/job.h"

namespace fathom {

/// What happened to the jobs of one ingest: how many could not be mapped, wholly or in part.
struct MapAccount {
  std::uint64_t jobs = 0;
  std::uint64_t jobs_without_list = 0;
  std::uint64_t jobs_unmapped = 0;  // with at least one node that no rule knows
  std::uint64_t nodes_unmapped = 0;
  std::string first_unmapped;  // one such job's id and list

  /// Sentences for the user; none when every job found its servers.
  std::vector<std::string> notices() const;
};

class ServerMap {
 public:
  /// The word of a built-in rule (`jugene`) or the path of a TOML file.
  static Result<ServerMap> named_or_file(std::string_view rule_or_path);
  static Result<ServerMap> load(const std::string& toml_path);
  /// The same from text; `path` is for messages.
  static Result<ServerMap> parse(std::string_view toml, const std::string& path);
  /// Blue Gene/P as in Juelich: see server_rules/jugene_rule.cpp.
  static ServerMap jugene();

  /// The servers of a node list, sorted, each once. Adds the nodes that no rule knows to `unmapped`
  /// (a list that cannot be read counts as one).
  std::vector<std::string> servers_of(std::string_view node_list, std::uint64_t& unmapped) const;

  /// Gives the job its servers, unless its log already did.
  void place(Job& job, MapAccount& account) const;

 private:
  friend class MapFile;  // fills it from TOML
  using GroupId = std::uint32_t;
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  const ServerRule* rule_ = nullptr;  // asked first, then the groups
  std::vector<std::vector<std::string>> group_servers_;
  std::unordered_map<std::string, std::vector<GroupId>, TextHash, std::equal_to<>> groups_of_node_;
};

}  // namespace fathom
