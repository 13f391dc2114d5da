// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "ingest/ingest.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

bool hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

/// Part of one snapshot of counters is worth little, all of a folder much: everything below is taken.
/// `seen`: a folder that links lead to again, or in a circle, is read once.
Result<void> walk(const fs::path& folder, std::vector<InputFile>& found, std::set<std::pair<dev_t, ino_t>>& seen) {
  std::error_code problem;
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) == 0 && !seen.emplace(facts.st_dev, facts.st_ino).second) return {};
  if (fs::exists(folder / ".fathom-ignore", problem)) return {};
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) entries.push_back(it->path());
  if (problem) return Error{ErrorKind::unreadable, fmt::format("reading directory {}: {}", folder.string(), problem.message())};
  // A trace is no log: whoever links runs to jobs looks for those.
  if (std::any_of(entries.begin(), entries.end(), [](const fs::path& entry) { return entry.extension() == ".fathom"; })) return {};
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    if (hidden(entry)) continue;
    if (fs::is_directory(entry, problem)) {
      TRY_VOID(walk(entry, found, seen));
    } else if (fs::is_regular_file(entry, problem)) {
      found.push_back({entry.string(), false});
    }
  }
  return {};
}

}  // namespace

Result<std::vector<InputFile>> find_inputs(const std::vector<std::string>& paths) {
  std::vector<InputFile> found;
  for (const std::string& path : paths) {
    std::error_code problem;
    if (!fs::exists(path, problem)) return Error{ErrorKind::not_found, fmt::format("reading {}: no such file or directory", path)};
    if (fs::is_directory(path, problem)) {
      std::set<std::pair<dev_t, ino_t>> seen;
      TRY_VOID(walk(path, found, seen));
    } else {
      found.push_back({path, true});
    }
  }
  return found;
}

}  // namespace fathom
