// SPDX-License-Identifier: Apache-2.0
#include "ingest/server_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/toml.h"
#include "base/whole_file.h"
#include "ingest/node_list.h"

namespace fathom {

/// The TOML form, checked key by key:
///   rule = "jugene"
///   [[group]]
///   nodes   = "r00n[000-511]"      # a node list, or an array of them
///   servers = "ion[000-003]"
class MapFile {
 public:
  MapFile(const std::string& path, ServerMap& map) : path_(path), map_(map) {}

  Result<void> read(const toml::table& root) {
    TRY_VOID(check_keys(root, std::vector<std::string_view>{"rule", "group"}));
    if (const toml::node* rule = root.get("rule")) {
      const auto name = rule->value<std::string_view>();
      map_.rule_ = name ? server_rule_named(*name) : nullptr;
      if (map_.rule_ == nullptr) return unknown_rule(name.value_or("?"), rule->source());
    }
    if (const toml::node* groups = root.get("group")) {
      if (!groups->is_array_of_tables()) return wrong("group must be written [[group]]", groups->source());
      for (const toml::node& group : *groups->as_array()) TRY_VOID(read_group(*group.as_table()));
    }
    if (map_.rule_ == nullptr && map_.group_servers_.empty()) return wrong("it has neither a rule nor a [[group]]", root.source());
    return {};
  }

  Error wrong(std::string_view what, const toml::source_region& where) const {
    return {ErrorKind::malformed,
            fmt::format("reading the server map: {} ({}:{})", what, path_, std::max(1u, static_cast<unsigned>(where.begin.line)))};
  }

 private:
  Result<void> check_keys(const toml::table& table, const std::vector<std::string_view>& known) const {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      std::string all;
      for (const std::string_view name : known) all += fmt::format("{}{}", all.empty() ? "known are " : ", ", name);
      const std::string_view close = closest_word(key.str(), known);
      return wrong(
          fmt::format("unknown key '{}', {}", excerpt(key.str(), 40), close.empty() ? all : fmt::format("did you mean '{}'?", close)),
          key.source());
    }
    return {};
  }

  Error unknown_rule(std::string_view name, const toml::source_region& where) const {
    std::string known;
    for (const ServerRule* rule : all_server_rules()) known += fmt::format(" {}", rule->name);
    return wrong(fmt::format("there is no built-in rule '{}', only:{}", excerpt(name, 40), known), where);
  }

  Result<void> read_group(const toml::table& group) {
    TRY_VOID(check_keys(group, std::vector<std::string_view>{"nodes", "servers"}));
    const auto id = static_cast<ServerMap::GroupId>(map_.group_servers_.size());
    std::vector<std::string> servers;
    TRY_VOID(each_name(group, "servers", [&](std::string_view server) { servers.push_back(as_utf8(server)); }));
    std::sort(servers.begin(), servers.end());
    servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
    TRY_VOID(each_name(group, "nodes", [&](std::string_view node) {
      auto found = map_.groups_of_node_.find(node);
      if (found == map_.groups_of_node_.end())
        found = map_.groups_of_node_.emplace(std::string(node), std::vector<ServerMap::GroupId>{}).first;
      if (found->second.empty() || found->second.back() != id) found->second.push_back(id);
    }));
    map_.group_servers_.push_back(std::move(servers));
    return {};
  }

  /// Every name of `key`, a node list or an array of node lists.
  Result<void> each_name(const toml::table& group, std::string_view key, const std::function<void(std::string_view)>& visit) {
    const toml::node* const value = group.get(key);
    if (value == nullptr) return wrong(fmt::format("a [[group]] without {}", key), group.source());
    bool any = false;
    auto read_list = [&](const toml::node& node) -> Result<void> {
      const auto list = node.value<std::string_view>();
      if (!list) return wrong(fmt::format("{} must be a text like \"n[01-16]\", or an array of such", key), node.source());
      const auto names = count_nodes(*list, room_);
      if (!names) return wrong(names.error().message, node.source());
      any = any || *names > 0;
      room_ -= *names;
      return for_each_node(*list, visit);
    };
    if (const toml::array* lists = value->as_array()) {
      for (const toml::node& list : *lists) TRY_VOID(read_list(list));
    } else {
      TRY_VOID(read_list(*value));
    }
    if (!any) return wrong(fmt::format("{} is empty", key), value->source());
    return {};
  }

  const std::string& path_;
  ServerMap& map_;
  std::size_t room_ = longest_node_list;  // names that the whole file may still hold
};

Result<ServerMap> ServerMap::parse(std::string_view text, const std::string& path) {
  ServerMap map;
  MapFile file(path, map);
  const toml::parse_result parsed = toml::parse(text, std::string_view(path));
  if (!parsed) return file.wrong(parsed.error().description(), parsed.error().source());
  TRY_VOID(file.read(parsed.table()));
  return map;
}

Result<ServerMap> ServerMap::load(const std::string& toml_path) {
  const auto text = read_whole_file(toml_path);
  if (!text) return Error{text.error().kind, fmt::format("reading the server map: {} ({})", text.error().message, toml_path)};
  return parse(*text, toml_path);
}

ServerMap ServerMap::jugene() {
  ServerMap map;
  map.rule_ = server_rule_named("jugene");
  return map;
}

Result<ServerMap> ServerMap::named_or_file(std::string_view rule_or_path) {
  if (const ServerRule* rule = server_rule_named(rule_or_path)) {
    ServerMap map;
    map.rule_ = rule;
    return map;
  }
  return load(std::string(rule_or_path));
}

std::vector<std::string> ServerMap::servers_of(std::string_view node_list, std::uint64_t& unmapped) const {
  std::vector<std::string> servers;
  std::vector<GroupId> groups;
  const auto listed = for_each_node(node_list, [&](std::string_view node) {
    if (rule_ != nullptr && rule_->servers_of(node, servers)) return;
    const auto found = groups_of_node_.find(node);
    if (found == groups_of_node_.end()) {
      ++unmapped;
      return;
    }
    // Neighbours are mostly of one group: most repetitions end here.
    if (groups.empty() || found->second.size() > 1 || groups.back() != found->second.front())
      groups.insert(groups.end(), found->second.begin(), found->second.end());
  });
  if (!listed) ++unmapped;
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const GroupId group : groups) servers.insert(servers.end(), group_servers_[group].begin(), group_servers_[group].end());
  std::sort(servers.begin(), servers.end());
  servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
  return servers;
}

void ServerMap::place(Job& job, MapAccount& account) const {
  if (!job.servers.empty()) return;
  ++account.jobs;
  if (job.node_list.empty()) {
    ++account.jobs_without_list;
    return;
  }
  std::uint64_t unmapped = 0;
  job.servers = servers_of(job.node_list, unmapped);
  if (unmapped == 0) return;
  if (account.jobs_unmapped++ == 0) account.first_unmapped = fmt::format("job {} on {}", job.id, excerpt(job.node_list));
  account.nodes_unmapped += unmapped;
}

std::vector<std::string> MapAccount::notices() const {
  std::vector<std::string> sentences;
  if (jobs_unmapped > 0)
    sentences.push_back(
        fmt::format("{} of {} jobs have nodes that the server map does not know ({} nodes in all; the first: {}); "
                    "they keep the servers that were found",
                    jobs_unmapped, jobs, nodes_unmapped, first_unmapped));
  if (jobs_without_list > 0)
    sentences.push_back(fmt::format("{} of {} jobs have no node list: the server map cannot tell their servers", jobs_without_list, jobs));
  return sentences;
}

}  // namespace fathom
