// SPDX-License-Identifier: Apache-2.0
#include "fit/bench_runs.h"

#include <gtest/gtest.h>

namespace fathom::fit {
namespace {

constexpr std::string_view head =
    "# fathom bench truth 1\n# interface: posix\n# layout: shared\n# tasks: 2\n# size: 100\n# nodes: 2\n"
    "task,phase,call,file,offset,bytes,start,end,duration,count\n";

TEST(BenchRuns, APhaseIsARun) {
  // Writing from 1 s to 4 s, 300 bytes of both tasks; reading from 5 s to 5.5 s, 100 bytes.
  LineInput truth = LineInput::from_memory("t.csv", std::string(head) +
                                                        "0,write,open,f,0,0,1,1.1,0.1,1\n"
                                                        "0,write,write,f,0,200,1.1,2,0.9,2\n"
                                                        "1,write,write,f,200,100,1.2,3,1.8,1\n"
                                                        "1,write,close,f,0,0,3,4,1,1\n"
                                                        "1,read,read,f,200,100,5,5.5,0.5,1\n");
  const auto runs = run_times_of_bench(truth);
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].kind, simulate::Kind::write);
  EXPECT_EQ((*runs)[0].bytes, 300);
  EXPECT_DOUBLE_EQ((*runs)[0].seconds, 3);
  EXPECT_EQ((*runs)[0].tasks, 2);
  EXPECT_EQ((*runs)[0].nodes, 2);
  EXPECT_EQ((*runs)[1].kind, simulate::Kind::read);
  EXPECT_DOUBLE_EQ((*runs)[1].seconds, 0.5);
}

TEST(BenchRuns, WithoutCallsThereIsNone) {
  LineInput truth = LineInput::from_memory("t.csv", head);
  EXPECT_TRUE(run_times_of_bench(truth)->empty());
  LineInput other = LineInput::from_memory("t.csv", "bytes,seconds,kind\n");
  EXPECT_FALSE(run_times_of_bench(other));
}

}  // namespace
}  // namespace fathom::fit
