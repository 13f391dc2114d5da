// SPDX-License-Identifier: Apache-2.0
/// One question to the API: the words of its path and the parameters of its query, checked against what its endpoint declares.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace fathom::dashboard {

struct Parameter {
  enum class Kind { text, number, whole, flag };  // flag: 0, 1, true, false, or nothing but the name
  std::string_view name;
  std::string_view meaning;
  Kind kind = Kind::text;
  bool required = false;
  bool many = false;  // may be given several times
};

class Call {
 public:
  /// Fails with `usage` for what is not declared, given twice, missing or no number.
  static Result<Call> make(const http::Request& request, std::map<std::string, std::string, std::less<>> words,
                           std::span<const Parameter> declared);

  /// {store} of the path.
  const std::string& word(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;
  std::string text_or(std::string_view name, std::string_view otherwise) const { return text(name).value_or(std::string(otherwise)); }
  std::vector<std::string> texts(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;  // finite
  std::optional<std::uint64_t> whole(std::string_view name) const;
  /// Between the two, whatever was asked for.
  std::uint64_t whole_within(std::string_view name, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most) const;
  bool flag(std::string_view name) const;
  const std::string& body() const { return body_; }
  /// The same question in the same words, whatever the order of its parameters.
  std::string key() const;

 private:
  std::map<std::string, std::string, std::less<>> words_;
  std::multimap<std::string, std::string, std::less<>> given_;
  std::string path_, body_;
};

}  // namespace fathom::dashboard
