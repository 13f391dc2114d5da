// SPDX-License-Identifier: Apache-2.0
#include "mine/burst_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/hash.h"
#include "base/packing.h"
#include "mine/aggregate.h"
#include "mine/store_traffic.h"
#include "store/increment_scan.h"

namespace fathom::mine {
namespace {

/// Grows when other bursts are found in the same counters.
constexpr std::uint64_t blocks_version = 1;

template <class Stream, class AnyBlock>
void fields(Stream& stream, AnyBlock& block) {
  stream.field(block.name.filesystem), stream.field(block.name.day), stream.field(block.inputs), stream.field(block.step);
  for (std::size_t d = 0; d < 2; ++d) stream.field(block.found.bursts[d]), stream.field(block.found.seen[d]);
}

Time block_time(std::int32_t day) { return Time{std::chrono::days{day}}; }

std::size_t direction_of(std::string_view name) { return name == direction_names[0] ? 0 : 1; }

void add_rows(Columns& bursts, Columns& blocks, const Block& block) {
  for (std::size_t d = 0; d < 2; ++d) {
    for (const KnownBurst& burst : block.found.bursts[d]) {
      std::size_t c = 0;
      bursts[c++].add(std::string_view(block.name.filesystem));
      bursts[c++].add(direction_names[d]);
      bursts[c++].add(block_time(block.name.day));
      bursts[c++].add(burst.start);
      bursts[c++].add(burst.end);
      for (const double value : {burst.height, burst.area, burst.background}) bursts[c++].add(value);
      bursts[c++].add(std::int64_t{burst.servers});
      for (const double value : {burst.own_height, burst.own_area}) bursts[c++].add(value);
    }
    const auto add_stretch = [&](Time from, Time to) {
      std::size_t c = 0;
      blocks[c++].add(std::string_view(block.name.filesystem));
      blocks[c++].add(direction_names[d]);
      blocks[c++].add(block_time(block.name.day));
      blocks[c++].add(seconds(block.step));
      blocks[c++].add(std::string_view(block.inputs));
      blocks[c++].add(from);
      blocks[c++].add(to);
    };
    for (const Stretch& stretch : block.found.seen[d]) add_stretch(stretch.from, stretch.to);
    if (block.found.seen[d].empty()) add_stretch(no_time, no_time);
  }
}

/// All of it: two bursts may well begin and end together and be equally high.
auto in_order(const KnownBurst& burst) {
  return std::tie(burst.start, burst.end, burst.height, burst.area, burst.background, burst.servers, burst.own_height, burst.own_area);
}

void put_in_order(std::vector<KnownBurst>& bursts) {
  const auto before = [](const KnownBurst& a, const KnownBurst& b) { return in_order(a) < in_order(b); };
  if (!std::is_sorted(bursts.begin(), bursts.end(), before)) std::sort(bursts.begin(), bursts.end(), before);
}

}  // namespace

Result<std::vector<std::string>> mined_filesystems(const Snapshot& snapshot, Database& database) {
  TRY(std::vector<std::string> names, filesystems_of(snapshot, database));
  if (names.size() > 1 && names.front().empty()) names.erase(names.begin());  // totals count the same bytes again
  return names;
}

std::vector<BlockName> blocks_of(const Snapshot& snapshot, const std::vector<std::string>& filesystems) {
  std::vector<std::int32_t> days;
  for (const std::int32_t day : increment_days(snapshot))
    for (const std::int32_t each : {day, day + 1})
      if (days.empty() || days.back() < each) days.push_back(each);
  std::vector<BlockName> names;
  for (const std::string& filesystem : filesystems)
    for (const std::int32_t day : days) names.push_back({filesystem, day});
  std::sort(names.begin(), names.end());
  return names;
}

std::string inputs_of(const Snapshot& snapshot, const BlockName& name) {
  Hash hash;
  hash.add(blocks_version);
  for (const std::int32_t day : {name.day - 1, name.day}) {
    hash.add(static_cast<std::uint64_t>(day));
    for (const Segment* segment : snapshot.manifest().of(increments_table.name, day, day)) hash.add(segment->hash);
  }
  return fmt::format("{:016x}", hash.value());
}

Result<std::vector<Block>> find_blocks(const Snapshot& snapshot, Database& database, const std::vector<std::string>& filesystems,
                                       std::int32_t day) {
  TRY(const std::vector<TrafficMatrix> traffic, block_traffic(snapshot, database, filesystems, day));
  std::vector<Block> blocks;
  for (std::size_t f = 0; f < filesystems.size(); ++f) {
    Block& block = blocks.emplace_back();
    block.name = {filesystems[f], day};
    block.inputs = inputs_of(snapshot, block.name);
    if (traffic[f].slots == 0) continue;
    block.step = traffic[f].step;
    TRY(block.found, bursts_of_block(traffic[f], block_begin(day), block_end(day)));
    for (auto& bursts : block.found.bursts) put_in_order(bursts);  // as they come back from the store
  }
  return blocks;
}

Result<std::vector<Block>> read_blocks(const Snapshot& snapshot, Database& database) {
  std::map<BlockName, Block> blocks;
  TRY(Rows rows, database.query(fmt::format("SELECT filesystem, direction, block_time, step, inputs, from_time, to_time FROM {}",
                                            snapshot.rows_of(burst_blocks_table))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const BlockName name{std::string(rows.text(0, i)), day_of(rows.time(2, i))};
      Block& block = blocks[name];
      block.name = name;
      block.step = Duration{std::llround(rows.real(3, i) * 1e6)};
      block.inputs = rows.text(4, i);
      if (!rows.is_null(5, i)) block.found.seen[direction_of(rows.text(1, i))].push_back({rows.time(5, i), rows.time(6, i)});
    }
  TRY_VOID(rows.status());
  TRY(Rows bursts,
      database.query(fmt::format(
          "SELECT filesystem, direction, block_time, start_time, end_time, height, area, background, servers, own_height, own_area FROM {}",
          snapshot.rows_of(bursts_table))));
  while (bursts.next())
    for (std::size_t i = 0; i < bursts.size(); ++i) {
      const auto block = blocks.find({std::string(bursts.text(0, i)), day_of(bursts.time(2, i))});
      if (block == blocks.end()) continue;
      block->second.found.bursts[direction_of(bursts.text(1, i))].push_back(
          {bursts.time(3, i), bursts.time(4, i), bursts.real(5, i), bursts.real(6, i), bursts.real(7, i),
           static_cast<std::uint32_t>(bursts.number(8, i)), bursts.real(9, i), bursts.real(10, i)});
    }
  TRY_VOID(bursts.status());
  // They come as they were written, in order nearly always: the engine need not sort months of them.
  for (auto& [name, block] : blocks)
    for (std::size_t d = 0; d < 2; ++d) {
      std::sort(block.found.seen[d].begin(), block.found.seen[d].end(), [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
      put_in_order(block.found.bursts[d]);
    }
  std::vector<Block> all;
  for (auto& [name, block] : blocks) all.push_back(std::move(block));
  return all;
}

Result<void> write_blocks(Transaction& transaction, const std::vector<Block>& blocks, const std::vector<std::int32_t>& days) {
  for (const std::int32_t day : days) {
    std::vector<std::string> old;
    for (const TableSchema* table : {&bursts_table, &burst_blocks_table})
      for (const Segment* segment : transaction.manifest().of(table->name, day, day)) old.push_back(segment->path);
    for (const std::string& path : old) transaction.retire(path);
    Columns burst_rows(bursts_table), block_rows(burst_blocks_table);
    for (const Block& block : blocks)
      if (block.name.day == day) add_rows(burst_rows, block_rows, block);
    TRY_VOID(transaction.stage(burst_rows, day));
    TRY_VOID(transaction.stage(block_rows, day));
  }
  return {};
}

std::vector<BurstLog> logs_of(const std::vector<Block>& blocks) {
  std::map<Duration, std::size_t> steps;
  for (const Block& block : blocks)
    if (block.step.count() > 0) ++steps[block.step];
  Duration step{};
  std::size_t most = 0;
  for (const auto& [each, count] : steps)
    if (count > most) step = each, most = count;
  std::vector<BurstLog> logs;
  for (const Block& block : blocks) {
    if (logs.empty() || logs.back().filesystem != block.name.filesystem)
      for (std::size_t d = 0; d < 2; ++d)
        logs.push_back({.filesystem = block.name.filesystem, .direction = d, .step = step, .bursts = {}, .seen = {}});
    for (std::size_t d = 0; d < 2; ++d) {
      BurstLog& log = logs[logs.size() - 2 + d];
      // A burst that begins at the end of a block comes after all of the blocks before.
      log.bursts.insert(log.bursts.end(), block.found.bursts[d].begin(), block.found.bursts[d].end());
      for (const Stretch& stretch : block.found.seen[d]) {
        if (!log.seen.empty() && log.seen.back().to == stretch.from)
          log.seen.back().to = stretch.to;
        else
          log.seen.push_back(stretch);
      }
    }
  }
  return logs;
}

std::uint64_t content_of(const Block& block) {
  Packer packer;  // number by number: what lies between them in memory is not content
  packer.field(block.name.filesystem), packer.field(block.name.day), packer.field(block.step);
  for (std::size_t d = 0; d < 2; ++d) {
    packer.field(block.found.seen[d]);
    packer.field(block.found.bursts[d].size());
    for (const KnownBurst& burst : block.found.bursts[d]) {
      packer.field(burst.start), packer.field(burst.end), packer.field(burst.servers);
      for (const double value : {burst.height, burst.area, burst.background, burst.own_height, burst.own_area}) packer.field(value);
    }
  }
  Hash hash;
  hash.add(packer.bytes);
  return hash.value();
}

std::string pack_blocks(const std::vector<Block>& blocks) {
  Packer packer;
  for (const Block& block : blocks) fields(packer, block);
  return std::move(packer.bytes);
}

Result<std::vector<Block>> unpack_blocks(std::string_view bytes) {
  std::vector<Block> blocks;
  Unpacker unpacker(bytes);
  while (unpacker.good && !unpacker.at_end()) fields(unpacker, blocks.emplace_back());
  if (!unpacker.good) return Error{ErrorKind::malformed, "reading the bursts that another rank found: they end too early"};
  return blocks;
}

}  // namespace fathom::mine
