// SPDX-License-Identifier: Apache-2.0
// Any text is a manifest or a refusal that names the store; one that is taken names nothing outside, and is the same when written and read
// again.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "store/files.h"
#include "store/manifest.h"

namespace {

/// A folder of this process, taken away at its end; in memory where there is such a place, because a manifest is flushed to its disk.
struct Folder {
  std::string path =
      fmt::format("{}/fathom-manifest-fuzz-{}",
                  std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string(), ::getpid());
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

bool outside(const std::string& path) {
  return path.empty() || path.starts_with('/') || path == ".." || path.starts_with("../") || path.find("/../") != std::string::npos ||
         path.ends_with("/..");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  static const Folder folder;
  const std::string file = folder.path + "/manifest.json";
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (out == nullptr || std::fwrite(data, 1, size, out) != size || std::fclose(out) != 0) std::abort();
  const auto manifest = load_manifest(folder.path);
  if (!manifest) {
    if (manifest.error().message.find(folder.path) == std::string::npos) std::abort();
    return 0;
  }
  for (const Segment& segment : manifest->segments)
    if (outside(segment.path) || (!segment.staged.empty() && outside(segment.staged))) std::abort();
  for (const std::string& path : manifest->removed)
    if (outside(path)) std::abort();
  if (!save_manifest(folder.path, *manifest)) std::abort();
  const auto again = load_manifest(folder.path);
  if (!again || again->segments.size() != manifest->segments.size() || again->commit != manifest->commit ||
      again->removed != manifest->removed)
    std::abort();
  return 0;
}
