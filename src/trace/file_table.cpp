// SPDX-License-Identifier: Apache-2.0
#include "trace/file_table.h"

#include <fcntl.h>

#include <algorithm>

namespace fathom::trace {

std::uint32_t FileTable::root(std::uint32_t number) {
  while (names_[number].joined != number) number = names_[number].joined = names_[names_[number].joined].joined;
  return number;
}

/// The one that came first stays.
void FileTable::join(std::uint32_t a, std::uint32_t b) {
  a = root(a);
  b = root(b);
  if (a != b) names_[std::max(a, b)].joined = std::min(a, b);
}

std::uint32_t FileTable::named(std::uint32_t host, const std::string& path) {
  const auto [place, is_new] = path_numbers_.try_emplace(path, static_cast<std::uint32_t>(paths_.size()));
  if (is_new) paths_.push_back(&place->first);
  const auto next = static_cast<std::uint32_t>(names_.size());
  const auto [found, is_new_here] = by_path_.try_emplace(static_cast<std::uint64_t>(place->second) << 32 | host, next);
  if (is_new_here) names_.push_back({.path = place->second, .joined = next});
  return found->second;
}

std::uint32_t FileTable::opened(std::uint32_t host, const std::string& path, const Defined& handle) {
  const std::uint32_t number = named(host, path);
  Name& name = names_[number];
  if (name.kind == FileKind::unknown) name.kind = handle.file_kind;
  if (!name.opened) name.size = handle.size;
  name.opened = true;
  if (handle.inode == 0) return number;
  name.has_inode = true;
  if (const auto [there, is_new] = by_path_inode_.try_emplace({name.path, handle.inode, 0}, number); !is_new) join(number, there->second);
  const auto [same, is_new] = by_inode_.try_emplace({handle.device, handle.inode, host}, number);
  if (is_new || names_[same->second].path == name.path) return number;
  const bool may_have_made_it = (handle.open_flags & O_CREAT) != 0 && handle.size == 0;
  if (may_have_made_it)
    same->second = number;  // whoever comes next means this one
  else
    join(number, same->second);
  return number;
}

void FileTable::hint(std::uint32_t number, const std::string& text) { hints_.emplace_back(number, text); }

/// A name without an inode is the first file of that path.
void FileTable::join_nameless_inodes() {
  std::vector<std::uint32_t> first(paths_.size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < names_.size(); ++i)
    if (names_[i].has_inode && first[names_[i].path] == UINT32_MAX) first[names_[i].path] = i;
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (names_[i].has_inode) continue;
    if (std::uint32_t& there = first[names_[i].path]; there == UINT32_MAX)
      there = i;
    else
      join(i, there);
  }
}

std::vector<File> FileTable::finish() {
  join_nameless_inodes();
  std::vector<File> files;
  file_of_.assign(names_.size(), no_file);
  std::vector<bool> path_is_of_opening;
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    const Name& name = names_[i];
    std::uint32_t& place = file_of_[root(i)];
    if (place == no_file) {
      place = static_cast<std::uint32_t>(files.size());
      files.emplace_back().path = *paths_[name.path];
      path_is_of_opening.push_back(false);
    }
    File& file = files[place];
    if (name.opened && !path_is_of_opening[place]) {
      file.path = *paths_[name.path];
      file.size_at_open = name.size;
      path_is_of_opening[place] = true;
    }
    if (file.kind == FileKind::unknown) file.kind = name.kind;
  }
  for (auto& [number, text] : hints_) {
    auto& hints = files[file_of(number)].hints;
    if (std::find(hints.begin(), hints.end(), text) == hints.end()) hints.push_back(std::move(text));
  }
  return files;
}

}  // namespace fathom::trace
