// SPDX-License-Identifier: Apache-2.0
#include "store/columns.h"

namespace fathom {

std::uint32_t Column::word(std::string_view text) {
  const auto [entry, added] = word_ids_.try_emplace(std::string(text), static_cast<std::uint32_t>(words_.size()));
  if (added) words_.emplace_back(text);
  return entry->second;
}

void Column::clear() {
  values_.clear();
  nulls_.clear();
  words_.clear();
  word_ids_.clear();
}

Columns::Columns(const TableSchema& schema) : schema_(&schema) {
  for (const ColumnSchema& column : schema.columns) columns_.emplace_back(column.type);
}

void Columns::clear() {
  for (Column& column : columns_) column.clear();
}

}  // namespace fathom
