// SPDX-License-Identifier: Apache-2.0
// How fast a trace is read: merge_bench [EVENTS [RANKS [FILES [DIR]]]] makes one (and keeps it in DIR) with the tracer's encoder (durations
// and pauses vary as on a busy file system; a third of the calls are POSIX calls inside MPI-IO calls) and walks through all of it in order
// of time.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/own_use.h"
#include "base/random.h"
#include "trace/trace.h"
#include "trace_format/call_table.h"
#include "trace_format/columns.h"

namespace fathom::trace {
namespace {

constexpr double ticks_per_ns = 2.4;
constexpr std::uint32_t tick_shift = 3;  // what the tracer does on this clock

class Rank {
 public:
  Rank(std::uint32_t number, std::uint32_t files) : random_(Random::stream(1, number)), files_(files) {
    for (std::uint32_t f = 0; f < files; ++f) define_file(fmt::format("/scratch/run/rank{:03}/part{:05}.dat", number, f), number, f);
  }

  void work(std::size_t calls) {
    for (std::size_t made = 0; made < calls;) {
      const bool mpi = random_.chance(0.15);
      const auto file = static_cast<std::uint32_t>(2 * random_.whole(1, files_));
      if (position_++ % 500 == 0) current_ = file;
      const std::uint64_t begin = now_;
      const int inside = mpi ? static_cast<int>(random_.whole(1, 3)) : 1;
      for (int i = 0; i < inside; ++i)
        add(random_.chance(0.3) ? CallId::pread : CallId::pwrite, mpi ? 1 : 0, pause(300), pause(random_.chance(0.02) ? 400'000 : 9'000));
      if (mpi) close(CallId::MPI_File_write_at, begin);
      made += static_cast<std::size_t>(inside) + mpi;
      now_ += pause(2000);
    }
  }

  std::vector<Record> slots;

 private:
  void define_file(const std::string& name, std::uint32_t rank, std::uint32_t number) {
    Definition path{};
    path.call = slot_define;
    path.kind = DefinitionKind::path;
    path.object = 2 * number + 1;
    path.text_bytes = static_cast<std::uint32_t>(name.size());
    path.text_slots = static_cast<std::uint8_t>((name.size() + sizeof(Record) - 1) / sizeof(Record));
    Definition handle{};
    handle.call = slot_define;
    handle.kind = DefinitionKind::handle;
    handle.object = 2 * number + 2;
    handle.parent = path.object;
    handle.inode = (static_cast<std::uint64_t>(rank) << 32 | number) + 1;
    handle.device = 7;
    handle.detail = static_cast<std::uint32_t>(FileKind::regular);
    const std::size_t at = slots.size();
    slots.resize(at + 2 + path.text_slots);
    std::memcpy(&slots[at], &path, sizeof path);
    std::memcpy(&slots[at + 1], name.data(), name.size());
    std::memcpy(&slots[at + 1 + path.text_slots], &handle, sizeof handle);
  }
  std::uint64_t pause(double median_ns) { return static_cast<std::uint64_t>(random_.lognormal(median_ns, 0.6) * ticks_per_ns); }
  void add(CallId call, int depth, std::uint64_t before, std::uint64_t length) {
    now_ += before;
    slots.push_back({.start = now_,
                     .duration = length,
                     .offset = static_cast<std::int64_t>(65536 * position_),
                     .bytes = 65536,
                     .result = 65536,
                     .object = current_,
                     .call = static_cast<std::uint16_t>(call),
                     .depth = static_cast<std::uint8_t>(depth),
                     .detail = 0});
    now_ += length;
  }
  void close(CallId call, std::uint64_t begin) {
    now_ += pause(200);
    slots.push_back({.start = begin,
                     .duration = now_ - begin,
                     .offset = static_cast<std::int64_t>(65536 * position_),
                     .bytes = 65536,
                     .result = 65536,
                     .object = current_,
                     .call = static_cast<std::uint16_t>(call),
                     .depth = 0,
                     .detail = 0});
  }

  Random random_;
  std::uint32_t files_, current_ = 2;
  std::uint64_t now_ = 1'000'000'000'000, position_ = 0;
};

void write_text(std::ofstream& out, BlockKind kind, std::uint64_t process, std::string_view text) {
  std::vector<std::uint8_t> block(sizeof(BlockHeader) + text.size());
  BlockHeader header{};
  header.kind = kind;
  header.process = process;
  encode_text_block(header, text.data(), text.size(), block.data());
  out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size()));
}

