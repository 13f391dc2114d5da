// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "ingest/job_id_pattern.h"
#include "ingest/lustre_parameter.h"
#include "ingest/metadata_operations.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

constexpr std::size_t most_fields = 256;  // a real entry has about twenty

/// `{ samples: 25, unit: bytes, min: 1048576, max:16777216, sum: 26214400 }`; nothing where it is not whole.
struct Amount {
  std::optional<std::uint64_t> samples;
  std::optional<std::uint64_t> sum;
};

std::optional<Amount> parse_amount(std::string_view text) {
  text = trim(text);
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Amount amount;
  while (!text.empty()) {
    std::string_view pair = take_until(text, ',');
    const std::string_view key = trim(take_until(pair, ':'));
    if (key == "samples" && !amount.samples) amount.samples = parse_u64(trim(pair));
    if (key == "sum" && !amount.sum) amount.sum = parse_u64(trim(pair));
  }
  if (!amount.samples) return std::nullopt;
  return amount;
}

/// One job's counters on one target, as far as read.
struct Entry {
  std::string id;
  std::uint64_t line = 0;
  std::size_t fields = 0;
  std::optional<Time> snapshot;
  std::optional<Time> start;
  CounterMask has = 0;
  Counters values{};
  MetadataOperations metadata;
};

class JobStatsReader final : public LustrePartReader {
 public:
  JobStatsReader(const ReadOptions& options, JobIdPattern pattern, Harvest& harvest)
      : options_(options), pattern_(std::move(pattern)), harvest_(harvest) {}

  void begin(const LustrePart& part) override {
    part_ = part;
    ours_ = !part.announced || (part.parameter.name == "job_stats" && part.parameter.target.find('.') == std::string::npos);
    if (!ours_) harvest_.leave_out(part.parameter.name == "stats" ? "stats table (read by lustre_stats)" : "other Lustre parameter");
    visit_ = {};
  }

  void line(std::string_view text, std::uint64_t number) override {
    if (!ours_) return;
    std::string_view rest = trim(text);
    if (rest == "job_stats:" && !is_blank(text.front())) {
      end();
      visit_.started = true;
    } else if (rest.starts_with("- job_id:")) {
      finish_entry();
      visit_.started = true;
      rest.remove_prefix(9);
      open_.emplace();
      open_->id = unquoted(rest);
      open_->line = number;
    } else if (!open_) {
      harvest_.reject(number, text, "a line outside of any job_stats entry");
    } else {
      const std::string_view key = trim(take_until(rest, ':'));
      field(key, rest, text, number);
    }
  }

  void end() override {
    if (!ours_) return;
    finish_entry();
    for (const auto& [series, sum] : sums_) harvest_.sample(sum);
    sums_.clear();
    if (!visit_.started) return;
    // An empty dump says that no job had counters, if only it is known when.
    const Time told = part_.time.value_or(visit_.latest == no_time ? options_.default_time.value_or(no_time) : no_time);
    const Time t = std::max(visit_.latest, told);
    visit_ = {};
    const std::string& target = part_.parameter.target;
    if (t != no_time && !target.empty()) harvest_.mark({target, std::string(lustre_filesystem(target)), MarkKind::visit, t, 0});
  }

 private:
  struct Visit {
    bool started = false;
    Time latest = no_time;  // of its snapshot_times
  };

  /// 2.15 puts ids with odd characters in quotes.
  static std::string unquoted(std::string_view id) {
    id = trim(id);
    if (id.size() >= 2 && id.front() == '"' && id.back() == '"') id = id.substr(1, id.size() - 2);
    return std::string(id.substr(0, JobIdPattern::longest_id + 1));
  }

  void field(std::string_view key, std::string_view value, std::string_view text, std::uint64_t number) {
    if (++open_->fields > most_fields) return;
    if (key == "snapshot_time" || key == "start_time") {
      const auto time = parse_lustre_time(trim(value));
      (key == "start_time" ? open_->start : open_->snapshot) = time;
      if (!time) harvest_.reject(number, text, "not a time");
    } else if (key == "read_bytes") {
      count(Counter::read_bytes, Counter::read_ops, value, text, number);
    } else if (key == "write_bytes") {
      count(Counter::write_bytes, Counter::write_ops, value, text, number);
    } else if (const auto operation = MetadataOperations::place_of(key)) {
      metadata(*operation, key, value, text, number);
    }
  }

