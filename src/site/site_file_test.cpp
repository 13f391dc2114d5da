// SPDX-License-Identifier: Apache-2.0
#include "site/site_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fathom::site {
namespace {

TEST(SiteFile, TablesKeysAndLines) {
  const auto file = parse_site_file(
      "# our site\n[criteria]\nthreshold = \"128K\"\nmin-runtime = 600\nexclude = [\"root\", \"test\"]\n[trace.summary]\nformat = "
      "\"json\"\n[all]\nquiet = true\n",
      "s.toml");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->settings.size(), 5u);
  EXPECT_EQ(file->settings[0].key, "threshold");
  EXPECT_EQ(file->settings[0].values, std::vector<std::string>{"128K"});
  EXPECT_EQ(file->settings[0].where, "s.toml:3");
  EXPECT_EQ(file->settings[1].values, std::vector<std::string>{"600"});
  EXPECT_EQ(file->settings[2].values, (std::vector<std::string>{"root", "test"}));
  EXPECT_TRUE(file->settings[2].list);
  EXPECT_EQ(file->settings[3].table, (std::vector<std::string>{"trace", "summary"}));
  EXPECT_EQ(file->settings[4].values, std::vector<std::string>{"true"});
  EXPECT_EQ(file->settings[4].where, "s.toml:9");
}

TEST(SiteFile, WhatIsRefusedIsNamedWithItsLine) {
  for (const auto& [text, words] :
       std::initializer_list<std::pair<std::string, std::string>>{{"threshold = 1\n", "outside of a table"},
                                                                  {"\n[a]\n[a.b]\n[a.b.c]\nx = 1\n", "too deep"},
                                                                  {"[criteria]\nx = 2020-01-01\n", "a text, a number"},
                                                                  {"[criteria\n", "s.toml:1"}}) {
    const auto file = parse_site_file(text, "s.toml");
    ASSERT_FALSE(file) << text;
    EXPECT_NE(file.error().message.find(words), std::string::npos) << file.error().message;
    EXPECT_NE(file.error().message.find("(s.toml:"), std::string::npos) << file.error().message;
  }
}

TEST(SiteFile, WhichFilesHold) {
  const auto folder = std::filesystem::temp_directory_path() / ("fathom_site_file_test." + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "fathom");
  std::ofstream(folder / "fathom/site.toml") << "";
  ::unsetenv("FATHOM_CONFIG");
  ::setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  const auto usual = site_file_paths("");
  ASSERT_FALSE(usual.empty());
  EXPECT_EQ(usual.back(), (folder / "fathom/site.toml").string());
  ::setenv("FATHOM_CONFIG", "/dev/null", 1);
  EXPECT_EQ(site_file_paths(""), std::vector<std::string>{"/dev/null"});
  EXPECT_EQ(site_file_paths("mine.toml"), std::vector<std::string>{"mine.toml"});
  EXPECT_TRUE(read_site_file("/dev/null"));
  EXPECT_FALSE(read_site_file((folder / "none.toml").string()));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fathom::site
