// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_trace.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "trace/block_writer.h"
#include "trace_format/call.h"
#include "trace_format/call_table.h"

namespace fathom::quayside {
namespace {

using trace::SliceCounter;

constexpr std::int64_t slice_length = 1'000'000'000;  // nanoseconds
constexpr std::size_t slots_per_block = 4096;
constexpr std::size_t rows_per_block = trace::ring_slices;
constexpr std::string_view file_names[] = {"mesh.in", "state.0", "state.1"};

std::uint64_t process_id(std::uint32_t rank) { return 0x7469646100000000u + rank; }

trace::CallId call_id(ClientKind kind) {
  switch (kind) {
    case ClientKind::open: return trace::CallId::open;
    case ClientKind::read: return trace::CallId::pread;
    case ClientKind::write: return trace::CallId::pwrite;
    case ClientKind::close: break;
  }
  return trace::CallId::close;
}

void count(trace::SliceValues& values, SliceCounter counter, std::uint64_t amount) { values[static_cast<std::size_t>(counter)] += amount; }

}  // namespace

TraceFolder::TraceFolder(const PlannedJob& job) : job_(job), ranks_(ranks) {
  for (Rank& rank : ranks_) {
    trace::Definition thread{};
    thread.kind = trace::DefinitionKind::thread;
    thread.object = ++rank.objects;
    trace::add_definition(rank.slots, thread, "");
  }
}

/// Nodes did not start at the same time, so their monotonic clocks differ.
std::uint64_t TraceFolder::ticks(std::int64_t nanoseconds, std::uint32_t rank) const {
  return static_cast<std::uint64_t>(nanoseconds - log_start * 1000) + (900 + 7 * node_of(rank)) * std::uint64_t{1'000'000'000};
}

/// The definitions that the tracer writes when a file is opened.
void TraceFolder::define_file(Rank& rank, ClientFile file) {
  const auto which = static_cast<std::size_t>(file);
  trace::Definition path{};
  path.kind = trace::DefinitionKind::path;
  path.object = ++rank.objects;
  trace::add_definition(rank.slots, path, fmt::format("/{}/oc12/tidal/{}", filesystem, file_names[which]));
  trace::Definition handle{};
  handle.kind = trace::DefinitionKind::handle;
  handle.parent = path.object;
  handle.inode = 0x200000400 + 16 * job_.id + which;
  handle.device = 0x2c54f966;
  handle.size = file == ClientFile::input ? static_cast<std::int64_t>(input_bytes) : 0;
  handle.open_flags = file == ClientFile::input ? 0 : 2 | 64;  // O_RDONLY; O_RDWR | O_CREAT
  handle.detail = static_cast<std::uint32_t>(trace::FileKind::regular);
  handle.object = ++rank.objects;
  trace::add_definition(rank.slots, handle, "");
  rank.open_file = handle.object;
}

void TraceFolder::take(const ClientCall& call) {
  Rank& rank = ranks_[call.rank];
  const bool moves = call.kind == ClientKind::read || call.kind == ClientKind::write;
  if (call.kind == ClientKind::open) define_file(rank, call.file);
  trace::Record record{};
  record.start = ticks(call.start, call.rank);
  record.duration = static_cast<std::uint64_t>(call.end - call.start);
  record.offset = moves ? static_cast<std::int64_t>(call.offset) : trace::no_offset;
  record.bytes = moves ? call.bytes : trace::no_bytes;
  record.result = moves ? static_cast<std::int64_t>(call.bytes) : call.kind == ClientKind::open ? 3 : 0;
  record.object = rank.open_file;
  record.call = static_cast<std::uint16_t>(call_id(call.kind));
  if (call.kind == ClientKind::open)
    record.detail = call.file == ClientFile::input ? trace::open_reads : trace::open_reads | trace::open_writes;
  rank.slots.push_back(record);
  add_to_slices(rank, call);
}

/// As the tracer does it: bytes and times are shared out over the slices that the call ran in, calls count where they ended.
void TraceFolder::add_to_slices(Rank& rank, const ClientCall& call) {
  const std::int64_t last = call.end / slice_length;
  const auto length = static_cast<std::uint64_t>(call.end - call.start);
  std::uint64_t given = 0;
  for (std::int64_t slice = call.start / slice_length; slice <= last; ++slice) {
    const auto inside =
        static_cast<std::uint64_t>(std::min(call.end, (slice + 1) * slice_length) - std::max(call.start, slice * slice_length));
    const std::uint64_t bytes = slice == last ? call.bytes - given : call.bytes * inside / length;
    given += bytes;
    trace::SliceValues& values = rank.slices[slice];
    count(values, SliceCounter::io_time, inside);
    if (call.kind == ClientKind::read) count(values, SliceCounter::read_bytes, bytes), count(values, SliceCounter::read_time, inside);
    if (call.kind == ClientKind::write) count(values, SliceCounter::write_bytes, bytes), count(values, SliceCounter::write_time, inside);
  }
  static constexpr SliceCounter ended[] = {SliceCounter::opens, SliceCounter::read_calls, SliceCounter::write_calls,
                                           SliceCounter::other_calls};
  count(rank.slices[last], ended[static_cast<std::size_t>(call.kind)], 1);
}

std::string TraceFolder::description(std::uint32_t rank) const {
  std::string text;
  const auto line = [&](std::string_view key, const auto& value) { text += fmt::format("{}={}\n", key, value); };
  const auto clocks = [&](std::string_view which, Micros t) {
    line(fmt::format("{}_ticks", which), ticks(t * 1000, rank));
    line(fmt::format("{}_monotonic", which), ticks(t * 1000, rank));
    line(fmt::format("{}_realtime", which), t * 1000);
  };
  line("process", fmt::format("{:x}", process_id(rank)));
  line("pid", 21'000 + rank);
  line("ppid", 20'990);
  line("parent", 0);
  line("inherited", 0);
  line("host", node_name(node_of(rank)));
  line("boot", fmt::format("{:08x}-harbour", 0x5eed0000 + node_of(rank)));
  line("user", job_.application->user);
  line("exe", "/opt/tidal/bin/tidal");
  line("command",
       "tidal\x1f--mesh\x1fmesh.in\x1f--checkpoint\x1f"
       "240");
  line("cwd", fmt::format("/{}/oc12/tidal", filesystem));
  line("rank", rank);
  line("ranks", ranks);
  line("clock", "monotonic");
  line("calls", fmt::format("{:x}", trace::call_table_hash()));
  clocks("start", job_.start + second);
  clocks("now", job_.end - second);
  clocks("end", job_.end - second);
  line("zero_ticks", ticks((job_.start + 2 * second) * 1000, rank));
  line("last_ticks", ticks((job_.end - 2 * second) * 1000, rank));
  line("waits", 0);
  line("lost", 0);
  line("job", job_.id);
  line("job_source", "SLURM_JOB_ID");
  return text;
}

Result<void> TraceFolder::write(const std::string& folder) const {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{ErrorKind::unwritable, fmt::format("making the directory {}: {}", folder, failed.message())};
  trace::BlockWriter blocks;
  std::size_t table_bytes = 0;
  const char* const table = trace::call_table_text(table_bytes);
  for (std::uint32_t node = 0; node < ranks / ranks_per_node; ++node) {
    const std::string path = fmt::format("{}/{}.fathom", folder, node_name(job_.first_node + node));
    std::ofstream file(path, std::ios::binary);
    for (std::uint32_t r = node; r < ranks; r += ranks / ranks_per_node) {
      const Rank& rank = ranks_[r];
      const std::uint64_t id = process_id(r);
      file << blocks.text(trace::BlockKind::process, id, description(r)) << blocks.text(trace::BlockKind::calls, id, {table, table_bytes});
      for (std::size_t at = 0; at < rank.slots.size();) {
        const std::size_t n = trace::whole_slots(rank.slots, at, slots_per_block);
        file << blocks.records(id, 0, at, rank.slots.data() + at, n);
        at += n;
      }
      std::vector<trace::SliceRow> rows;
      for (const auto& [number, values] : rank.slices) rows.push_back({number, values});
      for (std::size_t at = 0; at < rows.size(); at += rows_per_block)
        file << blocks.slices(id, at / rows_per_block, slice_length,
                              {rows.begin() + static_cast<std::ptrdiff_t>(at),
                               rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), at + rows_per_block))});
    }
    file.close();
    if (!file) return Error{ErrorKind::unwritable, fmt::format("writing {}", path)};
  }
  return {};
}

}  // namespace fathom::quayside
