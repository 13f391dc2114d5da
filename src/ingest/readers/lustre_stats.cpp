// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "ingest/lustre_parameter.h"
#include "ingest/metadata_operations.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

constexpr CounterMask io_counters = data_counters;
constexpr CounterMask open_counters = mask(Counter::opens) | mask(Counter::closes) | mask(Counter::metadata_ops);

/// What a table counts. Lustre prints no line for a counter that is zero, so the kind says which ones are there all the same.
enum class Kind { other, ost, osd, mdt, client, unknown };

constexpr CounterMask always_counted(Kind kind) {
  switch (kind) {
    case Kind::ost: return io_counters;
    case Kind::mdt: return open_counters;
    case Kind::client: return io_counters | open_counters;
    default: return 0;
  }
}

Kind kind_of(const LustrePart& part) {
  const auto& [subsystem, target, name] = part.parameter;
  const bool nested = target.find('.') != std::string::npos;  // obdfilter.scratch-OST0042.exports.10.2.4.27@o2ib1.stats
  if (part.announced && nested) return Kind::other;
  if (name == "stats") {
    if (subsystem == "obdfilter") return Kind::ost;
    if (subsystem.starts_with("osd-")) return Kind::osd;
    if (subsystem == "llite") return Kind::client;
    if ((subsystem == "mdt" || subsystem == "mds") && is_lustre_target(target)) return Kind::mdt;
  }
  if (subsystem == "mdt" && name == "md_stats") return Kind::mdt;
  if (part.announced) return Kind::other;
  for (const std::string_view not_ours : {"exports", "osc", "osp", "mdc", "OSS", "MDS", "MGS", "services"})
    if (subsystem == not_ours) return Kind::other;
  if (!is_lustre_target(target)) return name == "md_stats" ? Kind::mdt : Kind::unknown;
  return target.find("OST", target.size() - std::min<std::size_t>(target.size(), 11)) != std::string::npos ? Kind::ost : Kind::mdt;
}

/// `write_bytes  1704066 samples [bytes] 1048576 1048576 1786842710016 1873640381497737216`; the last number, the sum of
/// squares, may be missing, may have passed 2^64, and is not looked at.
struct StatsLine {
  std::string_view key;
  std::optional<std::uint64_t> samples;
  std::optional<std::uint64_t> sum;
};

std::optional<StatsLine> parse_stats_line(std::string_view text) {
  StatsLine line;
  line.key = take_word(text);
  line.samples = parse_u64(take_word(text));
  if (!line.samples || take_word(text) != "samples" || !take_word(text).starts_with('[')) return std::nullopt;
  take_word(text);  // min
  take_word(text);  // max
  line.sum = parse_u64(take_word(text));
  if (!line.sum && *line.samples == 0) line.sum = 0;
  return line;
}

class StatsReader final : public LustrePartReader {
 public:
  StatsReader(const ReadOptions& options, Harvest& harvest) : options_(options), harvest_(harvest) {}

  void begin(const LustrePart& part) override {
    part_ = part;
    kind_ = kind_of(part);
    table_ = {};
    table_.line = part.line;
    if (kind_ == Kind::other && part.announced) harvest_.leave_out(why_left_out(part.parameter));
  }

  void line(std::string_view text, std::uint64_t number) override {
    if (kind_ == Kind::other) {
      if (!part_.announced && !std::exchange(table_.started, true)) harvest_.leave_out(why_left_out(part_.parameter));
      return;
    }
    std::string_view rest = text;
    const std::string_view key = take_word(rest);
    if (key == "snapshot_time") {
      if (table_.started) deliver();  // tables of one target, one after the other
      table_.line = number;
      table_.snapshot = parse_lustre_time(trim(rest));
      if (!table_.snapshot) harvest_.reject(number, text, "snapshot_time is not a time");
    } else if (key == "start_time") {
      table_.start = parse_lustre_time(trim(rest));
    } else if (key != "elapsed_time") {
      count(text, number);
    }
    table_.started = true;
  }

  void end() override {
    if (kind_ != Kind::other && (table_.started || part_.announced)) deliver();
  }

 private:
  struct Table {
    std::uint64_t line = 0;
    bool started = false;
    std::optional<Time> snapshot;
    std::optional<Time> start;
    Counters values{};
    CounterMask seen = 0;
    CounterMask broken = 0;
    MetadataOperations metadata;
  };

