// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/talk.h"
#include "base/text.h"
#include "trace/blocks.h"
#include "trace/call_table.h"
#include "trace/decode.h"
#include "trace/file_table.h"
#include "trace/gather.h"
#include "trace/open_gathered.h"
#include "trace/trace.h"
#include "trace/units.h"

namespace fathom::trace {
namespace {

/// From what a directory holds to a Trace, one step after the other.
class Opening {
 public:
  Opening(Gathered gathered, std::string where)
      : gathered_(std::move(gathered)), where_(std::move(where)), blocks_(std::make_shared<Trace::Blocks>()) {}

  Trace run() {
    order_processes();
    read_definitions();
    read_calls();
    make_threads();
    make_processes();
    make_files();
    finish();
    return std::move(trace_);
  }

 private:
  void trouble(std::string what, std::uint64_t count = 1) {
    if (count > 0) trace_.troubles.push_back({std::move(what), where_, count});
  }

  /// In the order of their start, once they are on one clock.
  void order_processes() {
    std::vector<ProcessDetails> texts;
    std::vector<GatheredProcess*> found;
    for (auto& [id, process] : gathered_.processes) {
      texts.push_back(process.text);
      found.push_back(&process);
    }
    Clocks clocks = put_on_one_clock(texts);
    for (std::string& problem : clocks.problems) trouble(std::move(problem));
    trace_.clock_drift = clocks.drift;
    std::vector<std::size_t> order(texts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto start = [&](std::size_t i) {
      return clocks.lines[i].reaches(texts[i].start.ticks) ? clocks.lines[i](texts[i].start.ticks) : 0;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return start(a) < start(b); });
    blocks_->processes.resize(order.size());
    std::uint64_t unknown = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      texts_.push_back(std::move(texts[order[i]]));
      sources_.push_back(found[order[i]]);
      blocks_->processes[i].clock = clocks.lines[order[i]];
      by_id_.emplace(texts_[i].process, i);
      unknown += !texts_[i].known;
    }
    find_execs(texts_);
    trouble("nothing says who this process was: its description was lost, its times are in ticks", unknown);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto parent = texts_[i].parent == 0 ? by_id_.end() : by_id_.find(texts_[i].parent);
      if (parent == by_id_.end() || parent->second == i) continue;
      blocks_->processes[i].parent = &blocks_->processes[parent->second];
      blocks_->processes[i].inherited = texts_[i].inherited;
    }
  }

