// SPDX-License-Identifier: Apache-2.0
/// One table of files from the openings and names of all processes.
///
/// On one host a path is one file, and two paths are one file if device and inode are the same (unless the second opening may have made
/// it: inodes of removed files come back). On different hosts the same path is one file if the inode is the same: the numbers of devices
/// differ from host to host, and each host may have a /tmp of its own. Who gives no inode (MPI-IO, calls by name) means the path.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/definitions.h"
#include "trace/trace.h"

namespace fathom::trace {

class FileTable {
 public:
  /// Both give a number that `file_of` turns into a place in the table once all are known.
  std::uint32_t named(std::uint32_t host, const std::string& path);
  std::uint32_t opened(std::uint32_t host, const std::string& path, const Defined& handle);
  void hint(std::uint32_t number, const std::string& text);

  std::vector<File> finish();
  std::uint32_t file_of(std::uint32_t number) { return file_of_[root(number)]; }

 private:
  struct Name {  // a path on a host
    std::uint32_t path, joined;
    bool has_inode = false, opened = false;
    FileKind kind = FileKind::unknown;
    std::int64_t size = -1;
  };
  struct Key {
    std::uint64_t a, b;
    std::uint32_t c;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return ((key.a * 0x9e3779b97f4a7c15u) ^ key.b) * 0xff51afd7ed558ccdu ^ key.c * 0x9e3779b1u;
    }
  };

  std::uint32_t root(std::uint32_t number);
  void join(std::uint32_t a, std::uint32_t b);
  void join_nameless_inodes();

  std::unordered_map<std::string, std::uint32_t> path_numbers_;
  std::vector<const std::string*> paths_;
  std::vector<Name> names_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_path_;       // path and host -> name
  std::unordered_map<Key, std::uint32_t, KeyHash> by_inode_;       // device, inode, host -> name
  std::unordered_map<Key, std::uint32_t, KeyHash> by_path_inode_;  // path, inode -> name
  std::vector<std::pair<std::uint32_t, std::string>> hints_;
  std::vector<std::uint32_t> file_of_;
};

}  // namespace fathom::trace
