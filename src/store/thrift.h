// SPDX-License-Identifier: Apache-2.0
/// Thrift's compact protocol, as far as the metadata of Parquet needs it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

class ThriftWriter {
 public:
  std::string take() { return std::move(out_); }

  void begin_struct() {
    fields_.push_back(last_);
    last_ = 0;
  }
  void end_struct() {
    out_ += '\0';
    last_ = fields_.back();
    fields_.pop_back();
  }
  void field_struct(int id) {
    header(id, 12);
    begin_struct();
  }
  void field_number(int id, std::int32_t value) {
    header(id, 5);
    zigzag(value);
  }
  void field_wide(int id, std::int64_t value) {
    header(id, 6);
    zigzag(value);
  }
  void field_bool(int id, bool value) { header(id, value ? 1 : 2); }
  void field_text(int id, std::string_view value) {
    header(id, 8);
    bytes(value);
  }
  enum Element : unsigned { number = 5, text = 8, structure = 12 };
  void field_list(int id, Element element, std::size_t size) {
    header(id, 9);
    if (size < 15) {
      out_ += static_cast<char>(size << 4 | element);
    } else {
      out_ += static_cast<char>(0xf0 | element);
      varint(size);
    }
  }
  /// An element of a list.
  void element_number(std::int32_t value) { zigzag(value); }
  void element_text(std::string_view value) { bytes(value); }

 private:
  void header(int id, unsigned type) {
    if (id > last_ && id - last_ < 16) {
      out_ += static_cast<char>(static_cast<unsigned>(id - last_) << 4 | type);
    } else {
      out_ += static_cast<char>(type);
      zigzag(id);
    }
    last_ = id;
  }
  void zigzag(std::int64_t value) { varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63)); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }
  void bytes(std::string_view text_bytes) {
    varint(text_bytes.size());
    out_ += text_bytes;
  }

  std::string out_;
  std::vector<int> fields_;
  int last_ = 0;
};

}  // namespace fathom