  void read_definitions() {
    definitions_.resize(texts_.size());
    BlockDecoder decoder;
    std::vector<Record> slots;
    std::uint64_t broken = 0;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      for (const auto& [thread, blocks] : sources_[i]->threads) {
        for (const Block& block : blocks) {
          const bool good = decoder.definitions(block, slots) &&
                            for_each_definition(slots, [&](const Definition& d, std::string_view text) { define(i, d, text); });
          broken += !good;
        }
      }
      definitions_[i].sort();
      const auto& meaning = blocks_->processes[i];
      if (meaning.parent != nullptr)
        definitions_[i].parent = &definitions_[static_cast<std::size_t>(meaning.parent - blocks_->processes.data())];
      definitions_[i].inherited = meaning.inherited;
    }
    trouble("the definitions of a block could not be read: names of files are missing", broken);
  }

  void define(std::size_t process, const Definition& d, std::string_view text) {
    if (d.kind == DefinitionKind::thread) return;
    if (d.kind == DefinitionKind::note) {
      if (std::find(trace_.notes.begin(), trace_.notes.end(), text) == trace_.notes.end()) trace_.notes.emplace_back(as_utf8(text));
    } else {
      const auto kind = d.kind == DefinitionKind::handle && d.detail <= static_cast<std::uint32_t>(FileKind::anonymous)
                            ? static_cast<FileKind>(d.detail)
                            : FileKind::unknown;
      definitions_[process].own.push_back({d.object, d.kind, kind, d.parent, d.open_flags, d.inode, d.device, d.size, std::string(text)});
    }
  }

  void read_calls() {
    CallTables tables;
    for (std::size_t i = 0; i < texts_.size(); ++i) blocks_->processes[i].call_table = tables.table(calls_of(*sources_[i], gathered_));
    trouble("a line of the table of calls could not be understood", tables.strange_lines);
    trace_.calls = std::move(tables.calls);
    blocks_->call_tables = std::move(tables.tables);
    blocks_->unknown_call = tables.unknown;
  }

  void make_threads() {
    latest_.assign(texts_.size(), INT64_MIN);
    std::uint64_t unreachable = 0;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      for (const auto& [number, blocks] : sources_[i]->threads) {
        ThreadBlocks thread{static_cast<std::uint32_t>(i), number, 0, {}};
        for (const Block& block : blocks) unreachable += !add_block(thread, block);
        if (thread.blocks.empty()) continue;
        std::int64_t behind = INT64_MAX;
        for (auto at = thread.blocks.rbegin(); at != thread.blocks.rend(); ++at) {
          at->behind = behind;
          behind = std::min(behind, at->earliest);
        }
        thread.earliest = behind;
        blocks_->threads.push_back(std::move(thread));
      }
    }
    trouble("a block's times are beyond reason: it was left out", unreachable);
  }

  bool add_block(ThreadBlocks& thread, const Block& block) {
    const BlockHeader& header = block.header;
    if (header.records == 0) return true;
    const ClockLine& clock = blocks_->processes[thread.process].clock;
    const std::uint64_t earliest = header.earliest << header.tick_shift, latest = header.latest << header.tick_shift;
    if (header.latest >> (63 - header.tick_shift) != 0 || header.earliest > header.latest || !clock.reaches(earliest) ||
        !clock.reaches(latest))
      return false;
    thread.blocks.push_back({block, clock(earliest)});
    latest_[thread.process] = std::max(latest_[thread.process], clock(latest));
    trace_.records += header.records;
    return true;
  }

  void make_processes() {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const ProcessDetails& text = texts_[i];
      const ClockLine& clock = blocks_->processes[i].clock;
      const auto time = [&](const ClockPair& pair) { return pair.ticks != 0 && clock.reaches(pair.ticks) ? clock(pair.ticks) : INT64_MIN; };
      Process process{.id = text.process,
                      .pid = text.pid,
                      .parent_pid = text.parent_pid,
                      .rank = text.rank,
                      .host = as_utf8(text.host),
                      .executable = as_utf8(text.executable),
                      .command = as_utf8(text.command),
                      .directory = as_utf8(text.directory),
                      .job = as_utf8(text.job),
                      .job_source = as_utf8(text.job_source),
                      .user = as_utf8(text.user)};
      process.lost = text.lost;
      process.waits = text.waits;
      process.has_slices = !sources_[i]->slices.empty();
      blocks_->processes[i].slices = std::move(sources_[i]->slices);
      process.ended_well = text.end.ticks != 0;
      process.start = time(text.start);
      process.end = std::max(process.ended_well ? time(text.end) : std::max(time(text.now), latest_[i]), process.start);
      if (process.start == INT64_MIN) process.start = process.end == INT64_MIN ? 0 : process.end, process.end = process.start;
      trace_.processes.push_back(std::move(process));
    }
    end_by_exec();
    trace_.units = find_units(trace_.processes, texts_);
    for (std::size_t i = 0; i < texts_.size(); ++i) blocks_->processes[i].unit = trace_.processes[i].unit;
  }

  /// A process that became another program did not die.
  void end_by_exec() {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto before = texts_[i].exec_of == 0 ? by_id_.end() : by_id_.find(texts_[i].exec_of);
      if (before == by_id_.end() || trace_.processes[before->second].ended_well) continue;
      Process& process = trace_.processes[before->second];
      process.ended_well = true;
      process.end = std::max(process.start, trace_.processes[i].start);
    }
  }

  void make_files() {
    FileTable table;
    std::unordered_map<std::string, std::uint32_t> hosts;
    std::vector<std::vector<std::uint32_t>> numbers(texts_.size());  // of each object, in the table
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto host = hosts.try_emplace(texts_[i].host, static_cast<std::uint32_t>(hosts.size())).first->second;
      const std::string& directory = texts_[i].directory;
      for (const Defined& defined : definitions_[i].own) numbers[i].push_back(number_of(table, i, host, directory, defined));
    }
    trace_.files = table.finish();
    for (File& file : trace_.files) file.path = as_utf8(file.path);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      auto& objects = blocks_->processes[i].objects;
      for (std::size_t k = 0; k < numbers[i].size(); ++k)
        objects.push_back({definitions_[i].own[k].object, numbers[i][k] == no_file ? no_file : table.file_of(numbers[i][k]),
                           definitions_[i].own[k].kind == DefinitionKind::handle});
    }
  }

  std::uint32_t number_of(FileTable& table, std::size_t process, std::uint32_t host, const std::string& directory, const Defined& defined) {
    const Definitions& all = definitions_[process];
    if (defined.kind == DefinitionKind::hint) {
      const Defined* const of = all.find(defined.parent);
      if (of != nullptr && of->kind == DefinitionKind::handle)
        table.hint(table.named(host, handle_name(all, *of, directory)), as_utf8(defined.text));
      return no_file;
    }
    if (defined.kind == DefinitionKind::handle) return table.opened(host, handle_name(all, defined, directory), defined);
    const std::string path = path_of(all, defined, directory);
    return path.empty() ? no_file : table.named(host, path);
  }

  /// Pipes and sockets have no path; the system shows them like this in /proc.
  static std::string handle_name(const Definitions& all, const Defined& handle, const std::string& directory) {
    std::string path = path_of(all, handle, directory);
    if (!path.empty()) return path;
    static constexpr std::string_view names[] = {"file",      "file",  "directory", "pipe",     "socket",
                                                 "character", "block", "pseudo",    "anonymous"};
    return fmt::format("{}:[{}]", names[static_cast<std::size_t>(handle.file_kind)], handle.inode);
  }

  void finish() {
    trace_.start = INT64_MAX;
    trace_.end = INT64_MIN;
    for (const Process& process : trace_.processes) {
      trace_.start = std::min(trace_.start, process.start);
      trace_.end = std::max(trace_.end, process.end);
    }
    if (trace_.processes.empty()) trace_.start = trace_.end = 0;
    std::uint64_t lost = 0;
    for (const Process& process : trace_.processes) lost += process.lost;
    trouble("calls were not recorded for want of memory or of descriptors", lost);
    trace_.troubles.insert(trace_.troubles.end(), gathered_.troubles.begin(), gathered_.troubles.end());
    blocks_->files = std::move(gathered_.files);
    blocks_->leftovers = std::move(gathered_.leftover_blocks);
    trace_.blocks = std::move(blocks_);
  }

  Gathered gathered_;
  std::string where_;
  std::shared_ptr<Trace::Blocks> blocks_;
  Trace trace_;
  std::vector<ProcessDetails> texts_;
  std::vector<GatheredProcess*> sources_;
  std::unordered_map<std::uint64_t, std::size_t> by_id_;
  std::vector<Definitions> definitions_;
  std::vector<std::int64_t> latest_;
};

}  // namespace

std::uint32_t Trace::ranks() const {
  return static_cast<std::uint32_t>(std::count_if(units.begin(), units.end(), [](const Unit& unit) { return !unit.launcher; }));
}

bool has_mpi_ranks(const Trace& trace) {
  return std::any_of(trace.processes.begin(), trace.processes.end(), [](const Process& process) { return process.rank >= 0; });
}

SliceRows slices_of(const Trace& trace, std::size_t process) { return put_slices_together(trace.blocks->processes[process].slices); }

Trace open_gathered(Gathered gathered, std::string where) { return Opening(std::move(gathered), std::move(where)).run(); }

Result<Trace> open_trace(const std::filesystem::path& directory) {
  TRY(Gathered gathered, gather_trace(directory));
  Trace trace = open_gathered(std::move(gathered), directory.string());
  trace.directory = directory;
  tell_step("reading trace {}: {} processes", directory.string(), trace.processes.size());
  return trace;
}

}  // namespace fathom::trace
