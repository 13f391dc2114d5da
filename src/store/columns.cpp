// SPDX-License-Identifier: Apache-2.0
#include "store/columns.h"

#include <algorithm>

namespace fathom {

std::uint32_t Column::word(std::string_view text) {
  const auto [entry, added] = word_ids_.try_emplace(std::string(text), static_cast<std::uint32_t>(words_.size()));
  if (added) words_.emplace_back(text);
  return entry->second;
}

void Column::grow() {
  values_.resize(std::max<std::size_t>(64, values_.size() * 2));
  if (!nulls_.empty()) nulls_.resize(values_.size());
}

void Column::clear() {
  if (has_nulls_) std::fill_n(nulls_.begin(), size_, std::uint8_t{0});
  size_ = 0;
  has_nulls_ = false;
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
