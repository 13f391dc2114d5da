// SPDX-License-Identifier: Apache-2.0
#include "store/filesystems.h"

#include <gtest/gtest.h>

#include "tests/support/made_folder.h"

namespace fathom {
namespace {

/// A store with counters of one server, of this file system.
Store made_store(const std::string& path, std::string_view filesystem) {
  auto store = Store::open_or_create(path);
  auto change = store->begin();
  Columns extents(extents_table);
  for (std::size_t c = 0; c < extents_table.columns.size(); ++c) {
    const ColumnSchema& column = extents_table.columns[c];
    if (column.type == ColumnType::text)
      extents[c].add(column.name == "filesystem" ? filesystem : std::string_view{"s1"});
    else if (column.type == ColumnType::time)
      extents[c].add(time_from_seconds(10));
    else
      extents[c].add(std::int64_t{1});
  }
  EXPECT_TRUE(change->stage(extents, 0));
  EXPECT_TRUE(change->commit());
  return std::move(*store);
}

TEST(Filesystems, WhatIsNotThereIsAnswered) {
  const MadeFolder one, unnamed, nothing;
  const auto asked = [](const Store& store, const std::string& name) {
    return require_filesystem(*store.snapshot(), "counting bytes", name);
  };
  const Store store = made_store(one.path(), "work");
  EXPECT_TRUE(asked(store, ""));
  EXPECT_TRUE(asked(store, "work"));
  ASSERT_FALSE(asked(store, "home"));
  EXPECT_EQ(asked(store, "home").error().kind, ErrorKind::not_found);
  EXPECT_EQ(asked(store, "home").error().message, "counting bytes of file system home: the store has no counters of it; it has work");
  EXPECT_EQ(
      asked(made_store(unnamed.path(), ""), "home").error().message,
      "counting bytes of file system home: the store has no counters of it; its counters are totals of servers, which do not tell file "
      "systems apart: leave --filesystem out");
  EXPECT_EQ(no_such_filesystem("counting bytes", "home", {"", "scratch", "work"}).message,
            "counting bytes of file system home: the store has no counters of it; it has scratch, work, and totals of servers");
  EXPECT_TRUE(asked(*Store::open_or_create(nothing.path()), "home"));  // without counters there is more to say than that
}

}  // namespace
}  // namespace fathom
