// SPDX-License-Identifier: Apache-2.0
// The plainest part of the format, so that every engine reads it: optional columns, one data page (version 1) per
// column and row group, text as dictionaries, numbers as they are or, where all are equal, as a dictionary of one;
// zstd. Sorted neighbours are alike in their bytes, which zstd finds: delta encodings come out larger here.
#include "store/parquet_writer.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "store/thrift.h"

namespace fathom {
namespace {

enum Encoding : int { plain_values = 0, run_lengths = 3, dictionary_runs = 8 };
enum PhysicalType : int { int64 = 2, float64 = 5, byte_array = 6 };
constexpr int codec_zstd = 6;
constexpr int compression_level = 1;

PhysicalType physical(ColumnType type) { return type == ColumnType::text ? byte_array : type == ColumnType::real ? float64 : int64; }

void append_le(std::string& out, const void* value, std::size_t size) { out.append(static_cast<const char*>(value), size); }

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Equal values in a row, as the RLE half of Parquet's hybrid encoding.
class RunLengths {
 public:
  RunLengths(std::string& out, unsigned bits) : out_(out), bytes_((bits + 7) / 8) {}
  void add(std::uint32_t value, std::size_t times = 1) {
    if (count_ != 0 && value != value_) flush();
    value_ = value;
    count_ += times;
  }
  void flush() {
    if (count_ == 0) return;
    append_varint(out_, count_ << 1);
    append_le(out_, &value_, bytes_);
    count_ = 0;
  }

 private:
  std::string& out_;
  unsigned bytes_;
  std::uint32_t value_ = 0;
  std::uint64_t count_ = 0;
};

/// Where a column of a row group went, and what is in it.
struct Chunk {
  std::int64_t dictionary_offset = -1, data_offset = 0, raw_bytes = 0, packed_bytes = 0, nulls = 0;
  std::string min, max;  // as Parquet writes them; empty when all are null
  std::vector<int> encodings;
};

struct FileClose {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct ContextFree {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

class ParquetFile::Writer {
 public:
  Writer(const TableSchema& schema, std::string path) : schema_(schema), path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
    if (file_) put("PAR1");
  }

  Result<void> add(const Columns& rows) {
    if (!file_) return failed();
    TRY_VOID(rows.even());
    for (std::size_t begin = 0; begin < rows.rows(); begin += parquet_rows_per_group) {
      const std::size_t end = std::min(begin + parquet_rows_per_group, rows.rows());
      auto& group = groups_.emplace_back();
      group.rows = end - begin;
      for (std::size_t c = 0; c < schema_.columns.size(); ++c) group.chunks.push_back(write_chunk(rows[c], begin, end));
      all_rows_ += group.rows;
      if (!good_) return failed();
    }
    return {};
  }

  Result<void> finish(const std::vector<FooterNote>& notes) {
    if (!file_) return failed();
    const std::string footer = metadata(notes);
    const auto size = static_cast<std::uint32_t>(footer.size());
    put(footer);
    put({reinterpret_cast<const char*>(&size), 4});
    put("PAR1");
    if (!good_ || std::fflush(file_.get()) != 0) return failed();
    return {};
  }

 private:
  Error failed() const { return Error{ErrorKind::unwritable, fmt::format("writing {}: {}", path_, std::strerror(errno))}; }

  void put(std::string_view bytes) {
    good_ = good_ && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
    offset_ += static_cast<std::int64_t>(bytes.size());
  }

  /// A page: header, then the packed body.
  void put_page(Chunk& chunk, bool is_dictionary, std::size_t values, Encoding encoding) {
    packed_.resize(ZSTD_compressBound(body_.size()));
    const std::size_t size =
        ZSTD_compressCCtx(context_.get(), packed_.data(), packed_.size(), body_.data(), body_.size(), compression_level);
    ThriftWriter header;
    header.begin_struct();
    header.field_number(1, is_dictionary ? 2 : 0);
    header.field_number(2, static_cast<std::int32_t>(body_.size()));
    header.field_number(3, static_cast<std::int32_t>(size));
    header.field_struct(is_dictionary ? 7 : 5);
    header.field_number(1, static_cast<std::int32_t>(values));
    header.field_number(2, is_dictionary ? plain_values : encoding);
    if (!is_dictionary) {
      header.field_number(3, run_lengths);
      header.field_number(4, run_lengths);
    }
    header.end_struct();
    header.end_struct();
    const std::string text = header.take();
    chunk.raw_bytes += static_cast<std::int64_t>(text.size() + body_.size());
    chunk.packed_bytes += static_cast<std::int64_t>(text.size() + size);
    put(text);
    put({packed_.data(), size});
  }

