// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include "base/text.h"

namespace fathom {

const char* CsvRecord::split(std::string_view line, char separator) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());  // views into it must stay where they are
  while (true) {
    if (line.empty() || line.front() != '"') {
      const std::size_t end = line.find(separator);
      const std::string_view field = line.substr(0, end);
      if (field.find('"') != std::string_view::npos) return "a quote inside a field that does not begin with one";
      fields_.push_back(field);
      if (end == std::string_view::npos) return nullptr;
      line.remove_prefix(end + 1);
      continue;
    }
    std::size_t end = line.find('"', 1);
    while (end != std::string_view::npos && end + 1 < line.size() && line[end + 1] == '"') end = line.find('"', end + 2);
    if (end == std::string_view::npos) return "a quoted field does not end on its line";
    fields_.push_back(unquote(line.substr(1, end - 1)));
    line.remove_prefix(end + 1);
    if (line.empty()) return nullptr;
    if (line.front() != separator) return "text after a closing quote";
    line.remove_prefix(1);
  }
}

std::string_view CsvRecord::unquote(std::string_view quoted) {
  if (quoted.find('"') == std::string_view::npos) return quoted;
  const std::size_t begin = unquoted_.size();
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    unquoted_ += quoted[i];
    if (quoted[i] == '"') ++i;  // the second of a pair
  }
  return std::string_view(unquoted_).substr(begin);
}

std::vector<std::size_t> find_columns(std::span<const std::string_view> header, std::span<const std::string_view> wanted) {
  std::vector<std::size_t> at(wanted.size(), no_column);
  for (std::size_t i = header.size(); i-- > 0;)  // backwards: of two equal names the first counts
    for (std::size_t k = 0; k < wanted.size(); ++k)
      if (equal_ignoring_case(trim(header[i]), wanted[k])) at[k] = i;
  return at;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace fathom
