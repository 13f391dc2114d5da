// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/terminal.h"
#include "base/units.h"

namespace fathom {
namespace {
bool silent = false;
}

Progress::Progress(std::string title, Unit unit) : phase_(title), title_(std::move(title)), unit_(unit), terminal_(wanted()) {}

bool Progress::wanted() { return !silent && talk() != Talk::quiet && ::isatty(2) == 1; }
void Progress::silence() { silent = true; }

Progress::~Progress() {
  if (shown_ > 0) fmt::print(stderr, "{}", knows_escapes(2) ? "\r\033[K" : fmt::format("\r{:{}}\r", "", shown_));
}

void Progress::update(std::uint64_t done, std::uint64_t total, std::string_view detail) {
  if (!terminal_ || total == 0) return;
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  if (elapsed < 1 || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? glyphs().done : glyphs().left;
  std::string rest = fmt::format(" {:3.0f} %", share * 100);
  if (unit_ == Unit::bytes) rest += fmt::format("  {}/s", human_bytes(static_cast<double>(done) / elapsed));
  if (!detail.empty()) rest += fmt::format("  {}", detail);
  if (share > 0.01) rest += fmt::format("  {:.0f} s left", elapsed * (1 - share) / share);
  // What the line before had more is wiped, with blanks where there is no other way.
  const std::size_t length = title_.size() + 1 + width + rest.size(), more = shown_ > length ? shown_ - length : 0;
  fmt::print(stderr, "\r{} {}{}{}", title_, bar, rest, knows_escapes(2) ? "\033[K" : std::string(more, ' '));
  shown_ = std::max<std::size_t>(1, length);
  std::fflush(stderr);
}

}  // namespace fathom
