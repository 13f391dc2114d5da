// SPDX-License-Identifier: Apache-2.0
#include "collect/xml_scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace fathom {
namespace {

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 256 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.' || c == ':' ||
           (c & 0x80) != 0;
  });
}

constexpr bool is_space(char c) { return is_blank(c) || c == '\n'; }

std::string_view trim_lines(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// `&amp;` and the four others, and characters by number below 128; anything else stays as it is.
void append_text(std::string& to, std::string_view text) {
  static constexpr std::pair<std::string_view, char> entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  while (!text.empty()) {
    const auto at = text.find('&');
    to += text.substr(0, at);
    if (at == std::string_view::npos) return;
    text.remove_prefix(at);
    const auto* found =
        std::find_if(std::begin(entities), std::end(entities), [&](const auto& entity) { return text.starts_with(entity.first); });
    to += found == std::end(entities) ? '&' : found->second;
    text.remove_prefix(found == std::end(entities) ? 1 : found->first.size());
  }
}

class XmlScanner {
 public:
  XmlScanner(std::string_view text, XmlVisitor& visitor) : whole_(text), rest_(text), visitor_(visitor) {}

  Result<void> run() {
    while (!rest_.empty()) {
      const auto at = rest_.find('<');
      if (!open_.empty())
        append_text(open_.back().text, rest_.substr(0, at));
      else if (!trim_lines(rest_.substr(0, at)).empty())
        return wrong("text outside of any element");
      if (at == std::string_view::npos) break;
      rest_.remove_prefix(at);
      TRY_VOID(markup());
    }
    if (!open_.empty()) return wrong(fmt::format("the end of <{}> is missing", open_.back().name));
    return any_ ? Result<void>{} : wrong("there is no element");
  }

 private:
  struct Open {
    std::string_view name;
    std::string text;
  };

  Error wrong(const std::string& what) const {
    const auto line = 1 + std::count(whole_.begin(), whole_.end() - static_cast<std::ptrdiff_t>(rest_.size()), '\n');
    return Error{ErrorKind::malformed, fmt::format("{} (line {})", what, line)};
  }

  /// Cuts off all up to and with `end`, and gives what was before it.
  Result<std::string_view> take_through(std::string_view end) {
    const auto at = rest_.find(end);
    if (at == std::string_view::npos) return wrong(fmt::format("'{}' is missing", end));
    const std::string_view inside = rest_.substr(0, at);
    rest_.remove_prefix(at + end.size());
    return inside;
  }

  Result<void> markup() {
    if (rest_.starts_with("<!--")) return passed(take_through("-->"));
    if (rest_.starts_with("<?")) return passed(take_through("?>"));
    if (rest_.starts_with("<![CDATA[")) {
      TRY(const std::string_view inside, take_through("]]>"));
      if (!open_.empty()) open_.back().text += inside.substr(9);
      return {};
    }
    if (rest_.starts_with("<!")) return wrong("a document type is not expected");
    TRY(std::string_view tag, take_through(">"));
    tag.remove_prefix(1);
    if (tag.starts_with('/')) return end_tag(trim_lines(tag.substr(1)));
    const bool empty = tag.ends_with('/');
    if (empty) tag.remove_suffix(1);
    const auto name_end = std::find_if(tag.begin(), tag.end(), is_space) - tag.begin();
    return start_tag(tag.substr(0, static_cast<std::size_t>(name_end)), empty);
  }

  static Result<void> passed(const Result<std::string_view>& taken) { return taken ? Result<void>{} : Result<void>{taken.error()}; }

  Result<void> start_tag(std::string_view name, bool empty) {
    if (!is_name(name)) return wrong(fmt::format("'{}' is not the name of an element", excerpt(name, 40)));
    if (open_.size() >= deepest_xml) return wrong("elements are nested too deep");
    any_ = true;
    visitor_.opened(name);
    open_.push_back({name, {}});
    return empty ? end_tag(name) : Result<void>{};
  }

  Result<void> end_tag(std::string_view name) {
    if (open_.empty() || open_.back().name != name) return wrong(fmt::format("</{}> ends what was not begun", excerpt(name, 40)));
    const std::string text(trim_lines(open_.back().text));
    open_.pop_back();
    visitor_.closed(name, text);
    return {};
  }

  std::string_view whole_, rest_;
  XmlVisitor& visitor_;
  std::vector<Open> open_;
  bool any_ = false;
};

}  // namespace

Result<void> scan_xml(std::string_view text, XmlVisitor& visitor) { return XmlScanner(text, visitor).run(); }

}  // namespace fathom
