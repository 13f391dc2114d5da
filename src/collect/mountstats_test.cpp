// SPDX-License-Identifier: Apache-2.0
#include "collect/mountstats.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

constexpr std::string_view two_mounts = R"(device rootfs mounted on / with fstype rootfs
device nfs1:/export/home mounted on /home with fstype nfs4 statvers=1.1
	opts:	rw,vers=4.2,rsize=1048576
	age:	1200
	caps:	caps=0x3fffdf
	sec:	flavor=1,pseudoflavor=1
	events:	52 226 0 0 7 9 68 12 0 5 0 12 0 0 2 3 0 7 0 0 12 0 0 0 0 0 0 
	bytes:	10000 20000 0 0 8388608 4194304 2048 1024 
	RPC iostats version: 1.1  p/v: 100003/4 (nfs)
	xprt:	tcp 0 0 2 0 24 3245 3245 0 3245 0 2 0 0
	per-op statistics
	        NULL: 1 1 0 44 24 8 0 9 0
	        READ: 12 12 0 2400 8390000 0 33 33 0
	       WRITE: 4 4 0 4195000 700 0 20 20 0
	        OPEN: 7 7 0 2000 2000 0 3 3 0
	OPEN_NOATTR: 2 2 0 500 500 0 1 1 0
	       CLOSE: 8 8 0 2000 2000 0 3 3 0
	     READDIR: 3 3 0 600 3000 0 2 2 0
	     GETATTR: 40 40 0 600 3000 0 2 2 0
	    SEQUENCE: 99 99 0 600 3000 0 2 2 0

device nfs2:/old\040data mounted on /mnt/old\040data with fstype nfs statvers=1.1
	age:	5
	bytes:	0 0 0 0 4096 0 1 0
	per-op statistics
	        READ: 1 1 0 100 4200 0 1 1
	READDIRPLUS: 6 6 0 100 4200 0 1 1
device tmpfs mounted on /run with fstype tmpfs
)";

std::vector<NfsMount> parse(std::string_view text, std::uint64_t* rejected = nullptr) {
  std::uint64_t count = 0;
  auto mounts = parse_mountstats(text, [&](std::uint64_t, std::string_view, std::string_view) { ++count; });
  if (rejected != nullptr) *rejected = count;
  return mounts;
}

// The fifth and sixth number of bytes are what the server sent and took; opens are OPEN and OPEN_NOATTR: 7 + 2 = 9.
// Metadata operations are these, 8 closes, 3 directory reads and 40 getattrs: 60; SEQUENCE and NULL are none.
TEST(Mountstats, BytesAndOperations) {
  std::uint64_t rejected = 0;
  const auto mounts = parse(two_mounts, &rejected);
  EXPECT_EQ(rejected, 0u);
  ASSERT_EQ(mounts.size(), 2u);
  const NfsMount& home = mounts[0];
  EXPECT_EQ(home.device, "nfs1:/export/home");
  EXPECT_EQ(home.point, "/home");
  EXPECT_EQ(home.age, 1200u);
  EXPECT_EQ(home.values, (Counters{8388608, 4194304, 12, 4, 9, 8, 3, 0, 60}));
  EXPECT_EQ(home.has, static_cast<CounterMask>(all_counters & ~mask(Counter::inode_updates)));
}

// NFSv3 knows no open and close: unknown, not zero. Blanks in names are written as \040.
TEST(Mountstats, VersionThree) {
  const auto mounts = parse(two_mounts);
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[1].device, "nfs2:/old data");
  EXPECT_EQ(mounts[1].point, "/mnt/old data");
  EXPECT_EQ(mounts[1].values[index(Counter::read_bytes)], 4096u);
  EXPECT_EQ(mounts[1].values[index(Counter::dirs)], 6u);
  EXPECT_FALSE(holds(mounts[1].has, index(Counter::opens)));
  EXPECT_FALSE(holds(mounts[1].has, index(Counter::write_ops)));
}

TEST(Mountstats, BrokenLinesAreRejected) {
  std::uint64_t rejected = 0;
  const auto mounts =
      parse("device a:/b mounted on /c with fstype nfs4\n\tbytes: 1 2 3\n\tper-op statistics\n\tREAD: x\n\tWRITE: 5\n", &rejected);
  EXPECT_EQ(rejected, 2u);
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].has, mask(Counter::write_ops));
  EXPECT_TRUE(parse("device a:/b mounted on /c with fstype nfs4\n\tage: 5\n").empty());
}

}  // namespace
}  // namespace fathom