  /// Which rows have a value: a run of ones, mostly.
  std::int64_t begin_data(const Column& column, std::size_t begin, std::size_t end) {
    body_.assign(4, '\0');
    RunLengths levels(body_, 1);
    std::int64_t nulls = 0;
    if (!column.has_nulls()) levels.add(1, end - begin);
    if (column.all_null()) {
      levels.add(0, end - begin);
      nulls = static_cast<std::int64_t>(end - begin);
    }
    for (std::size_t i = begin; column.has_nulls() && !column.all_null() && i < end; ++i) {
      const bool null = column.is_null(i);
      nulls += null;
      levels.add(null ? 0 : 1);
    }
    levels.flush();
    const auto size = static_cast<std::uint32_t>(body_.size() - 4);
    std::memcpy(body_.data(), &size, 4);
    return nulls;
  }

  Chunk write_chunk(const Column& column, std::size_t begin, std::size_t end) {
    return column.type() == ColumnType::text ? write_text(column, begin, end) : write_numbers(column, begin, end);
  }

  Chunk write_numbers(const Column& column, std::size_t begin, std::size_t end) {
    Chunk chunk;
    const std::int64_t* const values = column.values().data();
    present_.clear();
    const bool whole = !column.has_nulls();
    if (!whole && !column.all_null())
      for (std::size_t i = begin; i < end; ++i)
        if (!column.is_null(i)) present_.push_back(values[i]);
    const std::int64_t* const first = whole ? values + begin : present_.data();
    const std::size_t count = whole ? end - begin : present_.size();
    if (count == 0 || std::all_of(first, first + count, [&](std::int64_t value) { return value == *first; })) {
      body_.assign(reinterpret_cast<const char*>(first), count == 0 ? 0 : 8);
      chunk.dictionary_offset = offset_;
      put_page(chunk, true, count == 0 ? 0 : 1, plain_values);
      chunk.data_offset = offset_;
      chunk.nulls = begin_data(column, begin, end);
      body_ += '\1';  // one bit per index
      RunLengths indices(body_, 1);
      indices.add(0, count);
      indices.flush();
      put_page(chunk, false, end - begin, dictionary_runs);
      chunk.encodings = {plain_values, run_lengths, dictionary_runs};
    } else {
      chunk.data_offset = offset_;
      chunk.nulls = begin_data(column, begin, end);
      append_le(body_, first, count * 8);
      put_page(chunk, false, end - begin, plain_values);
      chunk.encodings = {plain_values, run_lengths};
    }
    if (count != 0) note_range(column.type(), first, count, chunk);
    return chunk;
  }

  static void note_range(ColumnType type, const std::int64_t* first, std::size_t count, Chunk& chunk) {
    if (type == ColumnType::real) return;  // NaN and signed zero have rules of their own; nobody searches by these
    const auto [low, high] = std::minmax_element(first, first + count);
    append_le(chunk.min, &*low, 8);
    append_le(chunk.max, &*high, 8);
  }

  /// Text as numbers of the words that this row group has.
  Chunk write_text(const Column& column, std::size_t begin, std::size_t end) {
    Chunk chunk;
    local_.assign(column.words().size(), UINT32_MAX);
    std::vector<std::uint32_t> words;
    const std::int64_t* const values = column.values().data();
    for (std::size_t i = begin; i < end; ++i) {
      if (column.is_null(i) || local_[static_cast<std::size_t>(values[i])] != UINT32_MAX) continue;
      local_[static_cast<std::size_t>(values[i])] = static_cast<std::uint32_t>(words.size());
      words.push_back(static_cast<std::uint32_t>(values[i]));
    }
    body_.clear();
    for (const std::uint32_t word : words) {
      const std::string& text = column.words()[word];
      const auto size = static_cast<std::uint32_t>(text.size());
      append_le(body_, &size, 4);
      body_ += text;
      if (chunk.min.empty() && chunk.max.empty()) chunk.min = chunk.max = text;
      chunk.min = std::min(chunk.min, text);
      chunk.max = std::max(chunk.max, text);
    }
    chunk.dictionary_offset = offset_;
    put_page(chunk, true, words.size(), plain_values);
    chunk.data_offset = offset_;
    chunk.nulls = begin_data(column, begin, end);
    unsigned bits = 1;
    while (bits < 32 && (std::uint64_t{1} << bits) < words.size()) ++bits;
    body_ += static_cast<char>(bits);
    RunLengths indices(body_, bits);
    for (std::size_t i = begin; i < end; ++i)
      if (!column.is_null(i)) indices.add(local_[static_cast<std::size_t>(values[i])]);
    indices.flush();
    put_page(chunk, false, end - begin, dictionary_runs);
    chunk.encodings = {plain_values, run_lengths, dictionary_runs};
    return chunk;
  }

  // --- the footer -----------------------------------------------------------------------------------------------

  static void put_schema(ThriftWriter& out, const ColumnSchema& column) {
    out.begin_struct();
    out.field_number(1, physical(column.type));
    out.field_number(3, 1);  // optional
    out.field_text(4, column.name);
    if (column.type == ColumnType::text) out.field_number(6, 0);     // UTF8
    if (column.type == ColumnType::number) out.field_number(6, 18);  // INT_64
    if (column.type == ColumnType::text) {
      out.field_struct(10);
      out.field_struct(1);  // STRING
      out.end_struct();
      out.end_struct();
    } else if (column.type == ColumnType::time) {
      out.field_struct(10);
      out.field_struct(8);  // TIMESTAMP: UTC by definition of the store, kept as a plain timestamp as SQL has it
      out.field_bool(1, false);
      out.field_struct(2);
      out.field_struct(2);  // MICROS
      out.end_struct();
      out.end_struct();
      out.end_struct();
      out.end_struct();
    }
    out.end_struct();
  }

