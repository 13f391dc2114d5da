// SPDX-License-Identifier: Apache-2.0
#include "store/columns.h"

#include <fmt/format.h>

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

void Column::pad(std::size_t rows) {
  if (rows <= size_) return;
  while (values_.size() < rows) grow();
  if (nulls_.empty()) nulls_.resize(values_.size());
  std::fill(nulls_.begin() + static_cast<std::ptrdiff_t>(size_), nulls_.begin() + static_cast<std::ptrdiff_t>(rows), std::uint8_t{1});
  std::fill(values_.begin() + static_cast<std::ptrdiff_t>(size_), values_.begin() + static_cast<std::ptrdiff_t>(rows), 0);
  null_count_ += rows - size_;
  size_ = rows;
}

void Column::clear() {
  if (null_count_ != 0) std::fill_n(nulls_.begin(), size_, std::uint8_t{0});
  size_ = 0;
  null_count_ = 0;
  words_.clear();
  word_ids_.clear();
}

Columns::Columns(const TableSchema& schema) : schema_(&schema) {
  for (const ColumnSchema& column : schema.columns) columns_.emplace_back(column.type);
}

Result<void> Columns::even() const {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].size() != rows())
      return Error{ErrorKind::malformed, fmt::format("writing rows of {}: column {} has {} of {} rows", schema_->name,
                                                     schema_->columns[c].name, columns_[c].size(), rows())};
  return {};
}

void Columns::clear() {
  for (Column& column : columns_) column.clear();
}

}  // namespace fathom
