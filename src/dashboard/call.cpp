// SPDX-License-Identifier: Apache-2.0
#include "dashboard/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/text.h"

namespace fathom::dashboard {
namespace {

std::optional<double> finite_number(std::string_view text) {
  const auto value = parse_double(text);
  return value && std::isfinite(*value) && std::fabs(*value) < 1e18 ? value : std::nullopt;
}

std::string names_of(std::span<const Parameter> declared) {
  std::string text;
  for (const Parameter& each : declared) text += (text.empty() ? "" : ", ") + std::string(each.name);
  return text.empty() ? "it takes none" : "it takes " + text;
}

Result<void> check(const Parameter& parameter, std::string_view value) {
  bool good = true;
  std::string_view wanted;
  switch (parameter.kind) {
    case Parameter::Kind::text: return {};
    case Parameter::Kind::number: good = finite_number(value).has_value(), wanted = "a number"; break;
    case Parameter::Kind::whole: good = parse_u64(value).has_value(), wanted = "a whole number"; break;
    case Parameter::Kind::flag:
      good = value.empty() || value == "0" || value == "1" || value == "true" || value == "false", wanted = "true or false";
      break;
  }
  if (good) return {};
  return Error{ErrorKind::usage, fmt::format("reading parameter {}: {} is not {}", parameter.name, excerpt(value), wanted)};
}

}  // namespace

Result<Call> Call::make(const http::Request& request, std::map<std::string, std::string, std::less<>> words,
                        std::span<const Parameter> declared) {
  Call call;
  call.words_ = std::move(words);
  call.path_ = request.path();
  call.body_ = request.body;
  const auto pairs = http::parse_query(request.query());
  if (!pairs) return Error{ErrorKind::usage, "reading the query: a % is not followed by two hexadecimal digits, or means a zero byte"};
  for (const auto& [name, value] : *pairs) {
    const auto known = std::find_if(declared.begin(), declared.end(), [&name = name](const Parameter& each) { return each.name == name; });
    if (known == declared.end())
      return Error{ErrorKind::usage, fmt::format("reading the query: there is no parameter {}; {}", excerpt(name), names_of(declared))};
    if (!known->many && call.given_.contains(name))
      return Error{ErrorKind::usage, fmt::format("reading the query: {} is given twice", name)};
    TRY_VOID(check(*known, value));
    call.given_.emplace(name, value);
  }
  for (const Parameter& each : declared)
    if (each.required && !call.given_.contains(each.name))
      return Error{ErrorKind::usage, fmt::format("reading the query: {} is missing ({})", each.name, each.meaning)};
  return call;
}

const std::string& Call::word(std::string_view name) const {
  const auto at = words_.find(name);
  assert(at != words_.end());
  return at->second;
}

std::optional<std::string> Call::text(std::string_view name) const {
  const auto at = given_.find(name);
  return at == given_.end() ? std::nullopt : std::optional(at->second);
}

std::vector<std::string> Call::texts(std::string_view name) const {
  std::vector<std::string> all;
  for (auto [at, end] = given_.equal_range(name); at != end; ++at) all.push_back(at->second);
  return all;
}

std::optional<double> Call::number(std::string_view name) const {
  const auto at = given_.find(name);
  return at == given_.end() ? std::nullopt : finite_number(at->second);
}

std::optional<std::uint64_t> Call::whole(std::string_view name) const {
  const auto at = given_.find(name);
  return at == given_.end() ? std::nullopt : parse_u64(at->second);
}

std::uint64_t Call::whole_within(std::string_view name, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most) const {
  return std::clamp(whole(name).value_or(otherwise), least, most);
}

bool Call::flag(std::string_view name) const {
  const auto at = given_.find(name);
  return at != given_.end() && at->second != "0" && at->second != "false";
}

std::string Call::key() const {
  std::string key = path_;
  for (const auto& [name, value] : given_) key.append("&").append(http::encode(name)).append("=").append(http::encode(value));
  return key;
}

}  // namespace fathom::dashboard
