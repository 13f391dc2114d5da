// SPDX-License-Identifier: Apache-2.0
// Every machine, byte by byte, as it was first written down here: by each compiler (release and sanitizers have different ones), at any
// optimisation. Tables in the documentation rest on these bytes; who makes a machine more realistic writes its new hash here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/sha256.h"
#include "synth/synth.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string_view preset;
  double days;  // 0: one series of tests
  std::string_view hash;
};

class SameBytes : public testing::TestWithParam<Expected> {};

/// The first digits of the hash of all hashes and names of files. Traces are left out: versions of the library that packs them differ.
std::string hash_of(const std::string& folder) {
  std::vector<std::string> lines;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".fathom") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    lines.push_back(hex_digits(sha256(text.str())) + " " + fs::relative(entry.path(), folder).string() + "\n");
  }
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line;
  return hex_digits(sha256(all)).substr(0, 16);
}

TEST_P(SameBytes, OfASeed) {
  const MadeFolder folder;
  SynthOptions options;
  options.seed = 3;
  if (GetParam().days > 0) options.days = GetParam().days;
  const auto written = preset_named(GetParam().preset)->write_logs(options, folder.path());
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(hash_of(folder.path()), GetParam().hash);
}

INSTANTIATE_TEST_SUITE_P(Machines, SameBytes,
                         testing::Values(Expected{"harbour", 0.1, "cf626d5dd416cae9"}, Expected{"jugene", 0.01, "92937acb8bba8396"},
                                         Expected{"microbench", 0, "e227b9dafe02542a"}, Expected{"small", 0.2, "32a327b49188e20e"},
                                         Expected{"spider", 0.01, "333d0444c4f414de"}, Expected{"spider-cases", 0.01, "c200ed37de442eee"},
                                         Expected{"spider-heavy", 0.01, "d03ce57939154f04"}),
                         [](const auto& each) {
                           std::string name(each.param.preset);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(SameBytesOf, EveryMachine) { EXPECT_EQ(all_presets().size(), 7u) << "a new one needs its line above"; }

}  // namespace
}  // namespace fathom
