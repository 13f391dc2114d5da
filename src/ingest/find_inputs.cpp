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

/// Everything below one folder that was named.
class Walk {
 public:
  Walk(const fs::path& root, std::vector<InputFile>& found) : found_(found) {
    std::error_code problem;
    root_ = fs::canonical(root, problem);
  }

  /// Part of one snapshot of counters is worth little, all of a folder much: everything below is taken.
  Result<void> folder(const fs::path& path) {
    std::error_code problem;
    struct stat facts {};
    if (::stat(path.c_str(), &facts) == 0 && !seen_.emplace(facts.st_dev, facts.st_ino).second) return {};
    if (fs::exists(path / ".fathom-ignore", problem)) return {};
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(path, problem), end; !problem && it != end; it.increment(problem)) entries.push_back(it->path());
    if (problem) return Error{ErrorKind::unreadable, fmt::format("reading directory {}: {}", path.string(), problem.message())};
    // A trace is no log: whoever links runs to jobs looks for those.
    if (std::any_of(entries.begin(), entries.end(), [](const fs::path& entry) { return entry.extension() == ".fathom"; })) return {};
    std::sort(entries.begin(), entries.end());
    for (const fs::path& each : entries)
      if (!hidden(each)) TRY_VOID(entry(each));
    return {};
  }

 private:
  Result<void> entry(const fs::path& path) {
    std::error_code problem;
    const bool link = fs::is_symlink(path, problem), is_folder = fs::is_directory(path, problem);
    if (!is_folder && !fs::is_regular_file(path, problem)) return {};
    const bool outside = link && !inside(path);
    if (is_folder && !link) return folder(path);
    // What a link inside of the directory leads to is read where it is.
    if (!is_folder || outside) found_.push_back({path.string(), false, outside});
    return {};
  }

  /// Whoever may write a log may make a link: it must not lead to files of others.
  bool inside(const fs::path& link) const {
    std::error_code problem;
    const fs::path target = fs::canonical(link, problem);
    return !problem && !root_.empty() && std::mismatch(root_.begin(), root_.end(), target.begin(), target.end()).first == root_.end();
  }

  std::vector<InputFile>& found_;
  fs::path root_;
  std::set<std::pair<dev_t, ino_t>> seen_;  // a folder that is mounted twice is read once
};

}  // namespace

Result<std::vector<InputFile>> find_inputs(const std::vector<std::string>& paths) {
  std::vector<InputFile> found;
  for (const std::string& path : paths) {
    std::error_code problem;
    if (!fs::exists(path, problem)) return Error{ErrorKind::not_found, fmt::format("reading {}: no such file or directory", path)};
    if (fs::is_directory(path, problem)) {
      TRY_VOID(Walk(path, found).folder(path));
    } else {
      found.push_back({path, true, false});
    }
  }
  return found;
}

}  // namespace fathom
