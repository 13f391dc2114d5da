// SPDX-License-Identifier: Apache-2.0
#include "slurm/queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include "base/text.h"

namespace fathom::slurm {
namespace {

// The name is the last: it alone can be long.
enum Field : std::size_t { id, user, uid, nodes, state, submit, start, limit, name, fields };
constexpr std::array<std::string_view, fields> letters{"%A", "%u", "%U", "%D", "%T", "%V", "%S", "%l", "%j"};

/// The next `count` fields, each with a mark behind it; false where there are not so many.
bool take_fields(std::string_view& text, std::string_view mark, std::string_view* into, std::size_t count) {
  std::string_view rest = text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = rest.find(mark);
    if (at == std::string_view::npos) return false;
    into[i] = rest.substr(0, at);
    rest.remove_prefix(at + mark.size());
  }
  if (rest.starts_with('\n')) rest.remove_prefix(1);
  text = rest;
  return true;
}

std::optional<std::uint32_t> small_number(std::string_view text) {
  const auto number = parse_u64(trim(text));
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

/// N/A and Unknown are no time.
Time as_time(std::string_view text) {
  const auto seconds = parse_u64(trim(text));
  return seconds && *seconds > 0 && *seconds < (std::uint64_t{1} << 40) ? time_from_seconds(static_cast<std::int64_t>(*seconds)) : no_time;
}

/// squeue shortens many nodes as sacct does: 2K, 1.50K.
std::optional<std::uint32_t> node_count(std::string_view text) {
  if (const auto plain = small_number(text)) return plain;
  text = trim(text);
  if (!text.ends_with('K')) return std::nullopt;
  const auto amount = parse_double(text.substr(0, text.size() - 1));
  if (!amount || !(*amount > 0 && *amount < 1e5)) return std::nullopt;
  return static_cast<std::uint32_t>(*amount * 1024);
}

std::optional<QueuedJob> as_job(const std::array<std::string_view, fields>& given) {
  const auto number = parse_u64(trim(given[id]));
  const auto user_number = small_number(given[uid]);
  const auto count = node_count(given[nodes]);
  if (!number || *number == 0 || !user_number || !count) return std::nullopt;
  QueuedJob job;
  job.id = *number;
  job.user = as_utf8(trim(given[user]));
  const std::string text = as_utf8(given[name]);  // then trimmed, as names of the job log are
  job.name = accounting_name(std::string(trim(text)));
  job.uid = *user_number;
  job.nodes = *count;
  const std::string_view word = trim(given[state]);
  job.state = word == "PENDING"                                                                           ? JobState::pending
              : word == "RUNNING" || word == "CONFIGURING" || word == "COMPLETING" || word == "SUSPENDED" ? JobState::running
                                                                                                          : JobState::other;
  job.submit = as_time(given[submit]);
  job.start = as_time(given[start]);
  job.limit_seconds = parse_limit(trim(given[limit]));
  return job;
}

}  // namespace

std::string accounting_name(std::string name) {
  std::replace(name.begin(), name.end(), '"', '`');
  return name;
}

std::string make_mark() {
  std::random_device chance;
  std::string mark(24, 'a');  // 112 bits
  for (char& letter : mark) letter = static_cast<char>('a' + chance() % 26);
  return mark;
}

std::string queue_format(std::string_view mark) {
  std::string format;
  for (const std::string_view letter : letters) format += fmt::format("{}{}", letter, mark);
  return format;
}

Queue parse_queue(std::string_view text, std::string_view mark) {
  Queue queue;
  std::array<std::string_view, fields> given;
  while (take_fields(text, mark, given.data(), fields)) {
    if (auto job = as_job(given)) {
      queue.jobs.push_back(std::move(*job));
    } else {
      ++queue.rejected;
    }
  }
  if (!trim(text).empty() && text != "\n") ++queue.rejected;
  return queue;
}

std::string eligible_format(std::string_view mark) { return fmt::format("JobID:20{0},EligibleTime:20{0}", mark); }

std::map<JobId, Time> parse_eligible(std::string_view text, std::string_view mark) {
  std::map<JobId, Time> found;
  std::array<std::string_view, 2> given;
  while (take_fields(text, mark, given.data(), given.size()))
    if (const auto number = parse_u64(trim(given[0]))) found[*number] = as_time(given[1]);
  return found;
}

std::optional<double> parse_limit(std::string_view text) {
  double days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto count = parse_u64(text.substr(0, dash));
    if (!count || *count > 1'000'000) return std::nullopt;
    days = static_cast<double>(*count);
    text.remove_prefix(dash + 1);
  }
  double total = 0;
  std::size_t parts = 0;
  for (bool more = true; more; ++parts) {
    more = text.find(':') != std::string_view::npos;
    const auto part = parse_u64(take_until(text, ':'));
    if (!part || *part > 1'000'000) return std::nullopt;
    total = total * 60 + static_cast<double>(*part);
  }
  return parts == 2 || parts == 3 ? std::optional(days * 86400 + total) : std::nullopt;
}

}  // namespace fathom::slurm
