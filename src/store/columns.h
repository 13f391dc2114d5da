// SPDX-License-Identifier: Apache-2.0
/// Rows held by column, the form in which they enter a segment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "store/schema.h"

namespace fathom {

/// One column's values. Text is kept as numbers of distinct words; lists of text as one word with ';' between.
class Column {
 public:
  explicit Column(ColumnType type) : type_(type) {}

  ColumnType type() const { return type_; }
  std::size_t size() const { return values_.size(); }

  void add(std::int64_t value) { values_.push_back(value); }
  void add(double value) { values_.push_back(__builtin_bit_cast(std::int64_t, value)); }
  void add(Time t) { t == no_time ? add_null() : add(micros(t)); }
  void add(std::string_view text) { add(static_cast<std::int64_t>(word(text))); }
  void add_null() {
    if (nulls_.size() < values_.size()) nulls_.resize(values_.size());
    nulls_.push_back(true);
    values_.push_back(0);
  }
  /// The number of a word, for callers that add the same one many times.
  std::uint32_t word(std::string_view text);

  const std::vector<std::int64_t>& values() const { return values_; }
  const std::vector<std::string>& words() const { return words_; }
  bool is_null(std::size_t row) const { return row < nulls_.size() && nulls_[row]; }
  bool has_nulls() const { return !nulls_.empty(); }
  void clear();

 private:
  ColumnType type_;
  std::vector<std::int64_t> values_;
  std::vector<bool> nulls_;  // shorter than values_: the rest is not null
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
  void clear();

 private:
  const TableSchema* schema_;
  std::vector<Column> columns_;
};

}  // namespace fathom