  void metadata(std::size_t operation, std::string_view key, std::string_view value, std::string_view text, std::uint64_t number) {
    const auto amount = parse_amount(value);
    if (!amount) {
      open_->metadata.spoil();
      return harvest_.reject(number, text, "a counter that is cut off or not a number");
    }
    open_->metadata.set(operation, *amount->samples);
    if (key != "open" && key != "close") return;
    const Counter counter = key == "open" ? Counter::opens : Counter::closes;
    open_->has |= mask(counter);
    open_->values[index(counter)] = *amount->samples;
  }

  /// OSTs show getattr, statfs and others too, which are no requests of clients for metadata.
  bool of_metadata_server(const Entry& entry) const {
    const auto& [subsystem, target, name] = part_.parameter;
    if (subsystem == "mdt" || target.find("-MDT") != std::string::npos) return true;
    return subsystem.empty() && target.find("OST") == std::string::npos && holds(entry.has, index(Counter::opens));
  }

  void count(Counter sum, Counter samples, std::string_view value, std::string_view text, std::uint64_t number) {
    auto amount = parse_amount(value);
    if (amount && !amount->sum && *amount->samples == 0) amount->sum = 0;
    if (!amount || !amount->sum) return harvest_.reject(number, text, "a counter that is cut off or not a number");
    open_->has |= static_cast<CounterMask>(mask(samples) | mask(sum));
    open_->values[index(samples)] = *amount->samples;
    open_->values[index(sum)] = *amount->sum;
  }

  void finish_entry() {
    if (!open_) return;
    Entry entry = *std::exchange(open_, std::nullopt);
    const auto all_metadata = entry.metadata.sum();
    if (all_metadata && entry.metadata.any() && of_metadata_server(entry)) {
      entry.has |= mask(Counter::metadata_ops);
      entry.values[index(Counter::metadata_ops)] = *all_metadata;
    }
    // snapshot_time is that of the job's last request. Whoever reads the table later finds the same values: nothing was done since.
    const auto time = entry.snapshot && part_.time ? std::max(entry.snapshot, part_.time)
                      : entry.snapshot             ? entry.snapshot
                      : part_.time                 ? part_.time
                                                   : options_.default_time;
    if (entry.snapshot) visit_.latest = std::max(visit_.latest, *entry.snapshot);
    const auto refuse = [&](std::string_view why) { harvest_.reject(entry.line, entry.id, why); };
    const std::string& target = part_.parameter.target;
    if (entry.id.empty()) return refuse("an entry with an empty job_id");
    if (entry.id.size() > JobIdPattern::longest_id) return refuse("a job_id of more than 255 characters");
    if (entry.fields > most_fields) return refuse("an entry of more than 256 fields");
    if (target.empty()) return refuse("nothing names the target of these job_stats (--server gives one)");
    const auto job = pattern_.job(entry.id);
    if (!job) return refuse("a job_id that does not match the pattern (--job-id-pattern)");
    if (!time) return refuse("an entry without snapshot_time (--time gives one)");
    if (entry.has == 0) return refuse("an entry without counters");
    Sample sample;
    sample.t = *time;
    sample.since = lustre_since(entry.start, *time);
    sample.series = harvest_.series(target, lustre_filesystem(target), *job);
    sample.has = entry.has;
    sample.traits = drop_is_expiry;
    sample.values = entry.values;
    if (pattern_.splits_jobs()) return add_up(sample);
    harvest_.sample(sample);
  }

  /// With `%j:%u:%H` a job has one entry per user and host: their sum is the job's. They come and go one by one, so that no
  /// single start_time holds for the sum.
  void add_up(Sample sample) {
    sample.since = no_time;
    const auto [found, first] = sums_.try_emplace(sample.series, sample);
    if (first) return;
    Sample& sum = found->second;
    sum.t = std::max(sum.t, sample.t);
    sum.has |= sample.has;
    for (std::size_t i = 0; i < counter_count; ++i) sum.values[i] += sample.values[i];
  }