  static void put_chunk(ThriftWriter& out, const ColumnSchema& column, const Chunk& chunk, std::size_t rows) {
    out.begin_struct();
    out.field_wide(2, chunk.dictionary_offset >= 0 ? chunk.dictionary_offset : chunk.data_offset);
    out.field_struct(3);
    out.field_number(1, physical(column.type));
    out.field_list(2, ThriftWriter::number, chunk.encodings.size());
    for (const int encoding : chunk.encodings) out.element_number(encoding);
    out.field_list(3, ThriftWriter::text, 1);
    out.element_text(column.name);
    out.field_number(4, codec_zstd);
    out.field_wide(5, static_cast<std::int64_t>(rows));
    out.field_wide(6, chunk.raw_bytes);
    out.field_wide(7, chunk.packed_bytes);
    out.field_wide(9, chunk.data_offset);
    if (chunk.dictionary_offset >= 0) out.field_wide(11, chunk.dictionary_offset);
    out.field_struct(12);
    out.field_wide(3, chunk.nulls);
    const bool any = chunk.nulls < static_cast<std::int64_t>(rows) && column.type != ColumnType::real;
    if (any) {
      out.field_text(5, chunk.max);
      out.field_text(6, chunk.min);
    }
    out.end_struct();
    out.end_struct();
    out.end_struct();
  }

  std::string metadata(const std::vector<FooterNote>& notes) const {
    const auto columns = schema_.columns;
    ThriftWriter out;
    out.begin_struct();
    out.field_number(1, 1);
    out.field_list(2, ThriftWriter::structure, columns.size() + 1);
    out.begin_struct();
    out.field_text(4, "fathom");
    out.field_number(5, static_cast<std::int32_t>(columns.size()));
    out.end_struct();
    for (const ColumnSchema& column : columns) put_schema(out, column);
    out.field_wide(3, static_cast<std::int64_t>(all_rows_));
    out.field_list(4, ThriftWriter::structure, groups_.size());
    for (const Group& group : groups_) {
      std::int64_t bytes = 0;
      for (const Chunk& chunk : group.chunks) bytes += chunk.raw_bytes;
      out.begin_struct();
      out.field_list(1, ThriftWriter::structure, columns.size());
      for (std::size_t c = 0; c < columns.size(); ++c) put_chunk(out, columns[c], group.chunks[c], group.rows);
      out.field_wide(2, bytes);
      out.field_wide(3, static_cast<std::int64_t>(group.rows));
      out.end_struct();
    }
    if (!notes.empty()) {
      out.field_list(5, ThriftWriter::structure, notes.size());
      for (const FooterNote& note : notes) {
        out.begin_struct();
        out.field_text(1, note.key);
        out.field_text(2, note.value);
        out.end_struct();
      }
    }
    out.field_text(6, "fathom");
    out.field_list(7, ThriftWriter::structure, columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      out.begin_struct();
      out.field_struct(1);  // min and max are in the type's own order
      out.end_struct();
      out.end_struct();
    }
    out.end_struct();
    return out.take();
  }

  const TableSchema& schema_;
  std::string path_;
  std::unique_ptr<std::FILE, FileClose> file_;
  std::unique_ptr<ZSTD_CCtx, ContextFree> context_{ZSTD_createCCtx()};
  std::int64_t offset_ = 0;
  bool good_ = true;
  struct Group {
    std::vector<Chunk> chunks;
    std::size_t rows = 0;
  };
  std::vector<Group> groups_;
  std::size_t all_rows_ = 0;
  // Kept between pages.
  std::string body_;
  std::vector<char> packed_;
  std::vector<std::int64_t> present_;
  std::vector<std::uint32_t> local_;
};

ParquetFile::ParquetFile(const TableSchema& schema, std::string path) : writer_(std::make_unique<Writer>(schema, std::move(path))) {}
ParquetFile::~ParquetFile() = default;
Result<void> ParquetFile::add(const Columns& rows) { return writer_->add(rows); }
Result<void> ParquetFile::finish(const std::vector<FooterNote>& notes) { return writer_->finish(notes); }

bool can_write_parquet(const TableSchema& schema) {
  return std::none_of(schema.columns.begin(), schema.columns.end(), [](const ColumnSchema& c) { return c.type == ColumnType::text_list; });
}

Result<void> write_parquet_file(const Columns& rows, const std::string& path, const std::vector<FooterNote>& notes) {
  ParquetFile file(rows.schema(), path);
  TRY_VOID(file.add(rows));
  return file.finish(notes);
}

}  // namespace fathom
