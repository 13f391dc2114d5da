// SPDX-License-Identifier: Apache-2.0
#include "collect/gluster_profile.h"

#include <gtest/gtest.h>

#include "collect/xml_scan.h"

namespace fathom {
namespace {

// As gluster 10.3 printed it after four files of eight 128 KiB writes each went to two bricks, and two files were read back; shortened.
// The second brick got three files: 24 writes, 24 * 131072 = 3,145,728 bytes; both files that were read: 16 reads, 2,097,152 bytes.
constexpr std::string_view two_bricks = R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<cliOutput>
  <opRet>0</opRet>
  <opErrno>0</opErrno>
  <opErrstr/>
  <volProfile>
    <volname>t2</volname>
    <profileOp>3</profileOp>
    <brickCount>2</brickCount>
    <brick>
      <brickName>gl1:/bricks/b1</brickName>
      <cumulativeStats>
        <blockStats><block><size>131072</size><reads>0</reads><writes>8</writes></block></blockStats>
        <fopStats>
          <fop><name>WRITE</name><hits>8</hits><avgLatency>125402.625000</avgLatency></fop>
          <fop><name>CREATE</name><hits>1</hits></fop>
          <fop><name>READDIRP</name><hits>2</hits></fop>
        </fopStats>
        <duration>4</duration>
        <totalRead>0</totalRead>
        <totalWrite>1048576</totalWrite>
      </cumulativeStats>
      <intervalStats>
        <fopStats><fop><name>WRITE</name><hits>5</hits></fop></fopStats>
        <totalRead>77</totalRead>
        <totalWrite>88</totalWrite>
      </intervalStats>
    </brick>
    <brick>
      <brickName>gl1:/bricks/b2</brickName>
      <cumulativeStats>
        <fopStats>
          <fop><name>OPEN</name><hits>2</hits></fop>
          <fop><name>READ</name><hits>16</hits></fop>
          <fop><name>WRITE</name><hits>24</hits></fop>
          <fop><name>CREATE</name><hits>3</hits></fop>
          <fop><name>READDIRP</name><hits>2</hits></fop>
        </fopStats>
        <duration>3</duration>
        <totalRead>2097152</totalRead>
        <totalWrite>3145728</totalWrite>
      </cumulativeStats>
    </brick>
    <brick><brickName>gl2:/bricks/down</brickName></brick>
  </volProfile>
</cliOutput>
)";

// Only cumulative values count, never those since the last call; opens are OPEN and CREATE: 2 + 3 = 5; metadata operations
// are these and READDIRP: 1 + 2 = 3 and 5 + 2 = 7. A brick that is down has none.
TEST(GlusterProfile, CumulativeValuesOfEachBrick) {
  const auto profile = parse_gluster_profile(two_bricks);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->volume, "t2");
  ASSERT_EQ(profile->bricks.size(), 2u);
  EXPECT_EQ(profile->bricks[0].name, "gl1:/bricks/b1");
  EXPECT_EQ(profile->bricks[0].values, (Counters{0, 1048576, 0, 8, 1, 0, 2, 0, 3}));
  EXPECT_EQ(profile->bricks[1].values, (Counters{2097152, 3145728, 16, 24, 5, 0, 2, 0, 7}));
}

TEST(GlusterProfile, SaysWhatGlusterSays) {
  const auto profile = parse_gluster_profile(
      "<cliOutput><opRet>-1</opRet><opErrno>30800</opErrno><opErrstr>Profile on Volume t2 is not started</opErrstr>"
      "<volProfile><volname>t2</volname><brickCount>0</brickCount></volProfile></cliOutput>");
  ASSERT_FALSE(profile);
  EXPECT_NE(profile.error().message.find("Profile on Volume t2 is not started"), std::string::npos);
}

TEST(GlusterProfile, HalfAnAnswerIsNone) {
  const std::string_view whole = two_bricks;
  for (const std::size_t length : {std::size_t{0}, std::size_t{40}, whole.size() / 2, whole.size() - 14})
    EXPECT_FALSE(parse_gluster_profile(whole.substr(0, length))) << length;
  std::string broken(whole);
  broken.replace(broken.find("2097152"), 7, "-17");
  EXPECT_FALSE(parse_gluster_profile(broken));
  EXPECT_FALSE(parse_gluster_profile("<cliOutput><opRet>0</opRet></cliOutput>"));
}

class Recorder final : public XmlVisitor {
 public:
  void opened(std::string_view name) override { seen += "<" + std::string(name); }
  void closed(std::string_view name, const std::string& text) override { seen += ">" + std::string(name) + "=" + text; }
  std::string seen;
};

TEST(XmlScan, EntitiesCommentsAndEmptyElements) {
  Recorder recorder;
  ASSERT_TRUE(scan_xml("<a x=\"1\"><!-- <b> -->1 &lt; 2 &amp;&unknown;<b/><![CDATA[<c>]]></a>", recorder));
  EXPECT_EQ(recorder.seen, "<a<b>b=>a=1 < 2 &&unknown;<c>");
}

TEST(XmlScan, RefusesWhatIsNotWellFormed) {
  Recorder recorder;
  for (const char* text :
       {"", "text", "<a>", "<a></b>", "</a>", "<a><b></a></b>", "<a", "<>", "<!DOCTYPE a [<!ENTITY x \"y\">]><a/>", "<a><!-- </a>"})
    EXPECT_FALSE(scan_xml(text, recorder)) << text;
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_FALSE(scan_xml(deep, recorder));
}

}  // namespace
}  // namespace fathom
