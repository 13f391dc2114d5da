// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <random>

#include "base/input.h"
#include "base/text.h"
#include "base/time.h"
#include "base/units.h"

namespace fathom {
namespace {

TEST(Text, NumbersAreWholeOrNothing) {
  EXPECT_EQ(parse_u64("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_u64("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_u64(""), std::nullopt);
  EXPECT_EQ(parse_u64("-1"), std::nullopt);
  EXPECT_EQ(parse_u64("12 "), std::nullopt);
}

TEST(Units, BytesAsPeopleTypeThem) {
  EXPECT_EQ(parse_bytes("4096"), 4096u);
  EXPECT_EQ(parse_bytes("4Ki"), 4096u);
  EXPECT_EQ(parse_bytes("4K"), 4096u);
  EXPECT_EQ(parse_bytes("4KiB"), 4096u);
  EXPECT_EQ(parse_bytes("2Gi"), 2147483648u);
  EXPECT_EQ(parse_bytes("16383Pi"), std::uint64_t{16383} << 50);
  for (const char* wrong : {"", "B", "i", "iB", "Ki", "4i", "4KB", "4B", "4ki", "-1", "1.5Mi", "16384Pi", "4 Ki"})
    EXPECT_EQ(parse_bytes(wrong), std::nullopt) << wrong;
}

TEST(Time, Iso8601) {
  // 2016-12-27T20:12:01Z: date -u -d '2016-12-27 20:12:01' +%s = 1482869521
  const auto plain = parse_iso8601("2016-12-27T20:12:01");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->in(Zone{}), time_from_seconds(1482869521));
  EXPECT_EQ(parse_iso8601("2016-12-27 21:12:01.5+01:00")->in(Zone{}), time_from_micros(1482869521500000));
  EXPECT_EQ(parse_iso8601("2016-12-27T20:12:01Z")->in(*Zone::named("Asia/Tokyo")), time_from_seconds(1482869521));
  EXPECT_FALSE(parse_iso8601("2016-02-30T00:00:00"));
  EXPECT_FALSE(parse_iso8601("Unknown"));
  EXPECT_EQ(format_iso8601(time_from_micros(1482869521053212)), "2016-12-27T20:12:01.053212Z");
}

TEST(Time, ZonesKnowSummerTime) {
  const auto berlin = Zone::named("Europe/Berlin");
  ASSERT_TRUE(berlin);
  // Noon in Berlin is 11:00 UTC in January and 10:00 UTC in July.
  EXPECT_EQ(format_iso8601(parse_iso8601("2011-01-15T12:00:00")->in(*berlin)), "2011-01-15T11:00:00Z");
  EXPECT_EQ(format_iso8601(parse_iso8601("2011-07-15T12:00:00")->in(*berlin)), "2011-07-15T10:00:00Z");
  // 02:30 on 2011-10-30 happened twice; the first is 00:30 UTC.
  EXPECT_EQ(format_iso8601(parse_iso8601("2011-10-30T02:30:00")->in(*berlin)), "2011-10-30T00:30:00Z");
  // That hour comes again, an hour later; those before and after it do not.
  EXPECT_EQ(format_iso8601(*parse_iso8601("2011-10-30T02:30:00")->again_in(*berlin)), "2011-10-30T01:30:00Z");
  EXPECT_FALSE(parse_iso8601("2011-10-30T01:59:59")->again_in(*berlin));
  EXPECT_FALSE(parse_iso8601("2011-10-30T03:00:00")->again_in(*berlin));
  EXPECT_FALSE(parse_iso8601("2011-10-30T02:30:00+02:00")->again_in(*berlin));
  // In spring clocks went from 02:00 to 03:00: who still says 02:30 has not set his.
  EXPECT_EQ(format_iso8601(parse_iso8601("2011-03-27T01:59:00")->in(*berlin)), "2011-03-27T00:59:00Z");
  EXPECT_EQ(format_iso8601(parse_iso8601("2011-03-27T02:30:00")->in(*berlin)), "2011-03-27T01:30:00Z");
  EXPECT_EQ(format_iso8601(parse_iso8601("2011-03-27T03:00:00")->in(*berlin)), "2011-03-27T01:00:00Z");
  EXPECT_FALSE(parse_iso8601("2011-03-27T02:30:00")->again_in(*berlin));
  EXPECT_FALSE(Zone::named("Atlantis/Centre"));
  EXPECT_FALSE(Zone::named("../../etc/passwd"));
}

TEST(Time, UnixSecondsAreExact) {
  EXPECT_EQ(parse_unix_seconds("1704924117.040584137"), time_from_micros(1704924117040584));
  EXPECT_EQ(parse_unix_seconds("12e3"), std::nullopt);
  EXPECT_EQ(format_unix_seconds(time_from_micros(1579358234053212)), "1579358234.053212");
}

TEST(Units, NeverRoundToAllOrNothing) {
  EXPECT_EQ(human_percent(0.99999), "99.999 %");
  EXPECT_EQ(human_percent(1), "100 %");
  EXPECT_EQ(human_bytes(12.7 * 1024 * 1024 * 1024), "12.7 GiB");
  EXPECT_EQ(human_size(4096), "4 KiB");
  EXPECT_EQ(human_size(std::uint64_t{1} << 40), "1 TiB");
  EXPECT_EQ(human_size(1536), "1.50 KiB");
  EXPECT_EQ(human_size(0), "0 B");
  EXPECT_EQ(human_count(1257276), "1,257,276");
  EXPECT_EQ(counted(0, "reset"), "0 resets");
  EXPECT_EQ(counted(1, "reset"), "1 reset");
  EXPECT_EQ(counted(1234, "reset"), "1,234 resets");
  EXPECT_EQ(counted(1, "process"), "1 process");
  EXPECT_EQ(counted(2, "process"), "2 processes");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
  EXPECT_EQ(counted(1, "series", "series"), "1 series");
}

TEST(LineInput, GivesWholeLinesAndTheLastOne) {
  LineInput input = LineInput::from_memory("x", "one\r\ntwo\n\nfour");
  std::vector<std::string> lines;
  ASSERT_TRUE(input.for_each_line([&](std::string_view line, std::uint64_t number) {
    EXPECT_EQ(number, lines.size() + 1);
    lines.emplace_back(line);
    return true;
  }));
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "", "four"}));
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstandard(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

/// The lines of stored bytes, and whether they ended as they should.
std::pair<std::vector<std::string>, bool> lines_of(const std::string& stored, std::size_t peek) {
  LineInput input = LineInput::from_memory("x", stored);
  if (peek > 0) input.peek(peek);
  std::vector<std::string> lines;
  const auto outcome = input.for_each_line([&](std::string_view line, std::uint64_t) {
    lines.emplace_back(line);
    return true;
  });
  return {lines, static_cast<bool>(outcome)};
}

TEST(LineInput, OfDamagedFilesGivesTheWholeLinesBeforeIt) {
  std::mt19937_64 random(1);
  std::vector<std::string> all;
  std::string text;
  while (text.size() < 300'000) {
    all.push_back(std::to_string(random()) + " " + std::to_string(random() % 100));
    text += all.back() + "\n";
  }
  for (const std::string& packed : {gzipped(text), zstandard(text)}) {
    EXPECT_EQ(lines_of(packed, 0), std::pair(all, true));
    std::size_t most = 0;
    for (int i = 0; i < 12; ++i) {
      std::string damaged = packed;
      const std::size_t at = packed.size() / 2 + random() % (packed.size() / 2);
      if (i % 2 == 0)
        damaged.resize(at);
      else
        for (std::size_t k = at; k < std::min(at + 40, damaged.size()); ++k) damaged[k] = static_cast<char>(random());
      const auto found = lines_of(damaged, 0);
      for (const std::size_t peek : {1u, 64u << 10, 250'000u}) EXPECT_EQ(lines_of(damaged, peek), found) << peek << " at " << at;
      if (found.second) continue;
      most = std::max(most, found.first.size());
      if (i % 2 != 0) continue;  // overwritten bytes can be a legal packing of other text
      ASSERT_LE(found.first.size(), all.size());
      for (std::size_t k = 0; k < found.first.size(); ++k) ASSERT_EQ(found.first[k], all[k]) << k << " at " << at;
    }
    EXPECT_GT(most, all.size() / 3);
  }
}

TEST(LineInput, PassesOverALineThatIsTooLong) {
  std::string text = "first\n" + std::string(LineInput::longest_line + 10, 'x') + "\nlast\n";
  LineInput input = LineInput::from_memory("x", text);
  std::vector<std::string> lines;
  ASSERT_TRUE(input.for_each_line([&](std::string_view line, std::uint64_t) {
    lines.emplace_back(line.substr(0, 20));
    return true;
  }));
  EXPECT_EQ(lines, (std::vector<std::string>{"first", "last"}));
  EXPECT_EQ(input.overlong_lines(), 1u);
}

}  // namespace
}  // namespace fathom
