// SPDX-License-Identifier: Apache-2.0
#include "slurm/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/other_format.h"
#include "base/text.h"
#include "store/regular_file.h"

namespace fathom::slurm {
namespace {

constexpr std::string_view magic = "# fathom jobs ";
constexpr std::uint64_t known_format = 1;
constexpr std::uint64_t most_bytes = 64u << 20;  // hundreds of thousands of jobs

std::string word(Time t) { return t == no_time ? "-" : format_unix_seconds(t); }

bool read_time(std::string_view& line, Time& into) {
  const std::string_view text = take_word(line);
  const auto t = parse_unix_seconds(text);
  into = t ? *t : no_time;
  return t || text == "-";
}

Error unreadable(const std::string& path, std::string_view why) {
  return {ErrorKind::unreadable, fmt::format("reading what is remembered of jobs: {} ({})", why, path)};
}

/// A file's text, empty where there is none.
Result<std::string> text_of(const std::string& path) {
  const auto file = open_regular_file(path);
  if (!file && file.error().kind == ErrorKind::not_found) return std::string();
  if (!file) return unreadable(path, file.error().message);
  if (file->bytes > most_bytes) return unreadable(path, fmt::format("it has {} bytes, more than {}", file->bytes, most_bytes));
  auto text = read_part(*file, 0, file->bytes);
  if (!text) return unreadable(path, text.error().message);
  return text;
}

}  // namespace

std::string as_text(const Memory& memory) {
  std::string text = fmt::format("{}{}\n# job submitted held since until free left_alone note\n", magic, known_format);
  for (const auto& [job, each] : memory) {
    std::string note = each.others_note;
    std::replace(note.begin(), note.end(), '\n', ' ');
    text += fmt::format("{} {} {:.3f} {} {} {} {} {}\n", job, word(each.submit), each.held_seconds, word(each.since), word(each.until),
                        word(each.free_since), each.left_alone ? 1 : 0, note);
  }
  return text;
}

Memory parse_memory(std::string_view text) {
  Memory memory;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const auto job = parse_u64(take_word(line));
    Remembered each;
    if (!job || !read_time(line, each.submit)) continue;
    const auto held = parse_double(take_word(line));
    if (!held || !(*held >= 0 && *held < 1e9)) continue;
    each.held_seconds = *held;
    if (!read_time(line, each.since) || !read_time(line, each.until) || !read_time(line, each.free_since)) continue;
    if (each.since != no_time && each.until == no_time) continue;
    each.left_alone = take_word(line) == "1";
    each.others_note = trim(line);
    memory[*job] = std::move(each);
  }
  return memory;
}

Result<Memory> load_memory(const std::string& path) {
  TRY(const std::string text, text_of(path));
  std::string_view rest = text;
  const std::string_view first = take_until(rest, '\n');
  // A file of before says no format, and has the same lines.
  const auto format = first.starts_with(magic) ? parse_u64(trim(first.substr(magic.size()))) : std::optional(known_format);
  if (!format || *format != known_format)
    return Error{ErrorKind::unsupported, fmt::format("reading what is remembered of jobs: {} ({}:1)",
                                                     other_format(first.substr(std::min(magic.size(), first.size())), known_format), path)};
  return parse_memory(text);
}

}  // namespace fathom::slurm
