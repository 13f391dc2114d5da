// SPDX-License-Identifier: Apache-2.0
/// Rows held by column, the form in which they enter a segment.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "store/schema.h"

namespace fathom {

/// One column's values. Text is kept as numbers of distinct words; lists of text as one word with ';' between.
class Column {
 public:
  explicit Column(ColumnType type) : type_(type) {}

  ColumnType type() const { return type_; }
  std::size_t size() const { return size_; }

  void add(std::int64_t value) {
    if (size_ == values_.size()) grow();
    values_[size_++] = value;
  }
  void add(double value) { add(__builtin_bit_cast(std::int64_t, value)); }
  void add(Time t) { t == no_time ? add_null() : add(micros(t)); }
  void add(std::string_view text) { add(static_cast<std::int64_t>(word(text))); }
  void add_null() {
    if (size_ == values_.size()) grow();
    if (nulls_.empty()) nulls_.resize(values_.size());
    nulls_[size_] = 1;
    values_[size_++] = 0;
    ++null_count_;
  }
  /// Nulls until it has this many rows.
  void pad(std::size_t rows);
  /// The number of a word, for callers that add the same one many times.
  std::uint32_t word(std::string_view text);

  std::span<const std::int64_t> values() const { return {values_.data(), size_}; }
  const std::vector<std::string>& words() const { return words_; }
  bool is_null(std::size_t row) const { return null_count_ != 0 && nulls_[row] != 0; }
  bool has_nulls() const { return null_count_ != 0; }
  /// True if no row has a value.
  bool all_null() const { return null_count_ == size_; }
  /// Keeps its memory.
  void clear();

 private:
  void grow();

  ColumnType type_;
  std::size_t size_ = 0;
  std::vector<std::int64_t> values_;  // room for more than size_
  std::size_t null_count_ = 0;
  std::vector<std::uint8_t> nulls_;  // as long as values_, once there was a null
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::uint32_t> word_ids_;
};

/// Rows of one table.
class Columns {
 public:
  explicit Columns(const TableSchema& schema);
  const TableSchema& schema() const { return *schema_; }
  Column& operator[](std::size_t i) { return columns_[i]; }
  const Column& operator[](std::size_t i) const { return columns_[i]; }
  std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
  bool empty() const { return rows() == 0; }
  /// Fails where a column has fewer or more rows than the first: whoever filled them forgot one.
  Result<void> even() const;
  void clear();

 private:
  const TableSchema* schema_;
  std::vector<Column> columns_;
};

}  // namespace fathom
