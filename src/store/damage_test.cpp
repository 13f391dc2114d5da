// SPDX-License-Identifier: Apache-2.0
#include "store/damage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "store/store.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// Two segments of a store, held open as a snapshot does.
struct Pinned {
  Pinned() {
    fs::create_directories(folder.path() + "/increments/day=2020-01-01");
    first = folder.path() + "/increments/day=2020-01-01/000001-0.parquet";
    second = folder.path() + "/increments/day=2020-01-01/000002-0.parquet";
    for (const auto& [name, pin] : {std::pair(&first, &a), std::pair(&second, &b)}) {
      std::ofstream(*name) << "x";
      *pin = Descriptor(::open(name->c_str(), O_RDONLY));
    }
    one = fmt::format("/proc/self/fd/{}", a.get());
    other = fmt::format("/proc/self/fd/{}", b.get());
    both = fmt::format("SELECT server FROM read_parquet(['{}', '{}'], hive_partitioning = false)", one, other);
    check = fmt::format("'fathom check {}'", folder.path());
  }
  MadeFolder folder;
  std::string first, second, one, other, both, check;
  Descriptor a, b;
};

TEST(Damage, TheSegmentIsNamedAtTheEnd) {
  const Pinned p;
  const Error error = query_error(
      p.both, fmt::format("Invalid Input Error: Failed to read file \"{}\": ZSTD Decompression failure", p.other), ErrorKind::unreadable);
  EXPECT_EQ(error.kind, ErrorKind::damaged);
  EXPECT_EQ(error.message,
            fmt::format("reading store {}: a segment is damaged: Invalid Input Error: Failed to read file: ZSTD Decompression "
                        "failure; {} lists what is damaged ({})",
                        p.folder.path(), p.check, p.second));
}

TEST(Damage, WhereNoFileIsNamedItIsOneOfThem) {
  const Pinned p;
  const Error error = query_error(p.both, "Invalid Error: TProtocolException: Invalid data", ErrorKind::unreadable);
  EXPECT_EQ(error.kind, ErrorKind::damaged);
  EXPECT_EQ(error.message,
            fmt::format("reading store {}: one of the segments is damaged: Invalid Error: TProtocolException: Invalid data; {} "
                        "lists what is damaged",
                        p.folder.path(), p.check));
  const std::string alone = fmt::format("SELECT * FROM parquet_kv_metadata(['{}'])", p.one);
  EXPECT_TRUE(query_error(alone, "Invalid Error: Out of buffer", ErrorKind::unreadable).message.ends_with(fmt::format(" ({})", p.first)));
}

TEST(Damage, TwoFilesKeepTheirNamesInTheText) {
  const Pinned p;
  const Error error =
      query_error(p.both,
                  fmt::format("Invalid Input Error: Failed to read file \"{}\" - schema mismatch in glob: column \"t\" was read from "
                              "the original file \"{}\", but could not be found in file \"{}\".\nCandidate names: a, b\n",
                              p.other, p.one, p.other),
                  ErrorKind::unreadable);
  EXPECT_EQ(error.kind, ErrorKind::damaged);
  EXPECT_NE(error.message.find(fmt::format("original file \"{}\", but could not be found in file \"{}\".; ", p.first, p.second)),
            std::string::npos)
      << error.message;
  EXPECT_EQ(error.message.find("/proc/"), std::string::npos) << error.message;
  EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
}

TEST(Damage, ANumberIsNotTheBeginningOfAnother) {
  const std::string sql =
      "SELECT 1 FROM read_parquet(['/none/sources/1.parquet', '/none/sources/1.parquet5', '/none/sources/it''s.parquet'])";
  const Error five =
      query_error(sql, "Invalid Input Error: No magic bytes found at end of file '/none/sources/1.parquet5'", ErrorKind::unreadable);
  EXPECT_TRUE(five.message.ends_with("at end of file; 'fathom check /none' lists what is damaged (/none/sources/1.parquet5)"))
      << five.message;
  const Error quoted =
      query_error(sql, "Invalid Input Error: No magic bytes found at end of file '/none/sources/it's.parquet'", ErrorKind::unreadable);
  EXPECT_TRUE(quoted.message.ends_with("(/none/sources/it's.parquet)")) << quoted.message;
}

