// SPDX-License-Identifier: Apache-2.0
/// Trace directories made from a description, for tests: processes, their files and calls, as the tracer would write them.
///
///   MadeTrace made;
///   MadeProcess& rank = made.process({.rank = 0, .ranks = 1});
///   const auto file = rank.open_file("/data/a");
///   rank.call(CallId::pwrite, 1000, 3000, {.object = file, .offset = 0, .bytes = 4096});
///   const auto trace = open_trace(made.write());
///
/// Times are nanoseconds from `made_epoch`: an event's start comes out as made_epoch + 1000.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/made_folder.h"
#include "trace/block_writer.h"
#include "trace_format/call.h"
#include "trace_format/columns.h"

namespace fathom::trace {

inline constexpr std::int64_t made_epoch = 1'700'000'000'000'000'000;
inline constexpr std::int64_t made_monotonic = 5'000'000'000'000;  // what the monotonic clock shows at made_epoch

/// A process to make; its clocks can be wrong on purpose.
struct MadeOptions {
  int rank = -1;
  int ranks = 0;
  std::string host = "node1";
  std::uint32_t pid = 0;  // 0: the next
  std::uint32_t parent_pid = 1;
  std::int64_t start = 0, end = 1'000'000'000;
  bool ends_well = true;
  double ticks_per_ns = 0;          // 0: the clock is the monotonic one
  std::int64_t realtime_ahead = 0;  // what the host's clocks of the day are wrong by
};

struct MadeCall {
  std::uint32_t object = 0;
  std::int64_t offset = no_offset;
  std::uint64_t bytes = no_bytes;
  std::optional<std::int64_t> result = {};  // of none: all bytes, or 0
  std::uint8_t depth = 0;
  std::uint8_t detail = 0;
  std::uint32_t thread = 0;
};

struct MadeFile {
  std::uint64_t inode = 0;  // 0: made from the path
  std::uint64_t device = 66;
  std::int64_t size = 0;
  FileKind kind = FileKind::regular;
  std::uint32_t open_flags = 2;   // O_RDWR
  std::uint32_t relative_to = 0;  // number of a directory
  std::uint32_t thread = 0;
};

class MadeProcess {
 public:
  MadeProcess(std::uint64_t id, MadeOptions options) : id_(id), options_(std::move(options)) {
    const auto& o = options_;
    set("process", fmt::format("{:x}", id_)), set("pid", o.pid), set("ppid", o.parent_pid), set("parent", 0), set("inherited", 0);
    set("host", o.host), set("boot", "boot-of-" + o.host), set("user", "someone"), set("exe", "/usr/bin/app"),
        set("command",
            "app\x1f-n\x1f"
            "4");
    set("cwd", "/work"), set("rank", o.rank), set("ranks", o.ranks), set("clock", o.ticks_per_ns == 0 ? "monotonic" : "tsc");
    set_clocks("start", o.start);
    if (o.ends_well) set_clocks("end", o.end);
    set_clocks("now", o.end);
    set("waits", 0), set("lost", 0), set("job", "4711"), set("job_source", "slurm");
  }

  std::uint64_t id() const { return id_; }
  const MadeOptions& options() const { return options_; }
  /// A key of the process block.
  template <class Value>
  void set(std::string_view key, const Value& value) {
    keys_[std::string(key)] = fmt::format("{}", value);
  }
  void unset(const std::string& key) { keys_.erase(key); }
  std::uint64_t ticks(std::int64_t t) const {
    const double rate = options_.ticks_per_ns == 0 ? 1 : options_.ticks_per_ns;
    const std::int64_t monotonic = made_monotonic + t;
    return rate == 1 ? static_cast<std::uint64_t>(monotonic)
                     : static_cast<std::uint64_t>(static_cast<long double>(rate) * static_cast<long double>(monotonic));
  }
  void set_clocks(std::string_view name, std::int64_t t) {
    set(fmt::format("{}_ticks", name), ticks(t));
    set(fmt::format("{}_monotonic", name), made_monotonic + t);
    set(fmt::format("{}_realtime", name), made_epoch + options_.realtime_ahead + t);
  }
  /// The barriers of MPI_Init and MPI_Finalize.
  void set_barriers(std::int64_t zero, std::int64_t last) {
    set("zero_ticks", ticks(zero));
    set("last_ticks", ticks(last));
  }

  std::uint32_t directory(std::string_view path, std::uint32_t thread = 0) { return define(DefinitionKind::directory, path, {}, thread); }
  std::uint32_t path(std::string_view name, std::uint32_t relative_to = 0, std::uint32_t thread = 0) {
    Definition definition{};
    definition.parent = relative_to;
    return define(DefinitionKind::path, name, definition, thread);
  }
  /// The definitions of an open file; gives the number of its handle.
  std::uint32_t open_file(std::string_view name, MadeFile file = {}) {
    Definition handle{};
    handle.parent = path(name, file.relative_to, file.thread);
    handle.inode = file.inode != 0 ? file.inode : std::hash<std::string_view>{}(name) | 1;
    handle.device = file.device;
    handle.size = file.size;
    handle.open_flags = file.open_flags;
    handle.detail = static_cast<std::uint32_t>(file.kind);
    return define(DefinitionKind::handle, "", handle, file.thread);
  }
  void hint(std::uint32_t handle, std::string_view text, std::uint32_t thread = 0) {
    Definition definition{};
    definition.parent = handle;
    define(DefinitionKind::hint, text, definition, thread);
  }
  void note(std::string_view text) { define(DefinitionKind::note, text, {}, 0); }
  /// Says that a thread began inside an MPI call.
  void inner_thread(std::uint32_t thread) {
    Definition definition{};
    definition.parent = 1;
    define(DefinitionKind::thread, "", definition, thread);
  }
  std::uint32_t define(DefinitionKind kind, std::string_view text, Definition definition, std::uint32_t thread) {
    definition.kind = kind;
    definition.object = next_object++;
    add_definition(threads[thread], definition, text);
    return definition.object;
  }

