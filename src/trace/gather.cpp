// SPDX-License-Identifier: Apache-2.0
#include "trace/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/other_format.h"
#include "trace_format/columns.h"
#include "trace_format/memory_folder.h"

namespace fathom::trace {
namespace {

namespace fs = std::filesystem;

std::string_view text_of(const Block& block) { return {reinterpret_cast<const char*>(block.payload), block.header.payload_bytes}; }

/// What a killed process left in memory is younger than what it wrote; but an end is an end.
void add_leftover_text(const ProcessDetails& left, ProcessDetails& text) {
  const bool ended = text.end.ticks != 0;
  const ProcessDetails written = text;
  if (!text.known || !ended) text = left;
  if (!written.known || ended) return;
  if (left.now.ticks == 0) text.now = written.now;
  if (left.start.ticks == 0) text.start = written.start;
  if (left.host.empty()) text.host = written.host, text.boot = written.boot;
  if (left.rank < 0) text.rank = written.rank, text.ranks = written.ranks;
}

std::vector<fs::path> files_in(const fs::path& directory, std::string_view extension) {
  std::vector<fs::path> found;
  std::error_code problem;
  for (fs::directory_iterator at(directory, problem), end; !problem && at != end; at.increment(problem)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored) && (extension.empty() || at->path().extension() == extension)) found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Where its processes said their memory files are; and where those are whose processes ended before they said anything.
std::set<std::string> memory_directories(const fs::path& directory, const Gathered& gathered) {
  std::set<std::string> found;
  found.insert(memory_folder_of(directory).string());
  for (const auto& [id, process] : gathered.processes) found.insert(process.text.memory);
  found.erase("");
  return found;
}

std::vector<Leftover> read_leftovers(const fs::path& directory, const std::set<std::string>& memory, std::vector<Trouble>& troubles) {
  std::vector<fs::path> files = files_in(directory, ".memory");
  const std::size_t own = files.size();
  for (const std::string& place : memory)
    for (fs::path& file : files_in(place, "")) files.push_back(std::move(file));
  std::vector<Leftover> leftovers;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto file = MappedFile::open(files[i].string());
    auto leftover = file ? read_memory_file(file->bytes()) : std::nullopt;
    if (leftover)
      leftovers.push_back(std::move(*leftover));
    else if (i < own)
      troubles.push_back({file ? why_not_read(file->bytes()) : file.error().message, files[i].string()});
  }
  return leftovers;
}

Result<void> read_files(const std::vector<fs::path>& files, Gathered& gathered) {
  for (const fs::path& path : files) {
    TRY(MappedFile file, MappedFile::open(path.string()));
    gathered.files.push_back(std::move(file));
    gather_blocks(gathered.files.back().bytes(), path.string(), gathered);
  }
  return {};
}

/// Running numbers [first, second) that blocks of a thread already have, in order.
using Covered = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Covered covered_by(const std::vector<Block>& blocks) {
  Covered covered;
  for (const Block& block : blocks) {
    const std::uint64_t end = block.header.first + block.header.slots;
    if (!covered.empty() && covered.back().second >= block.header.first)
      covered.back().second = std::max(covered.back().second, end);
    else
      covered.emplace_back(block.header.first, end);
  }
  return covered;
}

/// Whether `number` is in one of them; else how many numbers there are until the next one.
bool is_covered(const Covered& covered, std::uint64_t number) {
  const auto next =
      std::upper_bound(covered.begin(), covered.end(), number, [](std::uint64_t n, const auto& range) { return n < range.first; });
  return next != covered.begin() && number < std::prev(next)->second;
}

}  // namespace

void gather_blocks(std::span<const std::uint8_t> bytes, const std::string& where, Gathered& gathered) {
  const BlockScan scan = scan_blocks(bytes);
  if (scan.torn_places > 0)
    gathered.troubles.push_back(
        {fmt::format("{} bytes are no whole block and were passed over", scan.torn_bytes), where, scan.torn_places});
  if (scan.other_version != 0) gathered.other_version = scan.other_version;
  if (scan.strange > 0)
    gathered.troubles.push_back({scan.other_version != 0
                                     ? fmt::format("a block was left out: {}", other_format(scan.other_version, block_version))
                                     : "a block of a kind that this program does not know was left out",
                                 where, scan.strange});
  for (const Block& block : scan.blocks) {
    if (block.header.kind == BlockKind::calls) {
      const std::string_view calls = text_of(block);
      gathered.calls_by_hash.emplace(hash_of(calls), calls);
      if (gathered.first_calls.empty()) gathered.first_calls = calls;
      if (block.header.process == 0) continue;  // of a collector, when no process came to write anything: that is no process of the run
    }
    GatheredProcess& process = gathered.processes[block.header.process];
    if (block.header.kind == BlockKind::process) {
      process.text = {};
      read_process_text(text_of(block), process.text);
    } else if (block.header.kind == BlockKind::calls) {
      process.calls = text_of(block);
      process.has_calls = true;
    } else if (block.header.kind == BlockKind::slices) {
      process.slices.emplace(block.header.first, block);
    } else {
      process.threads[block.header.thread].push_back(block);
    }
  }
}