TEST(Damage, OtherTroubleIsNotCalledDamage) {
  const Pinned p;
  const auto said = [&](const std::string& text) { return query_error(p.both, text, ErrorKind::unreadable); };
  const Error memory = said("Out of Memory Error: failed to allocate data of size 1.0 GiB");
  EXPECT_EQ(memory.kind, ErrorKind::unreadable);
  EXPECT_EQ(memory.message, fmt::format("reading store {}: Out of Memory Error: failed to allocate data of size 1.0 GiB", p.folder.path()));
  const Error open = said(fmt::format("IO Error: Cannot open file \"{}\": Too many open files", p.one));
  EXPECT_EQ(open.kind, ErrorKind::unreadable);
  EXPECT_NE(open.message.find("tells whether a segment is damaged"), std::string::npos) << open.message;
  EXPECT_TRUE(open.message.ends_with(fmt::format("({})", p.first))) << open.message;
  // What a statement writes is not what it reads.
  const std::string full = "IO Error: Could not write file \"/x/staging/7.parquet\": No space left on device";
  const Error written = query_error(fmt::format("COPY ({}) TO '/x/staging/7.parquet'", p.both), full, ErrorKind::unwritable);
  EXPECT_EQ(written.kind, ErrorKind::unwritable);
  EXPECT_EQ(written.message, full);
  EXPECT_EQ(query_error("SELECT 1 / 'x'", "Conversion Error: no", ErrorKind::unreadable).message, "Conversion Error: no");
}

/// A store with one segment of marks.
Store made_store(const std::string& path) {
  auto store = Store::open_or_create(path);
  auto change = store->begin();
  Columns marks(marks_table);
  for (std::int64_t i = 0; i < 1000; ++i) {
    marks[0].add(std::string_view{i < 500 ? "s1" : "s2"});
    marks[1].add(std::string_view{});
    marks[2].add(std::string_view{"reset"});
    marks[3].add(time_from_seconds(i * i % 86400));
    marks[4].add(std::int64_t{1});
  }
  EXPECT_TRUE(change->stage(marks, 0));
  EXPECT_TRUE(change->commit());
  return std::move(*store);
}

Result<void> read_all(Database& database, const Store& store) {
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Rows rows, database.query("SELECT * FROM " + snapshot.rows_of(marks_table)));
  while (rows.next()) {
  }
  return rows.status();
}

// Whatever eight bytes of a segment are overwritten: its rows are read, or the error names the store and says what to do.
TEST(Damage, OfARealSegment) {
  const MadeFolder scratch;
  const Store store = made_store(scratch.path());
  const std::string file = scratch.path() + "/" + store.snapshot()->manifest().of(marks_table.name).back()->path;
  std::string whole;
  {
    std::ifstream in(file, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::size_t damaged = 0, named = 0;
  auto database = Database::open({.threads = 1});
  for (std::size_t at = 0; at + 8 <= whole.size(); at += 11) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, at) << std::string(8, '\xff') << whole.substr(at + 8);
    const Result<void> read = read_all(*database, store);
    if (read) continue;
    const std::string& said = read.error().message;
    damaged += read.error().kind == ErrorKind::damaged;
    named += said.ends_with("(" + file + ")");
    EXPECT_TRUE(said.starts_with("reading store " + scratch.path() + ": ")) << said;
    EXPECT_NE(said.find("'fathom check " + scratch.path() + "'"), std::string::npos) << said;
    EXPECT_EQ(said.find("/proc/"), std::string::npos) << said;
    database = Database::open({.threads = 1});  // an error inside of DuckDB may have closed it for good
  }
  EXPECT_GT(damaged, 20u);
  EXPECT_GT(named, 5u);
}

}  // namespace
}  // namespace fathom
