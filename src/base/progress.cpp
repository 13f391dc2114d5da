// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "base/units.h"

namespace fathom {
namespace {
bool silent = false;
}

Progress::Progress(std::string title, Unit unit) : title_(std::move(title)), unit_(unit), terminal_(!silent && ::isatty(2) == 1) {}

void Progress::silence() { silent = true; }

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::uint64_t done, std::uint64_t total, std::string_view detail) {
  if (!terminal_ || total == 0) return;
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  if (elapsed < 1 || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  std::string rate = unit_ == Unit::bytes ? fmt::format("  {}/s", human_bytes(static_cast<double>(done) / elapsed)) : "";
  if (!detail.empty()) rate += fmt::format("  {}", detail);
  const std::string left = share > 0.01 ? fmt::format("  {:.0f} s left", elapsed * (1 - share) / share) : "";
  fmt::print(stderr, "\r{} {} {:3.0f} %{}{}\033[K", title_, bar, share * 100, rate, left);
  std::fflush(stderr);
}

}  // namespace fathom