std::string_view calls_of(const GatheredProcess& process, const Gathered& gathered) {
  if (const auto named = gathered.calls_by_hash.find(process.text.call_table); named != gathered.calls_by_hash.end()) return named->second;
  return process.has_calls ? process.calls : gathered.first_calls;
}

void put_in_order(const std::string& where, Gathered& gathered) {
  std::uint64_t overlaps = 0;
  for (auto& [id, process] : gathered.processes) {
    process.text.process = id;
    for (auto& [number, blocks] : process.threads) {
      std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
        return a.header.first != b.header.first ? a.header.first < b.header.first : a.header.slots > b.header.slots;
      });
      std::uint64_t end = 0;
      std::erase_if(blocks, [&](const Block& block) {
        const std::uint64_t its_end = block.header.first + block.header.slots;
        if (block.header.slots == 0 || its_end < block.header.first || its_end <= end) return true;  // drained twice
        overlaps += block.header.first < end;
        end = its_end;
        return false;
      });
    }
  }
  if (overlaps > 0) gathered.troubles.push_back({"blocks of a thread overlap: some of its calls appear twice", where, overlaps});
}

void gather_leftover(const Leftover& leftover, Gathered& gathered) {
  GatheredProcess& process = gathered.processes[leftover.process.process];
  add_leftover_text(leftover.process, process.text);
  for (const std::string& block : leftover.slice_blocks) {
    const std::string& kept = gathered.leftover_blocks.emplace_back(block);
    Block whole{{}, reinterpret_cast<const std::uint8_t*>(kept.data()) + sizeof(BlockHeader)};
    std::memcpy(&whole.header, kept.data(), sizeof whole.header);
    process.slices.emplace(whole.header.first, whole);
  }
  if (leftover.chunks.empty()) return;
  const auto encoder = std::make_unique<Encoder>();
  if (!start_encoder(*encoder)) return;
  std::vector<std::uint8_t> out(block_bound);
  for (const LeftoverSlots& chunk : leftover.chunks) {
    auto& blocks = process.threads[chunk.thread];
    const Covered covered = covered_by(blocks);
    std::size_t begin = 0;  // of a stretch that no block has
    const auto flush = [&](std::size_t end) {
      if (end == begin) return;
      BlockHeader header{};
      header.process = leftover.process.process;
      header.thread = chunk.thread;
      header.first = chunk.first + begin;
      const std::size_t size =
          encode_block(*encoder, header, chunk.slots.data() + begin, static_cast<std::uint32_t>(end - begin), out.data());
      if (size == 0) return;
      const std::string& kept = gathered.leftover_blocks.emplace_back(reinterpret_cast<const char*>(out.data()), size);
      std::memcpy(&header, kept.data(), sizeof header);
      blocks.push_back({header, reinterpret_cast<const std::uint8_t*>(kept.data()) + sizeof header});
    };
    for (std::size_t i = 0; i < chunk.slots.size();) {
      const std::size_t length = chunk.slots[i].call == slot_define ? 1u + chunk.slots[i].depth : 1u;
      if (is_covered(covered, chunk.first + i)) {
        flush(i);
        begin = i + length;
      }
      i += length;
    }
    flush(chunk.slots.size());
    std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.header.first < b.header.first; });
  }
}

Result<Gathered> gather_trace(const fs::path& directory) {
  std::error_code problem;
  if (!fs::is_directory(directory, problem))
    return Error{ErrorKind::not_found, fmt::format("opening trace {}: there is no such directory", directory.string())};
  const std::vector<fs::path> files = files_in(directory, ".fathom");
  Gathered gathered;
  TRY_VOID(read_files(files, gathered));
  const auto memory = memory_directories(directory, gathered);
  std::vector<Trouble> troubles;
  const std::vector<Leftover> leftovers = read_leftovers(directory, memory, troubles);
  if (files.empty() && leftovers.empty() && !troubles.empty())  // of another version, or damaged: there is nothing else to read
    return Error{ErrorKind::unsupported, fmt::format("opening trace {}: {}", troubles.front().where, troubles.front().what)};
  if (files.empty() && leftovers.empty() && !fs::exists(directory / "run.json", problem))
    return Error{ErrorKind::not_found, fmt::format("opening trace {}: it holds no file of a trace (*.fathom)", directory.string())};
  if (!leftovers.empty()) {  // a process that still runs may have written since: what was read from memory must not be missing in between
    gathered = {};
    TRY_VOID(read_files(files_in(directory, ".fathom"), gathered));
  }
  if (gathered.processes.empty() && leftovers.empty() && gathered.other_version != 0)
    return Error{ErrorKind::unsupported,
                 fmt::format("opening trace {}: {}", directory.string(), other_format(gathered.other_version, block_version))};
  put_in_order(directory.string(), gathered);
  for (const Leftover& leftover : leftovers) gather_leftover(leftover, gathered);
  put_in_order(directory.string(), gathered);
  gathered.troubles.insert(gathered.troubles.end(), troubles.begin(), troubles.end());
  return gathered;
}

}  // namespace fathom::trace