  static std::string_view why_left_out(const LustreParameter& parameter) {
    if (parameter.name == "job_stats") return "job_stats table (read by lustre_job_stats)";
    const bool of_client = parameter.subsystem == "exports" || parameter.target.find(".exports.") != std::string::npos;
    return of_client && parameter.name == "stats" ? "stats of one client (exports)" : "other Lustre parameter";
  }

  /// The same key may come twice in a table (statfs does): the later line counts.
  void count(std::string_view text, std::uint64_t number) {
    struct Meaning {
      std::string_view key;
      std::optional<Counter> sum;
      Counter samples;
    };
    static constexpr std::array<Meaning, 4> meanings = {{{"read_bytes", Counter::read_bytes, Counter::read_ops},
                                                         {"write_bytes", Counter::write_bytes, Counter::write_ops},
                                                         {"open", std::nullopt, Counter::opens},
                                                         {"close", std::nullopt, Counter::closes}}};
    const auto line = parse_stats_line(text);
    std::string_view rest = text;
    const std::string_view key = take_word(rest);
    const Meaning* meaning = nullptr;
    for (const Meaning& each : meanings)
      if (each.key == key) meaning = &each;
    const bool counts_metadata = holds(always_counted(kind_), index(Counter::metadata_ops));
    if (const auto operation = counts_metadata ? MetadataOperations::place_of(key) : std::nullopt)
      line ? table_.metadata.set(*operation, *line->samples) : table_.metadata.spoil();
    const bool whole = line && (meaning == nullptr || !meaning->sum || line->sum);
    if (!whole) harvest_.reject(number, text, line ? "a sum of bytes is missing or not a number" : "not a line of a stats table");
    if (meaning == nullptr) return;
    const auto counters = static_cast<CounterMask>(mask(meaning->samples) | (meaning->sum ? mask(*meaning->sum) : 0));
    if (!whole) {
      table_.broken |= counters;
      return;
    }
    table_.seen |= counters;
    table_.values[index(meaning->samples)] = *line->samples;
    if (meaning->sum) table_.values[index(*meaning->sum)] = *line->sum;
  }

  /// One table has ended.
  void deliver() {
    Table table = std::exchange(table_, {});
    const std::string& target = part_.parameter.target;
    const auto time = table.snapshot ? table.snapshot : part_.time ? part_.time : options_.default_time;
    if (!table.started) return harvest_.reject(table.line, target, "an empty stats table");
    if (!time) return harvest_.reject(table.line, target, "a stats table without snapshot_time (--time gives one)");
    if (target.empty()) return harvest_.reject(table.line, "", "a stats table that names no target (--server gives one)");
    const bool bytes = (table.seen & byte_counters) != 0;
    CounterMask has = table.seen | always_counted(kind_);
    if ((kind_ == Kind::osd || kind_ == Kind::unknown) && bytes) has |= io_counters;
    if (holds(has, index(Counter::metadata_ops))) {
      const auto sum = table.metadata.sum();
      table.values[index(Counter::metadata_ops)] = sum.value_or(0);
      if (!sum) table.broken |= mask(Counter::metadata_ops);
    }
    has &= static_cast<CounterMask>(~table.broken);
    if (kind_ == Kind::osd && !bytes) return harvest_.leave_out("osd stats without byte counters");
    if (has == 0) return harvest_.leave_out("stats table without I/O counters");
    if (!sole_source()) return harvest_.leave_out("osd and obdfilter stats of one target: only the first kind is read");
    Sample sample;
    sample.t = *time;
    sample.since = lustre_since(table.start, *time);
    sample.series = harvest_.series(target, filesystem());
    sample.has = has;
    sample.values = table.values;
    for (std::size_t i = 0; i < counter_count; ++i)
      if (!holds(has, i)) sample.values[i] = 0;
    harvest_.sample(sample);
  }

  std::string_view filesystem() const {
    const std::string_view target = part_.parameter.target;
    if (kind_ != Kind::client) return lustre_filesystem(target);
    const auto dash = target.rfind('-');  // ai400x2-ff47bce9ca35d800: the file system, then the mount
    return dash == std::string_view::npos ? std::string_view{} : target.substr(0, dash);
  }

  /// obdfilter and osd count the same bytes at different places: mixed in one series they would look like resets.
  bool sole_source() {
    if (kind_ != Kind::ost && kind_ != Kind::osd) return true;
    return source_of_.try_emplace(part_.parameter.target, kind_).first->second == kind_;
  }

  const ReadOptions& options_;
  Harvest& harvest_;
  LustrePart part_;
  Kind kind_ = Kind::other;
  Table table_;
  std::map<std::string, Kind, std::less<>> source_of_;
};

