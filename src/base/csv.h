// SPDX-License-Identifier: Apache-2.0
/// Lines of separated values (RFC 4180, one record per line) as fields, and where named columns stand.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

/// Splits one line after another; keeps its memory, so that a long file costs no allocation per line.
class CsvRecord {
 public:
  /// Nullptr when the line is well formed, or what is wrong with it. A quoted field must end on its own line.
  const char* split(std::string_view line, char separator = ',');
  /// The fields of the last line without their quotes; valid until the next split, while that line lives.
  std::span<const std::string_view> fields() const { return fields_; }

 private:
  std::string_view unquote(std::string_view quoted);

  std::vector<std::string_view> fields_;
  std::string unquoted_;  // fields that held doubled quotes
};

/// A field as it stands in a line: between quotes where it has to.
std::string csv_field(const std::string& text);

inline constexpr std::size_t no_column = SIZE_MAX;

/// Where each wanted column stands in a header (case and blanks around a name do not matter); no_column where it is missing.
std::vector<std::size_t> find_columns(std::span<const std::string_view> header, std::span<const std::string_view> wanted);

}  // namespace fathom
