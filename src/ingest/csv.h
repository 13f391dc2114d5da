// SPDX-License-Identifier: Apache-2.0
/// One line of comma-separated values (RFC 4180, but a value may not hold a line break).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

class CsvLine {
 public:
  /// False when a quote is not closed or text follows a closing quote. The fields are valid until the next call, as is `line`.
  bool split(std::string_view line);
  const std::vector<std::string_view>& fields() const { return fields_; }

 private:
  bool split_quoted(std::string_view line);

  std::vector<std::string_view> fields_;
  std::string unquoted_;
};

}  // namespace fathom