bool recognises(std::string_view first_bytes, std::string_view) {
  bool dump = false;  // parameters of a Lustre server, but perhaps no table among the first bytes
  for (int line_number = 0; !first_bytes.empty(); ++line_number) {
    std::string_view line = take_until(first_bytes, '\n');
    if (line.starts_with('#') || trim(line).empty()) continue;
    if (const auto announced = lustre_announcement(line)) {
      const LustrePart part{announced->parameter, true, {}, 0};
      if (announced->parameter.name == "job_stats") return false;
      if (kind_of(part) != Kind::other) return true;
      for (const std::string_view subsystem : {"obdfilter", "osd-ldiskfs", "osd-zfs", "mdt", "llite", "ldlm", "ost", "mds"})
        dump = dump || announced->parameter.subsystem == subsystem;
    } else if (take_word(line) == "snapshot_time" && !dump) {
      return parse_lustre_time(trim(line)).has_value() && line.find("secs.") != std::string_view::npos;
    } else if (!dump && line_number > 200) {
      return false;
    }
  }
  return dump;
}

}  // namespace

extern const Reader lustre_stats;
constinit const Reader lustre_stats{
    .name = "lustre_stats",
    .summary = "Lustre stats of OSTs, MDTs and clients (obdfilter, osd, mdt, llite)",
    .details =
        "The `stats` tables of Lustre 1.8 to 2.15: a file as found below /proc/fs/lustre or /sys/kernel/debug/lustre, the output of "
        "`lctl get_param obdfilter.*.stats mdt.*.md_stats llite.*.stats`, or any number of these put together. Other parameters in a "
        "dump are passed over and counted as left out, among them the stats of single clients (`exports`) and job_stats (read those "
        "with lustre_job_stats).\n\n"
        "The server is the target (`scratch-OST0042`), the file system the part before `-OST` or `-MDT`. A file that does not name its "
        "target inside takes it from its path (`obdfilter/scratch-OST0042/stats`, `scratch-OST0042.stats.gz`), else from `--server`, "
        "else from its folder or file name. A client's mount is a server of its own (`scratch-ffff88105db50000`), so two mounts of one "
        "file system stay apart.\n\n"
        "Taken are `read_bytes` and `write_bytes` (sum: bytes, samples: operations) and `open` and `close` of MDTs and clients, whose "
        "metadata operations (`metadata_ops`) are the sum of the samples of open, close, mknod, create, destroy, link, symlink, unlink, "
        "mkdir, rmdir, readdir, rename, getattr, setattr, getxattr, setxattr, listxattr, statfs, quotactl and migrate. Connecting, pinging "
        "and the like are not in it, nor samedir_rename and crossdir_rename, which count renames again. An MDT counts a new file as open "
        "and as mknod, and so does the sum. Lustre "
        "prints no line for a counter that is zero: a missing line counts as zero for OSTs (bytes and operations), MDTs (opens, "
        "closes, metadata operations) and clients (all seven). Stats of osd-* count only where they carry byte lines; where a file has "
        "both for one target, "
        "the kind that comes first is read, as the two count the same bytes. A key that comes twice in a table: the later line counts.\n\n"
        "The time is `snapshot_time`; `20113 secs.usecs` after the dot is a number of microseconds, not a fraction. `start_time` (2.14 "
        "and later) says when the counters were zero. Before each snapshot a comment of the form `# host=oss01 time=1704924117.04` may "
        "stand (written by whoever collects); its time is used for tables without a snapshot_time, `target=scratch-OST0042` in it "
        "names the target of a table that has no `...=` line, the host is not used.",
    .example =
        "# host=oss01 time=1704924117.04\n"
        "obdfilter.scratch-OST0042.stats=\n"
        "snapshot_time             1704924117.040584137 secs.nsecs\n"
        "start_time                1704403917.045921397 secs.nsecs\n"
        "elapsed_time              520199.994662740 secs.nsecs\n"
        "read_bytes                1705491 samples [bytes] 1048576 1048576 1788336930816 1875207185567318016\n"
        "write_bytes               1704066 samples [bytes] 1048576 1048576 1786842710016 1873640381497737216\n"
        "create                    85 samples [usecs] 432 702932 9625730 2213291981300\n",
    .recognises = recognises,
    .read = [](LineInput& input, const ReadOptions& options, Harvest& harvest) -> Result<void> {
      StatsReader reader(options, harvest);
      return read_lustre_parts(input, options, harvest, reader);
    }};

}  // namespace fathom
