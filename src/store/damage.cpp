// SPDX-License-Identifier: Apache-2.0
#include "store/damage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <vector>

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// The file names in a statement's `read_parquet(['/proc/self/fd/6', ...` and `parquet_kv_metadata(['...`.
std::vector<std::string> files_read(std::string_view sql) {
  std::vector<std::string> files;
  for (const std::string_view call : {"read_parquet(", "parquet_kv_metadata(", "parquet_file_metadata("})
    for (std::size_t at = sql.find(call); at != std::string_view::npos; at = sql.find(call, at)) {
      at += call.size();
      if (at < sql.size() && sql[at] == '[') ++at;
      while (at < sql.size() && sql[at] == '\'') {
        std::string file;
        for (++at; at < sql.size(); ++at) {
          if (sql[at] == '\'' && (at + 1 == sql.size() || sql[at + 1] != '\'')) break;
          if (sql[at] == '\'') ++at;  // doubled: one of the name
          file += sql[at];
        }
        files.push_back(std::move(file));
        ++at;
        if (sql.substr(std::min(at, sql.size())).starts_with(", ")) at += 2;
      }
    }
  return files;
}

/// A snapshot reads its segments through descriptors: what they are called in the store.
std::string name_of(const std::string& file) {
  constexpr std::string_view gone = " (deleted)";
  if (!file.starts_with("/proc/self/fd/")) return file;
  std::error_code problem;
  std::string name = fs::read_symlink(file, problem);
  if (problem) return file;
  if (name.ends_with(gone)) name.resize(name.size() - gone.size());
  return name;
}

/// STORE of STORE/increments/day=2010-05-03/000001-0.parquet and STORE/sources/000001-2.parquet.
std::string store_of(const std::string& segment) {
  fs::path folder = fs::path(segment).parent_path();
  if (folder.filename().string().starts_with("day=")) folder = folder.parent_path();
  return folder.parent_path();
}

/// Where `file` stands in the text; not as the beginning of a longer number.
std::size_t find_file(std::string_view text, std::string_view file) {
  for (std::size_t at = text.find(file); at != std::string_view::npos; at = text.find(file, at + 1)) {
    const std::size_t end = at + file.size();
    if (end == text.size() || text[end] < '0' || text[end] > '9') return at;
  }
  return std::string_view::npos;
}

/// Of several lines the first says what is wrong; the others quote the statement, or give advice to its author.
std::string first_line(std::string_view said) { return std::string(said.substr(0, said.find('\n'))); }

/// `Failed to read file "/proc/self/fd/6": ...` without the name, which the error gives at its end.
void cut_out(std::string& text, std::string_view file) {
  for (std::size_t at = find_file(text, file); at != std::string::npos; at = find_file(text, file)) {
    std::size_t size = file.size();
    const bool quoted =
        at > 0 && at + size < text.size() && (text[at - 1] == '"' || text[at - 1] == '\'') && text[at + size] == text[at - 1];
    if (quoted) --at, size += 2;
    if (at > 0 && text[at - 1] == ' ') --at, ++size;
    text.erase(at, size);
  }
}

/// All names of one file, where it has another one.
void rename(std::string& text, const std::string& file, const std::string& name) {
  if (name.find(file) != std::string::npos) return;
  for (std::size_t at = find_file(text, file); at != std::string::npos; at = find_file(text, file)) text.replace(at, file.size(), name);
}

enum class Cause { damage, perhaps_damage, other };

/// By the words that a message of DuckDB begins with. Where the parts of a file do not fit together, almost any of them may come.
Cause cause_of(std::string_view said) {
  constexpr std::array other{"Out of Memory Error:", "Invalid Error: std::bad_alloc", "INTERRUPT Error:", "Permission Error:"};
  constexpr std::array damage{"IO Error: Could not read enough bytes",
                              "Invalid Error:", "Invalid Input Error:", "Serialization Error:", "Binder Error:"};
  const auto begins = [&](std::string_view words) { return said.starts_with(words); };
  if (std::any_of(other.begin(), other.end(), begins)) return Cause::other;
  return std::any_of(damage.begin(), damage.end(), begins) ? Cause::damage : Cause::perhaps_damage;
}

}  // namespace

Error query_error(std::string_view sql, std::string_view said, ErrorKind otherwise) {
  const std::vector<std::string> files = files_read(sql);
  std::string text = first_line(said);
  if (files.empty()) return {otherwise, text};
  std::set<std::string> all(files.begin(), files.end()), named;
  std::copy_if(all.begin(), all.end(), std::inserter(named, named.end()),
               [&](const std::string& file) { return find_file(text, file) != std::string::npos; });
  if (named.empty() && text.starts_with("IO Error:")) return {otherwise, text};  // of another file: what is written, a folder for sorting
  if (named.empty() && all.size() == 1) named = all;
  const std::string store = store_of(name_of(files.front())),
                    where = named.size() == 1 ? fmt::format(" ({})", name_of(*named.begin())) : "";
  for (const std::string& file : named)
    if (where.empty())
      rename(text, file, name_of(file));
    else
      cut_out(text, file);
  switch (cause_of(text)) {
    case Cause::other: return {otherwise, fmt::format("reading store {}: {}{}", store, text, where)};
    case Cause::perhaps_damage:
      return {otherwise,
              fmt::format("reading store {0}: {1}; 'fathom check {0}' tells whether a segment is damaged{2}", store, text, where)};
    case Cause::damage: break;
  }
  return {ErrorKind::damaged, fmt::format("reading store {0}: {1} is damaged: {2}; 'fathom check {0}' lists what is damaged{3}", store,
                                          where.empty() ? "one of the segments" : "a segment", text, where)};
}

}  // namespace fathom
