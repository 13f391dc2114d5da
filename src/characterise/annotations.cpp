// SPDX-License-Identifier: Apache-2.0
#include "characterise/annotations.h"

#include <fmt/format.h>

#include <chrono>

namespace fathom {
namespace {

struct Declared {
  std::string value;
  Time added;
};
using DatedBook = std::map<std::string, std::map<std::string, Declared>>;

Result<DatedBook> read_dated(Database& database, const std::string& from) {
  DatedBook book;
  TRY(Rows rows, database.query(fmt::format("SELECT app, key, value, added FROM {} ORDER BY added", from)));
  while (rows.next())
    for (std::size_t r = 0; r < rows.size(); ++r)
      book[std::string(rows.text(0, r))][std::string(rows.text(1, r))] = {std::string(rows.text(2, r)), rows.time(3, r)};
  TRY_VOID(rows.status());
  return book;
}

}  // namespace

Result<AnnotationBook> read_annotations(const Snapshot& snapshot, Database& database) {
  TRY(const DatedBook dated, read_dated(database, snapshot.rows_of(annotations_table)));
  AnnotationBook book;
  for (const auto& [application, keys] : dated)
    for (const auto& [key, declared] : keys) book[application][key] = declared.value;
  return book;
}

Result<Annotations> declared_for(const Study& study, const Job& job) {
  if (study.snapshot->manifest().of(annotations_table.name).empty()) return Annotations{};
  TRY(Database database, Database::open({.threads = 1}));
  TRY(const AnnotationBook book, read_annotations(*study.snapshot, database));
  Annotations declared;
  if (const auto found = book.find(job.name); found != book.end()) declared.assign(found->second.begin(), found->second.end());
  return declared;
}

Result<void> change_annotations(const Store& store, const std::string& application, const std::map<std::string, std::string>& changes) {
  TRY(Transaction transaction, store.begin());
  TRY(DatedBook book, read_dated(transaction.database(), transaction.rows_of(annotations_table)));
  const Time now = std::chrono::floor<Duration>(std::chrono::system_clock::now());
  for (const auto& [key, value] : changes) {
    if (value.empty()) {
      book[application].erase(key);
    } else {
      book[application][key] = {value, now};
    }
  }
  Columns rows(annotations_table);
  for (const auto& [app, keys] : book) {
    for (const auto& [key, declared] : keys) {
      rows[0].add(std::string_view(app));
      rows[1].add(std::string_view(key));
      rows[2].add(std::string_view(declared.value));
      rows[3].add(declared.added);
    }
  }
  std::vector<std::string> old;
  for (const Segment* segment : transaction.manifest().of(annotations_table.name)) old.push_back(segment->path);
  for (const std::string& path : old) transaction.retire(path);
  TRY_VOID(transaction.stage(rows, 0));
  transaction.touch();
  return transaction.commit();
}

}  // namespace fathom
