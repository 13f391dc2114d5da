// SPDX-License-Identifier: Apache-2.0
#include "trace/leftovers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "trace/mapped_file.h"
#include "trace/memory_reader.h"
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

class TraceFile {
 public:
  explicit TraceFile(fs::path path) : path_(std::move(path)) {}

  Result<void> append(const std::uint8_t* block, std::size_t bytes) const {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd >= 0 && ::lseek(fd, 0, SEEK_END) == 0) write_calls(fd);
    const ssize_t wrote = fd < 0 ? -1 : ::write(fd, block, bytes);
    const int trouble = errno;
    if (fd >= 0) ::close(fd);
    if (wrote == static_cast<ssize_t>(bytes)) return {};
    return Error{ErrorKind::unwritable, fmt::format("adding to the trace: {} ({})",
                                                    wrote < 0 ? std::strerror(trouble) : "no space left on the device", path_.string())};
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

/// The header of a memory file of this version; its text stands behind it.
const ProcessHeader* header_of(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < first_chunk_at) return nullptr;
  const auto* const header = reinterpret_cast<const ProcessHeader*>(bytes.data());
  return header->magic == memory_magic && header->version == format_version ? header : nullptr;
}

Result<void> take(const ProcessHeader& header, const Leftover& left, const TraceFile& trace, Leftovers& found) {
  static const auto encoder = [] {
    auto made = std::make_unique<Encoder>();
    start_encoder(*made);
    return made;
  }();
  std::vector<std::uint8_t> block(block_bound);
  BlockHeader base{};
  base.process = header.process;
  base.tick_shift = header.clock == ClockKind::tsc ? 3 : 2;
  for (const LeftoverSlots& chunk : left.chunks) {
    BlockHeader records = base;
    records.thread = chunk.thread;
    records.first = chunk.first;
    const std::size_t size =
        encode_block(*encoder, records, chunk.slots.data(), static_cast<std::uint32_t>(chunk.slots.size()), block.data());
    TRY_VOID(trace.append(block.data(), size));
    BlockHeader written;
    std::memcpy(&written, block.data(), sizeof written);
    found.records += written.records;
  }
  for (const std::string& slices : left.slice_blocks)
    TRY_VOID(trace.append(reinterpret_cast<const std::uint8_t*>(slices.data()), slices.size()));
  const bool ended_well = header.finished.load() != 0;
  if (ended_well && left.chunks.empty() && left.slice_blocks.empty()) return {};
  if (!ended_well) ++found.killed;
  BlockHeader description = base;
  description.kind = BlockKind::process;
  auto text = std::make_unique<ProcessText>();
  describe_process(header, clocks_now(header.clock), *text);
  return trace.append(block.data(), encode_text_block(description, text->data, text->size, block.data()));
}

bool runs(std::uint32_t pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM; }

/// A zombie answers signals, but writes no more; unless only its first thread has ended.
bool is_zombie(std::uint32_t pid) {
  std::error_code problem;
  const fs::directory_iterator threads(fmt::format("/proc/{}/task", pid), problem);
  if (!problem && std::distance(begin(threads), end(threads)) > 1) return false;
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
    const fs::path& path = entry.path();
    if (path.extension() == ".taken" || path.filename() == "told") continue;
    if (!fs::is_regular_file(entry.symlink_status(problem))) continue;  // a pipe would wait for ever
    const auto looked_at = MappedFile::open(path.string());
    const ProcessHeader* const alive = looked_at ? header_of(looked_at->bytes()) : nullptr;
    if (alive == nullptr) continue;  // just being made, or not ours
    if (runs(alive->pid) && !is_zombie(alive->pid)) {
      ++found.alive;
      continue;
    }
    // Whoever renames it has it.
    const fs::path mine = path.string() + fmt::format(".{}.taken", ::getpid());
    fs::rename(path, mine, problem);
    if (problem) continue;
    // Mapped anew: it may have grown before the process ended.
    TRY(const MappedFile file, MappedFile::open(mine.string()));
    const ProcessHeader* const header = header_of(file.bytes());
    if (header == nullptr) continue;
    const bool wanted = header->finished.load() != 2;
    if (const auto left = wanted ? read_memory_file(file.bytes()) : std::nullopt) {
      const std::string output(header->output, strnlen(header->output, sizeof header->output));
      const fs::path target = trace / (output.empty() ? "leftovers.fathom" : fs::path(output).filename());
      TRY_VOID(take(*header, *left, TraceFile(target), found));
    }
    ++found.processes;
    fs::remove(mine, problem);
  }
  return found;
}

}  // namespace fathom::trace
