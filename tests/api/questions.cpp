// SPDX-License-Identifier: Apache-2.0
// Many questions by chance to the dashboard's API, in one process so that sanitizers see all of it: api_questions COUNT [SEED]
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <map>

#include "asker.h"
#include "base/random.h"

namespace {

std::uint64_t number(const char* text, std::uint64_t otherwise) {
  std::uint64_t value = otherwise;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fathom;
  const std::uint64_t count = argc > 1 ? number(argv[1], 1000) : 1000, seed = argc > 2 ? number(argv[2], 1) : 1;
  const auto asker = api_test::Asker::open();
  if (!asker) {
    fmt::print(stderr, "{}\n", asker.error().message);
    return 1;
  }
  std::map<unsigned, std::uint64_t> statuses;
  double slowest = 0;
  std::string slow;
  Random random(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(random.whole(0, 160)));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const auto begin = std::chrono::steady_clock::now();
    ++statuses[(*asker)->ask(api_test::Choices(bytes))];
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (took > slowest) slowest = took, slow = (*asker)->asked();
  }
  for (const auto& [status, times] : statuses) fmt::print("{:>8} {}\n", times, status);
  fmt::print("slowest: {:.3f} s for {}\n", slowest, slow);
  // Questions that never come far would show nothing.
  const std::uint64_t answered = statuses[200];
  if (answered * 8 < count) {
    fmt::print(stderr, "only {} of {} questions were answered\n", answered, count);
    return 1;
  }
  fmt::print("{} questions, {} of them answered, none in a way that may not be\n", count, answered);
}
