// SPDX-License-Identifier: Apache-2.0
#include "slurm/decisions.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/csv.h"
#include "base/other_format.h"
#include "base/text.h"
#include "store/regular_file.h"

namespace fathom::slurm {
namespace {

constexpr std::size_t longest_name = 256, longest_reason = 1000;
constexpr std::uint64_t most_read = 8u << 20;  // bytes of the end of a file

/// Valid UTF-8 of bearable length, without control characters.
std::string cut(std::string_view text, std::size_t longest) {
  std::string clean = as_utf8(text.substr(0, longest));
  if (clean.size() <= longest) return clean;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xc0) == 0x80) --end;
  clean.resize(end);
  return clean;
}

std::string field(std::string_view text, std::size_t longest) { return csv_field(cut(text, longest)); }

Error failed(std::string_view what, const std::string& path) {
  return {ErrorKind::unwritable, fmt::format("{} {}: {}", what, path, std::strerror(errno))};
}

Result<void> write_all(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t done = ::write(file, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return failed("writing a decision to", path);
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

/// The heading tells the form of the lines: there is no other place for it in a csv that spreadsheets read, too.
Result<void> check_heading(std::string_view first, const std::string& path) {
  if (first == decisions_heading || !first.starts_with(decisions_heading.substr(0, decisions_heading.find(',')))) return {};
  return Error{ErrorKind::unsupported, fmt::format("reading decisions in {}: {}", path, other_format(excerpt(first), decisions_heading))};
}

Error unreadable(const std::string& path, std::string_view why) {
  return {ErrorKind::unreadable, fmt::format("reading decisions in {}: {}", path, why)};
}

/// The end of a file; nothing where there is none. A first line that is cut is left out.
Result<std::string> end_of(const std::string& path) {
  const auto file = open_regular_file(path);
  if (!file && file.error().kind == ErrorKind::not_found) return std::string();
  if (!file) return unreadable(path, file.error().message);
  const std::uint64_t skipped = file->bytes > most_read ? file->bytes - most_read : 0;
  auto text = read_part(*file, skipped, most_read);
  if (!text) return unreadable(path, text.error().message);
  if (const std::size_t end = text->find('\n'); skipped == 0 && end != std::string::npos) {
    TRY_VOID(check_heading(std::string_view(*text).substr(0, end), path));
  }
  if (skipped > 0) text->erase(0, std::min(text->find('\n'), text->size()));
  return text;
}

bool read_line(std::span<const std::string_view> fields, Decision& into) {
  if (fields.size() != 8) return false;
  const auto time = parse_iso8601(fields[0]);
  const auto job = parse_u64(fields[1]), nodes = parse_u64(fields[4]);
  const auto waited = parse_double(fields[7]);
  if (!time || !job || !nodes || !waited || !(*waited >= 0 && *waited < 1e9)) return false;
  if (fields[5] != "run" && fields[5] != "delay") return false;
  into = {time->in(Zone()),
          *job,
          cut(fields[2], longest_name),
          cut(fields[3], longest_name),
          *nodes,
          fields[5] == "run" ? advise::Verdict::run : advise::Verdict::delay,
          cut(fields[6], longest_reason),
          *waited};
  return true;
}

}  // namespace

std::string as_line(const Decision& decision) {
  return fmt::format("{},{},{},{},{},{},{},{:.0f}\n", format_iso8601(Time{std::chrono::floor<std::chrono::seconds>(decision.time)}),
                     decision.job, field(decision.user, longest_name), field(decision.name, longest_name), decision.nodes,
                     decision.verdict == advise::Verdict::run ? "run" : "delay", field(decision.reason, longest_reason), decision.waited);
}

std::vector<Decision> parse_decisions(std::string_view text) {
  std::vector<Decision> found;
  CsvRecord record;
  while (!text.empty()) {
    if (text.find('\n') == std::string_view::npos) break;  // still being written
    const std::string_view line = take_until(text, '\n');
    Decision each;
    if (record.split(line) == nullptr && read_line(record.fields(), each)) found.push_back(std::move(each));
  }
  return found;
}

Result<void> DecisionFile::append(const Decision& decision) const {
  Descriptor file(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0644));
  struct stat facts {};
  if (!file.open() || ::fstat(file.get(), &facts) != 0) return failed("opening", path_);
  if (!S_ISREG(facts.st_mode)) return Error{ErrorKind::unwritable, fmt::format("opening {}: it is no regular file", path_)};
  if (static_cast<std::uint64_t>(facts.st_size) > limit_) {
    if (::rename(path_.c_str(), before_.c_str()) != 0) return failed("renaming", path_);
    file = Descriptor(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!file.open()) return failed("opening", path_);
    facts.st_size = 0;
  }
  std::string text;
  char last = '\n';
  if (facts.st_size == 0)
    text = fmt::format("{}\n", decisions_heading);
  else if (::pread(file.get(), &last, 1, facts.st_size - 1) == 1 && last != '\n')
    text = "\n";  // a line was cut short
  text += as_line(decision);
  return write_all(file.get(), text, path_);
}

Result<std::vector<Decision>> DecisionFile::latest(std::size_t most) const {
  TRY(const std::string now, end_of(path_));
  std::vector<Decision> all = parse_decisions(now);
  if (all.size() < most) {
    TRY(const std::string older, end_of(before_));
    std::vector<Decision> first = parse_decisions(older);
    first.insert(first.end(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
    all = std::move(first);
  }
  std::reverse(all.begin(), all.end());
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace fathom::slurm
