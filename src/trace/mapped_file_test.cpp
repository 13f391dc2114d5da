// SPDX-License-Identifier: Apache-2.0
#include "trace/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace fathom::trace {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  ~MappedFileTest() override { std::filesystem::remove(path_); }
  void write(std::size_t bytes) const { std::ofstream(path_, std::ios::binary) << std::string(bytes, 'x'); }

  const std::string path_ = testing::TempDir() + "fathom-mapped-" + std::to_string(::getpid());
  const std::size_t page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
};

std::size_t letters(const MappedFile& file) { return static_cast<std::size_t>(std::count(file.bytes().begin(), file.bytes().end(), 'x')); }

TEST_F(MappedFileTest, WhatIsCutOffMeanwhileReadsAsZeros) {
  write(5 * page_ + 100);
  auto file = MappedFile::open(path_);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(letters(*file), 5 * page_ + 100);
  std::filesystem::resize_file(path_, 2 * page_);
  EXPECT_EQ(letters(*file), 2 * page_);
  EXPECT_EQ(file->bytes().size(), 5 * page_ + 100);
  std::filesystem::resize_file(path_, 0);  // again, after zeros were put there
  EXPECT_EQ(letters(*file), 0u);
}

TEST_F(MappedFileTest, ManyFilesAndThreadsAtOnce) {
  write(8 * page_);
  std::vector<MappedFile> files;
  for (int i = 0; i < 50; ++i) files.push_back(*MappedFile::open(path_));
  files.erase(files.begin() + 10, files.begin() + 20);  // their places are used again
  for (int i = 0; i < 5; ++i) files.push_back(*MappedFile::open(path_));
  std::filesystem::resize_file(path_, page_);
  std::vector<std::size_t> found(files.size());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < files.size(); i += 4) found[i] = letters(files[i]);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, std::vector<std::size_t>(files.size(), page_));
}

// Memory that is none of ours behaves as ever.
TEST_F(MappedFileTest, OtherMemoryStillEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  write(4 * page_);
  EXPECT_DEATH(
      {
        ::signal(SIGBUS, SIG_DFL);  // a sanitizer has its own words for it
        const auto file = MappedFile::open(path_);
        std::FILE* const other = std::fopen(path_.c_str(), "r");
        const auto* data = static_cast<volatile char*>(::mmap(nullptr, 4 * page_, PROT_READ, MAP_SHARED, ::fileno(other), 0));
        std::filesystem::resize_file(path_, 0);
        std::printf("%d", data[page_]);
      },
      "");
}

}  // namespace
}  // namespace fathom::trace
