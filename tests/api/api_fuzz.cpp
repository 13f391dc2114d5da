// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes choose to ask, the API answers or refuses clearly.
#include <cstdio>
#include <cstdlib>

#include "asker.h"

// Leaks are looked for after every question here, while threads of the engine are at work on others: what a running query holds is taken
// for lost. api_questions looks for them at the end; the benchmark of the dashboard measures its memory.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::api_test;
  static const auto asker = [] {
    auto opened = Asker::open();
    if (!opened) {
      std::fprintf(stderr, "%s\n", opened.error().message.c_str());
      std::exit(1);
    }
    return *std::move(opened);
  }();
  asker->ask(Choices({data, size}));
  return 0;
}
