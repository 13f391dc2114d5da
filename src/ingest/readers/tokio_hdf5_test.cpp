// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>

#include "ingest/reader_test.h"
#include "tests/support/made_folder.h"

namespace fathom {

extern const Reader tokio_hdf5;

namespace {

/// A file that begins as HDF5 does; shell commands stand for the process that would open it.
class TokioHdf5 : public testing::Test {
 protected:
  void SetUp() override { folder_.write("day.hdf5", "\x89HDF\r\n\x1a\n and more"); }

  std::string path() const { return folder_.path("day.hdf5"); }
  Result<Gathered> read_by(const std::string& command) const {
    ReadOptions options;
    options.hdf5_command = {"/bin/sh", "-c", command};
    return gather_file(tokio_hdf5, path(), options);
  }

  const MadeFolder folder_;
};

TEST_F(TokioHdf5, RowsOfTheProcessAreAmounts) {
  const auto g = read_by("printf 't,server,filesystem,read_bytes,write_bytes,opens,closes,step\\n105,fs-OST0000,fs,10,,,,5\\n'");
  ASSERT_TRUE(g);
  const auto samples = samples_of(*g, {"fs-OST0000", "fs", ""});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].traits, per_interval);
  EXPECT_EQ(samples[0].since, time_from_seconds(100));
  EXPECT_EQ(samples[0].has, mask(Counter::read_bytes));
  EXPECT_EQ(value(samples[0], Counter::read_bytes), 10u);
}

TEST_F(TokioHdf5, AProcessThatDiesIsAnErrorThatNamesTheFile) {
  const auto killed = read_by("printf 't,server,read_bytes\\n'; kill -SEGV $$");
  ASSERT_FALSE(killed);
  EXPECT_NE(killed.error().message.find("day.hdf5"), std::string::npos);
  EXPECT_NE(killed.error().message.find("signal 11"), std::string::npos);
  const auto unhappy = read_by("printf 'it is no day of mine' >&2; exit 1");
  ASSERT_FALSE(unhappy);
  EXPECT_NE(unhappy.error().message.find("day.hdf5 as HDF5: it is no day of mine"), std::string::npos) << unhappy.error().message;
}

TEST_F(TokioHdf5, AProcessThatWaitsForEverIsEnded) {
  ReadOptions options;
  options.hdf5_limit = std::chrono::milliseconds(200);
  for (const char* command : {"sleep 100", "exec >&-; sleep 100"}) {
    options.hdf5_command = {"/bin/sh", "-c", command};
    const auto hanging = gather_file(tokio_hdf5, path(), options);
    ASSERT_FALSE(hanging);
    EXPECT_NE(hanging.error().message.find("signal 9"), std::string::npos) << hanging.error().message;
  }
}

TEST_F(TokioHdf5, WhatItRefuses) {
  EXPECT_FALSE(gather_file(tokio_hdf5, path()));  // no process to open it
  EXPECT_FALSE(gather(tokio_hdf5, "no HDF5"));
}

TEST_F(TokioHdf5, RecognisesItsOwn) {
  EXPECT_EQ(recognised("\x89HDF\r\n\x1a\n...."), "tokio_hdf5");
  EXPECT_FALSE(tokio_hdf5.recognises("HDF", ""));
}

}  // namespace
}  // namespace fathom