  /// Calls of a thread are given in the order in which they end.
  void call(CallId id, std::int64_t from, std::int64_t to, MadeCall call = {}) {
    Record record{};
    record.start = ticks(from);
    record.duration = ticks(to) - record.start;
    record.offset = call.offset;
    record.bytes = call.bytes;
    record.result = call.result.value_or(call.bytes == no_bytes ? 0 : static_cast<std::int64_t>(call.bytes));
    record.object = call.object;
    record.call = static_cast<std::uint16_t>(id);
    record.depth = call.depth;
    record.detail = call.detail;
    threads[call.thread].push_back(record);
  }

  std::string text() const {
    std::string all;
    for (const auto& [key, value] : keys_) all += fmt::format("{}={}\n", key, value);
    return all;
  }

  std::map<std::uint32_t, std::vector<Record>> threads;  // slots in order
  std::uint32_t next_object = 1;

 private:
  std::uint64_t id_;
  MadeOptions options_;
  std::map<std::string, std::string> keys_;
};

/// What the numbers of calls mean in this version, as a calls block says it.
inline std::string made_calls_text() {
  std::string text;
  for (std::size_t i = 0; i < all_calls.size(); ++i)
    text +=
        fmt::format("{} {} {} {}\n", first_call + i, all_calls[i].name, interface_names[static_cast<std::size_t>(all_calls[i].interface)],
                    operation_names[static_cast<std::size_t>(all_calls[i].operation)]);
  return text;
}

using MadeBlocks = BlockWriter;

/// The bytes of a memory file with all slots of a process; `filling`: the last chunk of each thread is not full yet.
inline std::string made_memory_file(const MadeProcess& process, bool filling = true, ChunkState last_state = ChunkState::filling) {
  std::string chunks;
  std::uint32_t count = 0;
  for (const auto& [thread, slots] : process.threads) {
    for (std::size_t at = 0; at < slots.size();) {
      const std::size_t n = whole_slots(slots, at, chunk_slots);
      const bool last = at + n == slots.size();
      std::string bytes(chunk_bytes, '\0');
      auto* chunk = reinterpret_cast<ChunkHeader*>(bytes.data());
      chunk->magic = chunk_magic;
      chunk->state = last && filling ? last_state : ChunkState::full;
      chunk->thread = thread;
      chunk->used = static_cast<std::uint32_t>(last && filling ? 0 : n);
      chunk->first = at;
      std::memcpy(bytes.data() + sizeof(ChunkHeader), slots.data() + at, n * sizeof(Record));
      chunks += bytes;
      at += n;
      ++count;
    }
  }
  std::string file(first_chunk_at, '\0');
  auto* header = reinterpret_cast<ProcessHeader*>(file.data());
  const MadeOptions& options = process.options();
  header->magic = memory_magic;
  header->version = format_version;
  header->process = process.id();
  header->pid = options.pid;
  header->clock = options.ticks_per_ns == 0 ? ClockKind::monotonic_ns : ClockKind::tsc;
  header->start = {process.ticks(options.start), made_monotonic + options.start, made_epoch + options.realtime_ahead + options.start};
  header->rank = options.rank;
  header->ranks = options.ranks;
  header->chunks = count;
  const std::string text = process.text();
  header->text_bytes = static_cast<std::uint32_t>(text.size());
  std::memcpy(file.data() + text_at, text.data(), text.size());
  return file + chunks;
}

/// A trace directory below the system's temporary one; gone with the object.
class MadeTrace {
 public:
  MadeProcess& process(MadeOptions options = {}) {
    const auto number = processes.size() + 1;
    if (options.pid == 0) options.pid = static_cast<std::uint32_t>(1000 + number);
    return processes.emplace_back(0xf00d000 + number, std::move(options));
  }

  /// All blocks of a process: who it is, what calls mean, its records with at most `block_slots` slots each.
  std::string blocks_of(const MadeProcess& process) {
    std::string all =
        make.text(BlockKind::process, process.id(), process.text()) + make.text(BlockKind::calls, process.id(), made_calls_text());
    for (const auto& [thread, slots] : process.threads) {
      for (std::size_t at = 0; at < slots.size();) {
        const std::size_t n = whole_slots(slots, at, block_slots);
        all += make.records(process.id(), thread, at, slots.data() + at, n, tick_shift);
        at += n;
      }
    }
    return all;
  }

  /// Writes one file for each host; gives the directory.
  const std::filesystem::path& write() {
    for (const MadeProcess& process : processes) add(process.options().host + ".fathom", blocks_of(process));
    return directory;
  }
  void add(const std::string& file, std::string_view bytes) const {
    std::ofstream(directory / file, std::ios::binary | std::ios::app) << bytes;
  }

  MadeFolder folder;
  std::filesystem::path directory = folder.path();
  std::deque<MadeProcess> processes;
  std::size_t block_slots = 1000;
  std::uint32_t tick_shift = 0;
  MadeBlocks make;
};

}  // namespace fathom::trace
