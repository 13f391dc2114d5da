// SPDX-License-Identifier: Apache-2.0
/// A folder for one test, with files in it; it goes away with the object.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fathom {

class MadeFolder {
 public:
  MadeFolder() {
    std::string name = std::filesystem::temp_directory_path() / "fathom-test-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~MadeFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  MadeFolder(const MadeFolder&) = delete;

  std::string path(const std::string& name = {}) const { return name.empty() ? path_ : path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  void remove(const std::string& name) const { std::filesystem::remove_all(path(name)); }

 private:
  std::string path_;
};

}  // namespace fathom
