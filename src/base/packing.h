// SPDX-License-Identifier: Apache-2.0
/// Plain data as bytes, for another process of the same run: writes or reads the same fields in the same order; both ends are the same
/// program.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fathom {

class Packer {
 public:
  std::string bytes;
  template <class T>
  void field(const T& value) requires std::is_trivially_copyable_v<T> {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void field(const std::vector<T>& values) requires std::is_trivially_copyable_v<T> {
    field(values.size());
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void field(const std::string& text) {
    field(text.size());
    bytes.append(text);
  }
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  bool good = true;
  bool at_end() const { return bytes_.empty(); }
  template <class T>
  void field(T& value) requires std::is_trivially_copyable_v<T> {
    take(&value, sizeof value);
  }
  template <class T>
  void field(std::vector<T>& values) requires std::is_trivially_copyable_v<T> {
    const std::size_t size = count(sizeof(T));
    values.resize(size);
    take(values.data(), size * sizeof(T));
  }
  void field(std::string& text) {
    const std::size_t size = count(1);
    text.resize(size);
    take(text.data(), size);
  }

 private:
  /// How many things of a size follow; none if there cannot be as many.
  std::size_t count(std::size_t size) {
    std::size_t number = 0;
    field(number);
    if (good && number <= bytes_.size() / size) return number;
    good = false;
    return 0;
  }
  void take(void* to, std::size_t size) {
    if (size > bytes_.size()) return void(good = false);
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

}  // namespace fathom
