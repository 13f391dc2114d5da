// SPDX-License-Identifier: Apache-2.0
#include "bench/task.h"

#include <fmt/format.h>

#include <cassert>
#include <chrono>
#include <cstring>
#include <ctime>
#include <memory>
#include <new>
#include <thread>
#include <type_traits>

#include "bench/byte_pattern.h"

namespace fathom {
namespace {

std::int64_t clock_reading(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

class Task {
 public:
  Task(const BenchParameters& parameters, std::string path, const FathomFileAccess& access, const FathomTaskGroup& group)
      : parameters_(parameters), path_(std::move(path)), access_(access), group_(group), pattern_(parameters.seed, group.rank) {
    outcome_.task = group.rank;
    outcome_.calls.reserve(2 * parameters.count + 5);  // no growing between two requests
    buffer_.reset(new (std::nothrow) std::byte[parameters.size]);
    if (!buffer_) fail("preparing", "not enough memory for one request");
    first_offset_ = first_offset(parameters, group.rank);
  }

  TaskOutcome run() {
    if (group_.any_failed(group_.context, !outcome_.failure.empty()) != 0) return stopped();
    if (!phase(BenchPhase::write)) return stopped();
    std::this_thread::sleep_for(std::chrono::duration<double>(parameters_.pause_seconds));
    if (!phase(BenchPhase::read)) return stopped();
    return std::move(outcome_);
  }

 private:
  TaskOutcome stopped() {
    outcome_.stopped = true;
    return std::move(outcome_);
  }

  /// False when this task or another one failed; all tasks leave a phase together.
  bool phase(BenchPhase phase) {
    phase_ = phase;
    const std::int64_t begin = clock_reading(CLOCK_MONOTONIC);
    if (open()) {
      if (move_all() || keeps_step()) sync();
      close();
    }
    outcome_.elapsed[static_cast<std::size_t>(phase)] = clock_reading(CLOCK_MONOTONIC) - begin;
    return group_.any_failed(group_.context, !outcome_.failure.empty()) == 0;
  }

  /// Other tasks wait in the same calls, whatever became of this one's.
  bool keeps_step() const { return access_.collective != 0 && parameters_.layout == BenchLayout::shared; }

  bool open() {
    const bool shared = parameters_.layout == BenchLayout::shared;
    const int mode =
        phase_ == BenchPhase::write ? (shared ? fathom_create_shared : fathom_create_own) : (shared ? fathom_read_shared : fathom_read_own);
    const int code =
        timed(BenchCall::open, 0, [&](std::uint64_t&) { return access_.open(access_.context, path_.c_str(), mode, &handle_); });
    return code == 0 || refuse("opening", code);
  }

  bool sync() {
    if (!parameters_.sync || phase_ == BenchPhase::read) return true;
    const int code = timed(BenchCall::sync, 0, [&](std::uint64_t&) { return access_.sync(access_.context, handle_); });
    return code == 0 || refuse("syncing", code);
  }

  /// A file system may tell at the close that a write failed.
  void close() {
    const int code = timed(BenchCall::close, 0, [&](std::uint64_t&) { return access_.close(access_.context, handle_); });
    if (code != 0) refuse("closing", code);
  }

  bool move_all() {
    RequestSequence sizes(parameters_, group_.rank);
    std::uint64_t offset = first_offset_;
    for (std::uint64_t i = 0; i < parameters_.count; ++i) {
      const std::span<std::byte> bytes(buffer_.get(), sizes.next());
      if (phase_ == BenchPhase::write) pattern_.fill(bytes, offset);
      const bool good = move(bytes, offset) && (phase_ == BenchPhase::write || compare(bytes, offset));
      if (!good && !keeps_step()) return false;
      offset += bytes.size();
    }
    return outcome_.failure.empty();
  }

  /// One request; more of them where the file system takes or gives only a part at a time.
  bool move(std::span<std::byte> bytes, std::uint64_t offset) {
    const bool writing = phase_ == BenchPhase::write;
    while (!bytes.empty()) {
      std::uint64_t moved = 0;
      const int code = timed(writing ? BenchCall::write : BenchCall::read, offset, [&](std::uint64_t& done) {
        const int status = writing ? access_.write_at(access_.context, handle_, offset, bytes.data(), bytes.size(), &done)
                                   : access_.read_at(access_.context, handle_, offset, bytes.data(), bytes.size(), &done);
        moved = done;
        return status;
      });
      if (code != 0 || moved == 0 || moved > bytes.size() || (moved < bytes.size() && keeps_step())) {
        const std::string attempt = fmt::format("{} {} bytes at offset {} of", writing ? "writing" : "reading", bytes.size(), offset);
        if (code != 0) return refuse(attempt, code);
        if (moved > 0) return fail(attempt, fmt::format("{} bytes were moved", moved));
        return fail(attempt, writing ? "nothing was written" : "the file ends there");
      }
      bytes = bytes.subspan(moved);
      offset += moved;
    }
    return true;
  }

  bool compare(std::span<const std::byte> bytes, std::uint64_t offset) {
    const auto good = pattern_.first_difference(bytes, offset);
    if (!good) return true;
    return fail("comparing what was read from",
                fmt::format("the byte at offset {} is {:#04x}, {:#04x} was written", offset + *good, static_cast<unsigned>(bytes[*good]),
                            static_cast<unsigned>(pattern_.at(offset + *good))));
  }

  /// Runs one call between two looks at the clocks. A call that failed is not in the truth.
  template <class Run>
  int timed(BenchCall call, std::uint64_t offset, Run run) {
    TimedCall one{.phase = phase_, .call = call, .offset = offset};
    one.start = clock_reading(CLOCK_REALTIME);
    const std::int64_t begin = clock_reading(CLOCK_MONOTONIC);
    const int code = run(one.bytes);
    one.duration = clock_reading(CLOCK_MONOTONIC) - begin;
    one.end = clock_reading(CLOCK_REALTIME);
    if (code == 0) outcome_.calls.push_back(one);
    return code;
  }

  bool refuse(std::string_view attempt, int code) {
    char text[256] = "";
    access_.explain(access_.context, code, text, sizeof text);
    return fail(attempt, text);
  }

  bool fail(std::string_view attempt, std::string_view why) {
    if (outcome_.failure.empty()) outcome_.failure = fmt::format("{} {}: {} (task {})", attempt, path_, why, group_.rank);
    return false;  // what fails after the first failure fails because of it
  }

  const BenchParameters& parameters_;
  std::string path_;
  const FathomFileAccess& access_;
  const FathomTaskGroup& group_;
  BytePattern pattern_;
  std::unique_ptr<std::byte[]> buffer_;
  std::uint64_t first_offset_ = 0;
  BenchPhase phase_ = BenchPhase::write;
  void* handle_ = nullptr;
  TaskOutcome outcome_;
};

struct PackedHead {
  std::uint64_t calls = 0;
  std::array<std::int64_t, 2> elapsed{};
  std::uint64_t stopped = 0;
};
static_assert(std::is_trivially_copyable_v<TimedCall> && std::is_trivially_copyable_v<PackedHead>);

}  // namespace

TaskOutcome run_task(const BenchParameters& parameters, const std::string& directory, const FathomFileAccess& access,
                     const FathomTaskGroup& group) {
  return Task(parameters, directory + "/" + data_file_name(parameters, group.rank), access, group).run();
}

std::string packed(const TaskOutcome& outcome) {
  const PackedHead head{outcome.calls.size(), outcome.elapsed, outcome.stopped};
  std::string bytes(sizeof head + outcome.calls.size() * sizeof(TimedCall), '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  if (!outcome.calls.empty()) std::memcpy(bytes.data() + sizeof head, outcome.calls.data(), outcome.calls.size() * sizeof(TimedCall));
  return bytes + outcome.failure;
}

TaskOutcome unpacked(std::uint64_t task, std::string_view bytes) {
  TaskOutcome outcome;
  outcome.task = task;
  PackedHead head;
  assert(bytes.size() >= sizeof head);
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  assert(bytes.size() >= head.calls * sizeof(TimedCall));
  outcome.calls.resize(head.calls);
  if (head.calls > 0) std::memcpy(outcome.calls.data(), bytes.data(), head.calls * sizeof(TimedCall));
  outcome.failure = bytes.substr(head.calls * sizeof(TimedCall));
  outcome.elapsed = head.elapsed;
  outcome.stopped = head.stopped != 0;
  return outcome;
}

}  // namespace fathom
