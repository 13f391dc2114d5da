// SPDX-License-Identifier: Apache-2.0
#include "store_export/pseudonyms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/sha256.h"
#include "base/text.h"
#include "ingest/node_list.h"

namespace fathom {
namespace {

/// Written out, longer lists would take more room than all else of a store.
constexpr std::size_t longest_list = 4096;

}  // namespace

Pseudonyms::Pseudonyms(const Salt& salt) : key_(reinterpret_cast<const char*>(salt.data()), salt.size()) {}

Result<std::string> Pseudonyms::of(NameKind kind, std::string_view name) {
  if (name.empty()) return std::string{};
  const NameKindFacts& facts = facts_of(kind);
  // A user `ann` and a server `ann` shall not look alike: the kind is hashed too.
  std::string message = fmt::format("{}:", static_cast<int>(kind));
  message += name;
  std::string pseudonym = std::string(facts.prefix) + hex_digits(hmac_sha256(key_, message)).substr(0, facts.digits);
  const auto [known, added] = names_[static_cast<std::size_t>(kind)].try_emplace(pseudonym, name);
  if (!added && known->second != name)
    return Error{ErrorKind::unsupported,
                 fmt::format("replacing names: two {} would both become {}; export again with another salt", facts.plural, pseudonym)};
  return pseudonym;
}

Result<std::string> Pseudonyms::of_list(NameKind kind, std::string_view names, char separator) {
  std::vector<std::string> replaced;
  while (!names.empty()) {
    TRY(std::string pseudonym, of(kind, take_until(names, separator)));
    if (!pseudonym.empty()) replaced.push_back(std::move(pseudonym));
  }
  std::sort(replaced.begin(), replaced.end());
  return fmt::format("{}", fmt::join(replaced, std::string_view(&separator, 1)));
}

Result<std::string> Pseudonyms::of_node_list(std::string_view list) {
  const auto nodes = count_nodes(list);
  if (!nodes) return std::string{};
  if (*nodes > longest_list) return of(NameKind::node, list);
  TRY(const std::vector<std::string> names, expand_node_list(list));
  std::vector<std::string> replaced;
  for (const std::string& name : names) {
    TRY(std::string pseudonym, of(NameKind::node, name));
    replaced.push_back(std::move(pseudonym));
  }
  std::sort(replaced.begin(), replaced.end());
  return fmt::format("{}", fmt::join(replaced, ","));
}

Result<std::string> Pseudonyms::of_path(std::string_view path) {
  static constexpr std::string_view mark = " (source ";
  const std::size_t at = path.rfind(mark);
  const std::string_view number = at == std::string_view::npos ? std::string_view{} : path.substr(at + mark.size());
  const bool has_source = number.size() > 1 && number.ends_with(')') && number.find_first_not_of("0123456789") == number.size() - 1;
  if (!has_source) return of(NameKind::path, path);
  TRY(std::string pseudonym, of(NameKind::path, path.substr(0, at)));
  return pseudonym.append(path.substr(at));
}

int Pseudonyms::days_back() const {
  const Digest digest = hmac_sha256(key_, "days");
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8 | digest[i];
  return static_cast<int>(number % 3650) + 1;
}

}  // namespace fathom
