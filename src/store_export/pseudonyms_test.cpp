// SPDX-License-Identifier: Apache-2.0
#include "store_export/pseudonyms.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/sha256.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

Salt salt_of(std::uint8_t byte) {
  Salt salt;
  salt.fill(byte);
  return salt;
}

TEST(Pseudonyms, AreAKeyedHashOfKindAndName) {
  Pseudonyms names(salt_of(7));
  const std::string key(32, '\x07');
  EXPECT_EQ(*names.of(NameKind::user, "ann"), "u-" + hex_digits(hmac_sha256(key, "0:ann")).substr(0, 10));
  EXPECT_EQ(*names.of(NameKind::job, "4711"), "j-" + hex_digits(hmac_sha256(key, "2:4711")).substr(0, 16));
  EXPECT_EQ(*names.of(NameKind::user, "ann"), *names.of(NameKind::user, "ann"));
  EXPECT_EQ(names.count(NameKind::user), 1u);
}

TEST(Pseudonyms, OtherKindsAndOtherSaltsShareNothing) {
  Pseudonyms one(salt_of(1)), other(salt_of(2));
  const std::string user = *one.of(NameKind::user, "ann"), server = *one.of(NameKind::server, "ann");
  EXPECT_NE(user.substr(2), server.substr(2));
  EXPECT_NE(user, *other.of(NameKind::user, "ann"));
  EXPECT_NE(one.days_back(), other.days_back());
  EXPECT_GE(one.days_back(), 1);
  EXPECT_LE(one.days_back(), 3650);
}

TEST(Pseudonyms, NothingStaysNothing) {
  Pseudonyms names(salt_of(3));
  EXPECT_EQ(*names.of(NameKind::filesystem, ""), "");
  EXPECT_EQ(*names.of_list(NameKind::server, "", ';'), "");
  EXPECT_EQ(*names.of_node_list(""), "");
}

TEST(Pseudonyms, ListsAreSortedAndOfTheSameNames) {
  Pseudonyms names(salt_of(4));
  const std::set<std::string> wanted = {*names.of(NameKind::server, "ion-1"), *names.of(NameKind::server, "ion-2")};
  EXPECT_EQ(*names.of_list(NameKind::server, "ion-2;ion-1", ';'), *wanted.begin() + ";" + *wanted.rbegin());
  // n[01-02] are two nodes, the same as n02 and n01 one by one.
  EXPECT_EQ(*names.of_node_list("n[01-02]"), *names.of_node_list("n02,n01"));
  EXPECT_EQ(names.count(NameKind::node), 2u);
  EXPECT_EQ(*names.of_node_list("n[01-"), "");  // no list: nothing of it is left
  EXPECT_EQ(*names.of_node_list("n[00001-04097]"), *names.of(NameKind::node, "n[00001-04097]"));
}

TEST(Pseudonyms, AnExtractedPathKeepsTheNumberOfItsSource) {
  Pseudonyms names(salt_of(5));
  EXPECT_EQ(*names.of_path("/home/ann/a.txt (source 12)"), *names.of(NameKind::path, "/home/ann/a.txt") + " (source 12)");
  EXPECT_EQ(*names.of_path("/home/ann (source b)"), *names.of(NameKind::path, "/home/ann (source b)"));
}

// n names of 40 bits have n^2 / 2^41 pairs that collide, on average: half a one for 2^20 names, 18 for 6 * 2^20.
TEST(Pseudonyms, ACollisionIsRefused) {
  Pseudonyms names(salt_of(6));
  for (int i = 0; i < 6 << 20; ++i) {
    const auto found = names.of(NameKind::user, std::to_string(i));
    if (found) continue;
    EXPECT_NE(found.error().message.find("two users would both become u-"), std::string::npos) << found.error().message;
    return;
  }
  FAIL() << "no two of six million names became one";
}

class SaltFile : public testing::Test {
 protected:
  const MadeFolder folder_;
  const std::string path_ = folder_.path("salt");
};

TEST_F(SaltFile, IsMadeForItsOwnerAloneAndReadAgain) {
  const auto made = salt_of_file(path_);
  ASSERT_TRUE(made);
  struct stat facts {};
  ASSERT_EQ(::stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777u, 0600u);
  EXPECT_EQ(facts.st_size, 65);
  EXPECT_EQ(*salt_of_file(path_), *made);
  EXPECT_NE(*draw_salt(), *made);
}

TEST_F(SaltFile, WhatOthersMayReadOrIsNoSaltIsRefused) {
  ASSERT_TRUE(salt_of_file(path_));
  ::chmod(path_.c_str(), 0640);
  EXPECT_NE(salt_of_file(path_).error().message.find("chmod 600"), std::string::npos);
  ::chmod(path_.c_str(), 0600);
  std::ofstream(path_) << std::string(63, 'a') << "g\n";
  EXPECT_NE(salt_of_file(path_).error().message.find("64 hexadecimal digits"), std::string::npos);
  EXPECT_FALSE(salt_of_file(folder_.path()));
}

}  // namespace
}  // namespace fathom
