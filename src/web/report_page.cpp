// SPDX-License-Identifier: Apache-2.0
#include "web/report_page.h"

#include <algorithm>
#include <cassert>

#include "web/report_template.h"

namespace fathom {

namespace {

/// Where the page wants its data; web/vite.config.ts sees to it that this stands there exactly once.
constexpr std::string_view data_mark = "@REPORT_DATA@";

/// In JSON '<' stands in strings only, where \u003c means the same: so neither "</script" nor "<!--" can end the data early.
void append_as_script(std::string& page, std::string_view json) {
  for (std::size_t begin = 0; begin < json.size();) {
    const std::size_t end = std::min(json.find('<', begin), json.size());
    page.append(json, begin, end - begin);
    if (end < json.size()) page.append("\\u003c");
    begin = end + 1;
  }
}

std::string filled(std::string_view page_template, std::string_view json) {
  const std::size_t mark = page_template.find(data_mark);
  assert(mark != std::string_view::npos);
  std::string page;
  page.reserve(page_template.size() + json.size() + json.size() / 16);
  page.append(page_template.substr(0, mark));
  append_as_script(page, json);
  page.append(page_template.substr(mark + data_mark.size()));
  return page;
}

}  // namespace

std::string report_page(std::string_view json) { return filled(report_template(), json); }
std::string slices_page(std::string_view json) { return filled(slices_template(), json); }
std::string what_if_page(std::string_view json) { return filled(what_if_template(), json); }
std::string application_page(std::string_view json) { return filled(application_template(), json); }

}  // namespace fathom
