// SPDX-License-Identifier: Apache-2.0
#include "trace/units.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fathom::trace {
namespace {

constexpr std::size_t nobody = SIZE_MAX;

/// Who started a process: the one it was forked from or was before exec, else the youngest older one with its parent's pid on its host.
std::vector<std::size_t> starters(const std::vector<ProcessDetails>& texts) {
  std::unordered_map<std::uint64_t, std::size_t> by_id;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> by_pid;  // of those that started before
  for (std::size_t i = 0; i < texts.size(); ++i) by_id.emplace(texts[i].process, i);
  std::vector<std::size_t> result(texts.size(), nobody);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const ProcessDetails& text = texts[i];
    for (const std::uint64_t id : {text.exec_of, text.parent}) {
      const auto found = id == 0 ? by_id.end() : by_id.find(id);
      if (found != by_id.end() && result[i] == nobody && found->second != i) result[i] = found->second;
    }
    if (const auto found = by_pid.find({text.host + '\n' + text.boot, text.parent_pid}); result[i] == nobody && found != by_pid.end())
      result[i] = found->second;
    by_pid[{text.host + '\n' + text.boot, text.pid}] = i;
  }
  return result;
}

/// The rank of the nearest of a process and those that led to it; -1: none has one.
std::int32_t rank_of(std::size_t i, const std::vector<ProcessDetails>& texts, const std::vector<std::size_t>& started_by) {
  for (std::size_t steps = 0; i != nobody && steps <= texts.size(); ++steps, i = started_by[i])
    if (texts[i].rank >= 0) return texts[i].rank;
  return -1;
}

/// Before exec it was the same process: the first of the chain.
std::size_t before_exec(std::size_t i, const std::vector<ProcessDetails>& texts, const std::vector<std::size_t>& started_by) {
  for (std::size_t steps = 0;
       steps < texts.size() && texts[i].exec_of != 0 && started_by[i] != nobody && texts[started_by[i]].process == texts[i].exec_of;
       ++steps)
    i = started_by[i];
  return i;
}

}  // namespace

void find_execs(std::vector<ProcessDetails>& texts) {
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> by_pid;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ProcessDetails& text = texts[i];
    if (!text.known || text.pid == 0) continue;
    const auto [found, is_new] = by_pid.try_emplace({text.host + '\n' + text.boot, text.pid}, i);
    if (is_new) continue;
    const ProcessDetails& before = texts[found->second];
    if (text.exec_of == 0 && text.parent == 0 && before.end.ticks == 0 && before.parent_pid == text.parent_pid)
      text.exec_of = before.process;
    found->second = i;
  }
}

std::vector<Unit> find_units(std::vector<Process>& processes, const std::vector<ProcessDetails>& texts) {
  const auto started_by = starters(texts);
  const bool has_ranks = std::any_of(texts.begin(), texts.end(), [](const ProcessDetails& text) { return text.rank >= 0; });
  std::map<std::int64_t, std::vector<std::size_t>> members;  // by rank or by first process
  constexpr std::int64_t launcher = INT64_MAX;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const std::int32_t rank = has_ranks ? rank_of(i, texts, started_by) : 0;
    members[!has_ranks ? static_cast<std::int64_t>(before_exec(i, texts, started_by)) : rank >= 0 ? rank : launcher].push_back(i);
  }
  std::vector<Unit> units;
  for (const auto& [key, list] : members) {
    const auto place = static_cast<std::uint32_t>(units.size());
    Unit unit{.rank = has_ranks ? static_cast<std::int32_t>(key == launcher ? -1 : key) : static_cast<std::int32_t>(place),
              .launcher = key == launcher,
              .host = processes[list.front()].host};
    unit.start = INT64_MAX;
    unit.end = INT64_MIN;
    for (const std::size_t i : list) {
      if (texts[i].rank >= 0) unit.host = processes[i].host;
      processes[i].unit = place;
      unit.start = std::min(unit.start, processes[i].start);
      unit.end = std::max(unit.end, processes[i].end);
    }
    units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace fathom::trace