void make_trace(const std::filesystem::path& directory, std::size_t events, std::uint32_t ranks, std::uint32_t files) {
  const auto encoder = std::make_unique<Encoder>();
  start_encoder(*encoder);
  std::vector<std::uint8_t> block(block_bound);
  std::ofstream out(directory / "node.fathom", std::ios::binary);
  std::size_t table_bytes = 0;
  const char* const table = call_table_text(table_bytes);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    Rank rank(r, std::max(files / ranks, 1u));
    rank.work(events / ranks);
    const std::uint64_t id = r + 1;
    std::uint64_t last = 0;
    for (const Record& slot : rank.slots) last = std::max(last, slot.call >= first_call ? slot.start + slot.duration : 0);
    const auto clocks = [&](const char* name, std::uint64_t ticks) {
      const auto ns = static_cast<std::int64_t>(static_cast<double>(ticks) / ticks_per_ns);
      return fmt::format("{0}_ticks={1}\n{0}_monotonic={2}\n{0}_realtime={3}\n", name, ticks, ns, 1'700'000'000'000'000'000 + ns);
    };
    write_text(out, BlockKind::process, id,
               fmt::format("pid={}\nhost=node\nboot=1\ncwd=/\nrank={}\nranks={}\nclock=tsc\n{}{}", r + 100, r, ranks,
                           clocks("start", 999'000'000'000), clocks("end", last)));
    write_text(out, BlockKind::calls, id, {table, table_bytes});
    for (std::size_t at = 0; at < rank.slots.size();) {
      std::size_t end = at;
      while (end < rank.slots.size()) {
        const std::size_t length = rank.slots[end].call == slot_define ? 1u + rank.slots[end].depth : 1u;
        if (end + length - at > chunk_slots) break;
        end += length;
      }
      BlockHeader header{};
      header.process = id;
      header.first = at;
      header.tick_shift = tick_shift;
      const std::size_t bytes = encode_block(*encoder, header, rank.slots.data() + at, static_cast<std::uint32_t>(end - at), block.data());
      out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(bytes));
      at = end;
    }
  }
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Walks through all events, in a process of its own so that its memory can be told.
int walk(const char* directory) {
  auto begin = std::chrono::steady_clock::now();
  const auto trace = open_trace(directory);
  if (!trace) return fmt::print(stderr, "{}\n", trace.error().message), 1;
  fmt::print("open    {:.3f} s, {} records, {} files, {} processes\n", seconds_since(begin), trace->records, trace->files.size(),
             trace->processes.size());
  for (int round = 0; round < 7; ++round) {
    begin = std::chrono::steady_clock::now();
    const double processor = processor_seconds();
    EventStream stream(*trace);
    std::uint64_t count = 0, inside = 0, bytes = 0;
    std::int64_t last = INT64_MIN;
    bool ordered = true;
    for (;;) {
      const auto events = stream.next();
      if (!events || events->empty()) break;
      for (const Event& event : *events) {
        ordered &= event.start >= last;
        last = event.start;
        inside += event.parent != no_row;
        bytes += event.moved();
      }
      count += events->size();
    }
    const double wall = seconds_since(begin), took = processor_seconds() - processor;
    fmt::print("walk    {:.3f} s ({:.3f} s of processor time: {:.1f} M events/s), {} inside others, {:.1f} GiB moved, {}\n", wall, took,
               static_cast<double>(count) / took * 1e-6, inside, static_cast<double>(bytes) / (1 << 30),
               ordered ? "in order" : "NOT IN ORDER");
    if (!ordered || count != trace->records) return 1;
  }
  fmt::print("memory  {:.1f} MiB at most\n", static_cast<double>(peak_kib()) / 1024);
  return 0;
}

}  // namespace
}  // namespace fathom::trace

int main(int argc, char** argv) {
  using namespace fathom::trace;
  const auto number = [&](int i, std::uint64_t otherwise) { return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise; };
  if (argc > 1 && std::filesystem::is_directory(argv[1])) return walk(argv[1]);
  std::string name = (std::filesystem::temp_directory_path() / "fathom-merge-XXXXXX").string();
  const std::filesystem::path directory = argc > 4 ? argv[4] : mkdtemp(name.data());
  std::filesystem::create_directories(directory);
  const auto begin = std::chrono::steady_clock::now();
  make_trace(directory, number(1, 10'000'000), static_cast<std::uint32_t>(number(2, 64)), static_cast<std::uint32_t>(number(3, 10'000)));
  fmt::print("made    {:.1f} s, {:.1f} MiB\n", seconds_since(begin),
             static_cast<double>(std::filesystem::file_size(directory / "node.fathom")) / (1 << 20));
  std::fflush(stdout);
  const int status = std::system(fmt::format("'{}' '{}'", argv[0], directory.string()).c_str());
  if (argc <= 4) std::filesystem::remove_all(directory);
  return status == 0 ? 0 : 1;
}