  const ReadOptions& options_;
  JobIdPattern pattern_;
  Harvest& harvest_;
  LustrePart part_;
  bool ours_ = false;
  std::optional<Entry> open_;
  Visit visit_;
  std::map<SeriesId, Sample> sums_;  // of the table at hand
};

bool recognises(std::string_view first_bytes, std::string_view) {
  bool dump = false;  // after a `...=` line anything may come; without one the table must be first
  while (!first_bytes.empty()) {
    const std::string_view line = take_until(first_bytes, '\n');
    if (line.starts_with('#') || trim(line).empty()) continue;
    const auto announced = lustre_announcement(line);
    if (trim(line) == "job_stats:" || line.starts_with("- job_id:") || (announced && announced->parameter.name == "job_stats")) return true;
    dump = dump || announced;
    if (!dump) return false;
  }
  return false;
}

}  // namespace

extern const Reader lustre_job_stats;
constinit const Reader lustre_job_stats{
    .name = "lustre_job_stats",
    .summary = "Lustre job_stats of OSTs and MDTs: counters per job",
    .details =
        "The `job_stats` tables of Lustre 2.x, from `lctl get_param obdfilter.*.job_stats mdt.*.job_stats`, from files below /proc, or "
        "many of these put together. They are read line by line, so files of any size need little memory. The server is the target of "
        "the `obdfilter.scratch-OST0042.job_stats=` line or of the path (`obdfilter/scratch-OST0042/job_stats`), else `--server`; the "
        "file system is the part before `-OST` or `-MDT`. Other parameters in a dump are left out and counted.\n\n"
        "Each entry gives one sample of the job's own series: `read_bytes` and `write_bytes` (sum: bytes, samples: operations), `open` "
        "and `close` on an MDT; only the counters that the entry shows. Of an MDT also its metadata operations (`metadata_ops`), the sum "
        "of the samples of the same operations as in lustre_stats. Its time is its `snapshot_time` (whole seconds, or seconds and "
        "nanoseconds since 2.15), which is that of the job's last request; where a comment before the table (below) tells a later time of "
        "reading, that one: nothing "
        "was done in between. `start_time` (2.15) says when they were zero. Each table also says that its target was visited: a "
        "job that appears later had no counters then. The visit's time is the latest snapshot_time of the table or, if later, the time "
        "of a comment `# host=oss01 time=1704924117.04` before it (which is how an empty table gets one).\n\n"
        "Idle entries are thrown away by the server (job_cleanup_interval, 600 s by default), so counters restart inside a job: sample "
        "at less than half of that interval.\n\n"
        "By default the job is the job_id as it stands. `--job-id-pattern` says how the site's ids are made, in the terms of Lustre's "
        "jobid_name: with `%j:%u:%H` the id `11317854:17627127:r01c01` belongs to job 11317854; a pattern without `%j`, such as "
        "`%e.%u`, keeps the whole id. Where an id has more than its job in it, the entries of one job in a table (one per host, say) "
        "are added up. Ids that do not match, and empty ones, are rejected and counted.",
    .example =
        "obdfilter.scratch-OST0042.job_stats=\n"
        "job_stats:\n"
        "- job_id:          815871\n"
        "  snapshot_time:   1713431141\n"
        "  read_bytes:      { samples:      937568, unit: bytes, min:     4096, max:  4194304, sum:       8039751680, sumsq:   "
        "7499746432253952 }\n"
        "  write_bytes:     { samples:         189, unit: bytes, min:  3145728, max: 16777216, sum:       3152019456, sumsq:  "
        "52778757156503552 }\n"
        "  getattr:         { samples:           0, unit: usecs, min:        0, max:        0, sum: 0, sumsq: 0 }\n",
    .recognises = recognises,
    .read = [](LineInput& input, const ReadOptions& options, Harvest& harvest) -> Result<void> {
      TRY(JobIdPattern pattern, JobIdPattern::parse(options.job_id_pattern));
      JobStatsReader reader(options, std::move(pattern), harvest);
      return read_lustre_parts(input, options, harvest, reader);
    }};

}  // namespace fathom
