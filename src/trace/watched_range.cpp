// SPDX-License-Identifier: Apache-2.0
#include "trace/watched_range.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace fathom::trace {

// The handler may come at any moment in any thread, so it takes no lock: ranges are in a list that only grows, and are used again.
struct WatchedRange {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> taken{true};
  WatchedRange* next = nullptr;
};

namespace {

std::atomic<WatchedRange*> ranges{nullptr};
struct sigaction before;
std::uintptr_t page_size;

/// Zeros from the page of `address` to the end of its range; false if it lies in none.
bool make_zeros(std::uintptr_t address) {
  for (WatchedRange* range = ranges.load(std::memory_order_acquire); range != nullptr; range = range->next) {
    const std::uintptr_t end = range->end.load(std::memory_order_acquire);  // first: it is set last
    const std::uintptr_t begin = range->begin.load(std::memory_order_acquire);
    if (address < begin || address >= end) continue;
    const std::uintptr_t page = address / page_size * page_size;
    void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return zeros != MAP_FAILED;
  }
  return false;
}

void on_missing_page(int signal, siginfo_t* details, void* context) {
  const int kept = errno;
  const bool done = make_zeros(reinterpret_cast<std::uintptr_t>(details->si_addr));
  errno = kept;
  if (done) return;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, details, context);
  // Whatever it is, it is not ours: the same instruction comes again, and ends the program as it would have.
  ::sigaction(SIGBUS, &before, nullptr);
}

void listen() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_missing_page;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, nullptr, &before);
    ::sigaction(SIGBUS, &action, nullptr);
  });
}

WatchedRange* free_range() {
  for (WatchedRange* range = ranges.load(std::memory_order_acquire); range != nullptr; range = range->next)
    if (bool taken = false; range->taken.compare_exchange_strong(taken, true)) return range;
  auto* const range = new WatchedRange;  // stays for as long as the program runs
  range->next = ranges.load(std::memory_order_relaxed);
  while (!ranges.compare_exchange_weak(range->next, range, std::memory_order_release, std::memory_order_relaxed)) {
  }
  return range;
}

}  // namespace

WatchedRange* watch(const void* data, std::size_t size) {
  listen();
  WatchedRange* const range = free_range();
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  range->begin.store(begin, std::memory_order_release);
  range->end.store(begin + size, std::memory_order_release);
  return range;
}

void unwatch(WatchedRange* range) {
  range->end.store(0, std::memory_order_release);  // an empty range has no address
  range->taken.store(false, std::memory_order_release);
}

}  // namespace fathom::trace
