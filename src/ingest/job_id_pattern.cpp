// SPDX-License-Identifier: Apache-2.0
#include "ingest/job_id_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "base/text.h"

namespace fathom {
namespace {

constexpr std::size_t most_parts = 16;

}  // namespace

Result<JobIdPattern> JobIdPattern::parse(std::string_view pattern) {
  JobIdPattern parsed;
  const auto complain = [&](std::string_view what) {
    return Error{ErrorKind::usage, fmt::format("reading job id pattern '{}': {} (%e %g %h %H %j %p %u stand for parts of an id, as in "
                                               "Lustre's jobid_name)",
                                               excerpt(pattern), what)};
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool code = pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] != '%';
    if (pattern[i] == '%') ++i;
    if (i == pattern.size()) return complain("it ends in a lone %");
    if (code) {
      if (std::string_view("eghHjpu").find(pattern[i]) == std::string_view::npos)
        return complain(fmt::format("there is no %{}", pattern[i]));
      parsed.parts_.push_back({pattern[i], {}, 0});
    } else {
      if (!parsed.parts_.empty() && parsed.parts_.back().code != 0) parsed.parts_.back().stop = pattern[i];
      if (parsed.parts_.empty() || parsed.parts_.back().code != 0) parsed.parts_.push_back({});
      parsed.parts_.back().literal += pattern[i];
    }
  }
  if (parsed.parts_.size() > most_parts) return complain("it has too many parts");
  return parsed;
}

bool JobIdPattern::fits(const Part& part, char c) {
  const bool digit = c >= '0' && c <= '9';
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  switch (part.code) {
    case 'g':
    case 'p':
    case 'u': return digit;
    case 'h': return digit || letter || c == '-' || c == '_' || c == '.';
    case 'H': return digit || letter || c == '-' || c == '_';
    case 'j': return !is_blank(c) && c != part.stop;
    default: return true;  // an executable's name may hold anything
  }
}

bool JobIdPattern::splits_jobs() const {
  const auto codes = std::count_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.code != 0; });
  return codes > 1 && std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.code == 'j'; });
}

std::optional<std::string_view> JobIdPattern::job(std::string_view id) const {
  if (id.empty() || id.size() > longest_id) return std::nullopt;
  if (parts_.empty()) return id;
  // ends[k] holds every place where parts k, k+1, ... may begin so that they reach the end of the id.
  std::bitset<longest_id + 1> ends[most_parts + 1];
  ends[parts_.size()].set(id.size());
  for (std::size_t k = parts_.size(); k-- > 0;) {
    const Part& part = parts_[k];
    for (std::size_t at = 0; at < id.size(); ++at) {
      if (part.code == 0) {
        if (id.substr(at).starts_with(part.literal) && ends[k + 1][at + part.literal.size()]) ends[k].set(at);
      } else {
        for (std::size_t stop = at; stop < id.size() && fits(part, id[stop]) && !ends[k][at]; ++stop)
          if (ends[k + 1][stop + 1]) ends[k].set(at);
      }
    }
  }
  if (!ends[0][0]) return std::nullopt;
  std::optional<std::string_view> job;
  std::size_t at = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    std::size_t stop = parts_[k].code == 0 ? at + parts_[k].literal.size() : at;
    if (parts_[k].code != 0) {  // the longest that lets the rest match
      for (std::size_t next = at; next < id.size() && fits(parts_[k], id[next]); ++next)
        if (ends[k + 1][next + 1]) stop = next + 1;
    }
    if (parts_[k].code == 'j' && !job) job = id.substr(at, stop - at);
    at = stop;
  }
  return job ? job : id;
}

}  // namespace fathom
