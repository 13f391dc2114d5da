// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/run_facts.h"

#include <algorithm>

#include "base/text.h"

namespace fathom::trace {
namespace {

std::uint64_t alignment_of(const File& file) {
  for (const std::string& hint : file.hints)
    if (hint.starts_with("striping_unit="))
      if (const auto stripe = parse_u64(std::string_view(hint).substr(14)); stripe && *stripe > 0) return *stripe;
  return 4096;
}

std::uint64_t key(const Event& event) { return static_cast<std::uint64_t>(event.file) << 32 | event.unit; }

}  // namespace

std::uint64_t ByteRanges::add(std::int64_t from, std::int64_t to) {
  if (to <= from) return 0;
  std::uint64_t known = 0;
  auto at = ranges_.upper_bound(from);
  if (at != ranges_.begin() && std::prev(at)->second >= from) --at;
  std::int64_t first = from, last = to;
  while (at != ranges_.end() && at->first <= to) {
    known += static_cast<std::uint64_t>(std::max<std::int64_t>(0, std::min(to, at->second) - std::max(from, at->first)));
    first = std::min(first, at->first);
    last = std::max(last, at->second);
    at = ranges_.erase(at);
  }
  if (ranges_.size() < most) ranges_.emplace_hint(at, first, last);
  return known;
}

FactsAnalysis::FactsAnalysis(const Trace& trace) : trace_(trace) {
  facts_.ranks = trace.ranks();
  facts_.mpi = has_mpi_ranks(trace);
  facts_.duration = trace.end - trace.start;
  facts_.by_rank.resize(trace.units.size());
}

FactsAnalysis::OfFile& FactsAnalysis::file_of(std::uint32_t file) {
  const auto [at, is_new] = files_.try_emplace(file);
  if (is_new) at->second.facts.file = file, at->second.facts.alignment = alignment_of(trace_.files[file]);
  return at->second;
}

void FactsAnalysis::begin_mpi_write(const Seen& seen) {
  const Event& event = seen.event;
  file_of(event.file).facts.sieve.writes.add(seen.bytes_moved(), event.duration());
  if (mpi_writes_.size() >= forget_at_) {
    std::erase_if(mpi_writes_, [&](const auto& each) { return each.second.end < event.start; });
    forget_at_ = std::max<std::size_t>(1024, 2 * mpi_writes_.size());
  }
  mpi_writes_[event.row] = {event.file, event.end, event.duration(), seen.bytes_moved(), (seen.traits & collective) != 0};
}

void FactsAnalysis::inside_mpi_write(const Seen& seen, MpiWrite& around) {
  const Event& event = seen.event;
  const Operation operation = seen.call.operation;
  SieveFacts& sieve = file_of(around.file).facts.sieve;
  if (operation == Operation::lock) ++around.locks;
  if (operation == Operation::read || operation == Operation::lock || operation == Operation::unlock) around.overhead += event.duration();
  if (seen.moves()) around.moved += seen.bytes_moved();
  if (event.offset != no_offset && event.bytes != no_bytes) {
    const std::int64_t from = event.offset, to = from + static_cast<std::int64_t>(event.bytes);
    if (operation == Operation::read) around.read_from = from, around.read_to = to;
    // Written back: what was read, or a part of it. A read beyond the end of the file gives nothing, and still is one.
    if (operation == Operation::write && from >= around.read_from && to <= around.read_to) {
      ++sieve.cycles;
      if (!around.sieving) sieve.sieving.add(around.asked, around.duration);
      around.sieving = true;
      around.read_to = around.read_from - 1;
    }
  }
  if (!around.sieving) return;
  sieve.locks += std::exchange(around.locks, 0);
  sieve.moved += std::exchange(around.moved, 0);
  sieve.overhead += std::exchange(around.overhead, 0);
}

void FactsAnalysis::read_again(const Seen& seen, OfFile& file, Use& use) {
  if (use.read_version != file.version) use.read.clear();
  use.read_version = file.version;
  const std::uint64_t moved = seen.bytes_moved();
  if (moved == 0 || seen.event.offset == no_offset) return;
  const std::uint64_t again = use.read.add(seen.event.offset, seen.event.offset + static_cast<std::int64_t>(moved));
  if (again == 0) return;
  // A call that reads some bytes again is counted for that part of its time.
  file.facts.again.add(again, static_cast<std::int64_t>(static_cast<double>(seen.event.duration()) * static_cast<double>(again) /
                                                        static_cast<double>(moved)));
}

/// A POSIX read or write.
void FactsAnalysis::move(const Seen& seen) {
  const Event& event = seen.event;
  OfFile& file = file_of(event.file);
  Use& use = uses_[key(event)];
  const Direction direction = *seen.direction;
  use.did |= direction == Direction::read ? 1 : 2;
  const auto inside = seen.mpi_call == no_row ? mpi_writes_.end() : mpi_writes_.find(seen.mpi_call);
  const std::uint64_t moved = seen.bytes_moved();
  const std::uint64_t asked = event.bytes == no_bytes ? moved : event.bytes;
  if (direction == Direction::read) {
    if (inside == mpi_writes_.end()) read_again(seen, file, use);
  } else {
    ++file.version;
    if (inside != mpi_writes_.end() && !inside->second.is_collective) {
      file.facts.independent.add(moved, event.duration());
      if (asked < small_request && event.offset != no_offset && use.write_end != INT64_MIN && event.offset != use.write_end)
        file.facts.small_strided.add(moved, event.duration());
      if (event.offset != no_offset) use.write_end = event.offset + static_cast<std::int64_t>(moved);
    }
  }
  if ((seen.traits & buffered) != 0) return;
  DirectionFacts& facts = file.facts.of[static_cast<std::size_t>(direction)];
  facts.posix.add(moved, event.duration());
  if (asked <= tiny_request) {
    facts.tiny.add(moved, event.duration());
  } else if (event.offset != no_offset) {
    facts.placed.add(moved, event.duration());
    if (static_cast<std::uint64_t>(event.offset) % file.facts.alignment != 0) facts.unaligned.add(moved, event.duration());
  }
}

void FactsAnalysis::take(const Seen& seen) {
  if (!seen.counts) return;
  const Event& event = seen.event;
  const Operation operation = seen.call.operation;
  RankFacts& rank = facts_.by_rank[event.unit];
  if (seen.top) {
    facts_.io_time += event.duration();
    rank.time += event.duration();
    rank.bytes += seen.bytes_moved();
  }
  if (seen.is(Interface::mpiio)) {
    if (operation == Operation::write && seen.outermost) begin_mpi_write(seen);
    return;
  }
  if (!seen.is(Interface::posix) || !seen.told()) return;
  if (const auto around = seen.mpi_call == no_row ? mpi_writes_.end() : mpi_writes_.find(seen.mpi_call); around != mpi_writes_.end())
    inside_mpi_write(seen, around->second);
  if (seen.moves()) return move(seen);
  if (operation == Operation::open && !event.failed()) {
    file_of(event.file).facts.opens.add(0, event.duration());
    Use& use = uses_[key(event)];
    ++use.opens;
    use.did |= 4;
    ++rank.opens;
  }
  if (operation == Operation::open || operation == Operation::close) rank.open_time += event.duration();
  if (operation == Operation::sync) file_of(event.file).facts.syncs.add(0, event.duration());
}

void FactsAnalysis::finish() {
  for (const auto& [place, use] : uses_) {
    FileFacts& file = file_of(static_cast<std::uint32_t>(place >> 32)).facts;
    file.ranks += (use.did & 3) != 0;
    file.writers += (use.did & 2) != 0;
    file.opened_by += (use.did & 4) != 0;
    file.most_opens = std::max(file.most_opens, use.opens);
  }
  for (const auto& [number, file] : files_) facts_.files.push_back(file.facts);
  std::sort(facts_.files.begin(), facts_.files.end(), [](const FileFacts& a, const FileFacts& b) { return a.file < b.file; });
}

}  // namespace fathom::trace
