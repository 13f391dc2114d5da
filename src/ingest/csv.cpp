// SPDX-License-Identifier: Apache-2.0
#include "ingest/csv.h"

#include <algorithm>
#include <cstring>

namespace fathom {

bool CsvLine::split(std::string_view line) {
  if (!line.empty() && std::memchr(line.data(), '"', line.size()) != nullptr) return split_quoted(line);
  fields_.clear();
  const char* begin = line.data();
  const char* const end = begin + line.size();
  for (const char* at = begin; at != end; ++at) {
    if (*at != ',') continue;
    fields_.emplace_back(begin, static_cast<std::size_t>(at - begin));
    begin = at + 1;
  }
  fields_.emplace_back(begin, static_cast<std::size_t>(end - begin));
  return true;
}

bool CsvLine::split_quoted(std::string_view line) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());  // so that views into it stay valid
  std::size_t at = 0;
  while (true) {
    if (at < line.size() && line[at] == '"') {
      const std::size_t begin = unquoted_.size();
      for (++at;; ++at) {
        if (at >= line.size()) return false;
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        unquoted_ += line[at];
      }
      ++at;
      fields_.emplace_back(unquoted_.data() + begin, unquoted_.size() - begin);
      if (at < line.size() && line[at] != ',') return false;
    } else {
      const std::size_t stop = std::min(line.find(',', at), line.size());
      fields_.push_back(line.substr(at, stop - at));
      at = stop;
    }
    if (at >= line.size()) return true;
    ++at;  // the comma
  }
}

}  // namespace fathom
