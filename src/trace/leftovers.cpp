// SPDX-License-Identifier: Apache-2.0
#include "trace/leftovers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "trace_format/call_table.h"
#include "trace_format/columns.h"
#include "trace_format/process_text.h"

namespace fathom::trace {
namespace {

namespace fs = std::filesystem;

std::int64_t clock_now(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

ClockPair clocks_now(ClockKind kind) {
  ClockPair pair{};
  pair.monotonic = clock_now(CLOCK_MONOTONIC);
  pair.ticks = kind == ClockKind::tsc ? __rdtsc() : static_cast<std::uint64_t>(pair.monotonic);
  pair.realtime = clock_now(CLOCK_REALTIME);
  return pair;
}

/// A memory file in memory, whatever it holds.
class MemoryFile {
 public:
  explicit MemoryFile(const fs::path& path, std::size_t most = SIZE_MAX) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    struct stat about {};
    if (::fstat(fd, &about) == 0 && static_cast<std::size_t>(about.st_size) >= first_chunk_at) {
      bytes_.resize(std::min(most, static_cast<std::size_t>(about.st_size)));
      std::size_t have = 0;
      for (ssize_t got; have < bytes_.size() && (got = ::pread(fd, bytes_.data() + have, bytes_.size() - have, static_cast<off_t>(have))) > 0;)
        have += static_cast<std::size_t>(got);
      if (have < bytes_.size()) bytes_.clear();
    }
    ::close(fd);
  }

  /// Null if this is no memory file of this version.
  const ProcessHeader* header() const {
    if (bytes_.size() < first_chunk_at) return nullptr;
    const auto* const header = reinterpret_cast<const ProcessHeader*>(bytes_.data());
    return header->magic == memory_magic && header->version == format_version ? header : nullptr;
  }
  const ChunkHeader* chunk(std::uint32_t number) const {
    const std::size_t at = first_chunk_at + number * chunk_bytes;
    return at + chunk_bytes <= bytes_.size() ? reinterpret_cast<const ChunkHeader*>(bytes_.data() + at) : nullptr;
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

struct Range {
  std::uint32_t from, until;
};

/// Slots that were written and not drained. Nobody writes any more: an empty slot inside a full chunk is one that never will be.
Range undrained(const ChunkHeader& chunk) {
  const ChunkState state = chunk.state.load();
  if (state == ChunkState::free || chunk.drained >= chunk_slots) return {0, 0};
  const std::uint32_t limit = state == ChunkState::full ? std::min(chunk.used, chunk_slots) : chunk_slots;
  const Record* const slots = slots_of(&chunk);
  const auto from = static_cast<std::uint32_t>(chunk.drained);
  std::uint32_t until = from;
  for (std::uint32_t i = from; i < limit;) {
    const std::uint32_t length = slots[i].call == slot_define ? 1u + slots[i].depth : 1u;
    if (i + length > limit) break;
    i += length;
    if (slots[i - length].call != slot_empty) until = i;
  }
  return {from, std::max(from, until)};
}

class TraceFile {
 public:
  explicit TraceFile(fs::path path) : path_(std::move(path)) {}

  Result<void> append(const std::uint8_t* block, std::size_t bytes) const {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd >= 0 && ::lseek(fd, 0, SEEK_END) == 0) write_calls(fd);
    const ssize_t wrote = fd < 0 ? -1 : ::write(fd, block, bytes);
    const int trouble = errno;
    if (fd >= 0) ::close(fd);
    if (wrote == static_cast<ssize_t>(bytes)) return {};
    return Error{ErrorKind::unwritable, fmt::format("adding to the trace: {} ({})", wrote < 0 ? std::strerror(trouble) : "no space left on the device", path_.string())};
  }

 private:
  /// A trace begins with what its numbers of calls mean; a process that was killed early has not written that yet.
  static void write_calls(int fd) {
    std::size_t length = 0;
    const char* const text = call_table_text(length);
    BlockHeader header{};
    header.kind = BlockKind::calls;
    header.first = call_table_hash();
    std::vector<std::uint8_t> block(sizeof header + length);
    [[maybe_unused]] const ssize_t wrote = ::write(fd, block.data(), encode_text_block(header, text, length, block.data()));
  }

  fs::path path_;
};

Result<void> take(const MemoryFile& memory, const TraceFile& trace, Leftovers& found) {
  const ProcessHeader& header = *memory.header();
  static const auto encoder = [] {
    auto made = std::make_unique<Encoder>();
    start_encoder(*made);
    return made;
  }();
  std::vector<std::uint8_t> block(block_bound);
  BlockHeader base{};
  base.process = header.process;
  base.tick_shift = header.clock == ClockKind::tsc ? 3 : 2;
  bool any = false;
  for (std::uint32_t i = 0; i < std::min(header.chunks.load(), most_chunks); ++i) {
    const ChunkHeader* const chunk = memory.chunk(i);
    if (!chunk) break;
    const Range range = undrained(*chunk);
    if (range.from == range.until) continue;
    BlockHeader records = base;
    records.thread = chunk->thread;
    records.first = chunk->first + range.from;
    const std::size_t bytes = encode_block(*encoder, records, slots_of(chunk) + range.from, range.until - range.from, block.data());
    TRY_VOID(trace.append(block.data(), bytes));
    BlockHeader written;
    std::memcpy(&written, block.data(), sizeof written);
    found.records += written.records;
    any = true;
  }
  if (header.finished.load() && !any) return {};
  if (!header.finished.load()) ++found.killed;
  BlockHeader description = base;
  description.kind = BlockKind::process;
  auto text = std::make_unique<ProcessText>();
  describe_process(header, clocks_now(header.clock), *text);
  return trace.append(block.data(), encode_text_block(description, text->data, text->size, block.data()));
}

bool runs(std::uint32_t pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM; }

/// A zombie answers signals, but writes no more.
bool is_zombie(std::uint32_t pid) {
  const int fd = ::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  char line[512] = {};
  const ssize_t got = ::read(fd, line, sizeof line - 1);
  ::close(fd);
  const char* const end = got > 0 ? std::strrchr(line, ')') : nullptr;
  return end && (end[2] == 'Z' || end[2] == 'X');
}

}  // namespace

Result<Leftovers> collect_leftovers(const fs::path& memory, const fs::path& trace) {
  Leftovers found;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(memory, problem)) {
    const fs::path path = entry.path();
    if (path.extension() == ".taken" || path.filename() == "told") continue;
    std::uint32_t pid = 0;
    {
      const MemoryFile look(path, first_chunk_at);
      if (!look.header()) continue;  // just being made, or not ours
      pid = look.header()->pid;
    }
    if (runs(pid) && !is_zombie(pid)) {
      ++found.alive;
      continue;
    }
    // Whoever renames it has it.
    const fs::path mine = path.string() + fmt::format(".{}.taken", ::getpid());
    fs::rename(path, mine, problem);
    if (problem) continue;
    const MemoryFile file(mine);
    if (!file.header()) {
      ++found.damaged;
      continue;
    }
    if (file.header()->finished.load() == 2) {
      fs::remove(mine, problem);
      continue;
    }
    const char* const output = file.header()->output;
    const fs::path target = *output ? trace / fs::path(std::string(output, strnlen(output, sizeof file.header()->output))).filename() : trace / "leftovers.fathom";
    TRY_VOID(take(file, TraceFile(target), found));
    ++found.processes;
    fs::remove(mine, problem);
  }
  return found;
}

}  // namespace fathom::trace
