// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

#include "base/text.h"
#include "ingest/job_book.h"
#include "ingest/sources.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

/// A file was read to its end.
struct FileDone {
  FileReport report;
  SourceRecord source;
};

/// Files that were read to their ends. They come together: the batches before them hold samples of all of them, so
/// that a commit which named only some would keep samples whose file is not listed.
using FilesDone = std::vector<FileDone>;

/// What the reading thread hands to the writing one; at most one item waits.
class Channel {
 public:
  using Item = std::variant<Batch, FilesDone>;

  /// False when the other side has given up.
  bool put(Item item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || items_.size() < 1; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  std::optional<Item> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || finished_ || !items_.empty(); });
    if (items_.empty() || closed_) return std::nullopt;
    Item item = std::move(items_.front());
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

  /// An emptied batch goes back for its memory.
  void give_back(Batch batch) {
    std::lock_guard lock(mutex_);
    spare_.push_back(std::move(batch));
  }
  Batch spare() {
    std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    Batch batch = std::move(spare_.back());
    spare_.pop_back();
    return batch;
  }

  void finish() { set(finished_); }
  void close() { set(closed_); }
  bool closed() {
    std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  void set(bool& flag) {
    std::lock_guard lock(mutex_);
    flag = true;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::vector<Batch> spare_;
  bool finished_ = false, closed_ = false;
};

/// The writing side: merges batches and commits at the ends of files.
class Writer {
 public:
  Writer(Transaction& transaction, const IngestOptions& options) : transaction_(transaction), options_(options), merger_(transaction) {}

  Result<void> begin() { return merger_.begin(); }

  Result<void> take(Channel::Item& item) {
    if (auto* batch = std::get_if<Batch>(&item)) {
      samples_ += batch->samples.size();
      const auto& horizon = transaction_.manifest().forgotten_before;
      for (Job& job : batch->jobs) {
        if (horizon && job.end != no_time && day_of(job.end) < *horizon) {
          ++merger_.counts(job.source).before_horizon;
          continue;
        }
        if (options_.map_servers) options_.map_servers(job);
        jobs_.add(std::move(job));
      }
      batch->jobs.clear();
      for (JobRun& run : batch->runs) {
        if (horizon && day_of(run.end) < *horizon) {
          ++merger_.counts(run.job.source).before_horizon;
          continue;
        }
        samples_ += Harvest::samples_per_slice * slices_of(run);
        runs_.push_back({std::move(run), {}});
      }
      batch->runs.clear();
      return merger_.add(*batch);
    }
    for (FileDone& done : std::get<FilesDone>(item)) done_.push_back(std::move(done));
    // A killed ingest goes on from the last commit; a few million samples are a few seconds of work.
    return samples_ >= options_.commit_samples ? commit() : Result<void>{};
  }

  Result<void> commit() {
    TRY_VOID(link_runs());
    TRY_VOID(jobs_.stage(transaction_));
    TRY_VOID(stage_runs(transaction_, runs_));
    for (const LinkedRun& each : runs_)
      report_.runs.push_back({each.run.path, each.link.job.id, each.link.by, each.run.slices.processes.size(), slices_of(each.run)});
    runs_.clear();
    std::map<SourceId, std::uint64_t> overlaps = jobs_.overlaps();
    for (const auto& [id, counts] : merger_.all_counts()) overlaps[id] += counts.overlaps;
    std::vector<SourceRecord> sources;
    for (FileDone& done : done_) {
      done.report.merged = merger_.counts(done.source.id);
      done.report.merged.overlaps = overlaps_told_[done.source.id] = overlaps[done.source.id];
      done.source.merged = done.report.merged;
      sources.push_back(done.source);
    }
    TRY_VOID(tell_overlaps(std::move(overlaps)));
    TRY_VOID(stage_sources(transaction_, sources));
    TRY_VOID(transaction_.commit());
    for (FileDone& done : done_) report_.files.push_back(std::move(done.report));
    done_.clear();
    samples_ = 0;
    return {};
  }

  Result<IngestReport> report() {
    TRY(report_.repairs, merger_.repairs());
    report_.conflict_examples = merger_.conflict_examples();
    return std::move(report_);
  }

 private:
  /// Of files of earlier commits a file of this one may tell readings and jobs again: if it is taken out, theirs are missed.
  Result<void> tell_overlaps(std::map<SourceId, std::uint64_t> overlaps) {
    for (auto& [id, count] : overlaps) count -= overlaps_told_[id];
    std::erase_if(overlaps, [](const auto& each) { return each.second == 0; });
    TRY(const std::vector<SourceId> told, add_overlaps(transaction_, overlaps));
    for (const SourceId id : told) overlaps_told_[id] += overlaps[id];
    return {};
  }

  /// Runs find their jobs among those of the store and of all files that were read before this commit, in any order.
  Result<void> link_runs() {
    if (runs_.empty()) return {};
    std::vector<Job> known;
    if (!transaction_.manifest().of(jobs_table.name).empty()) {
      TRY(known, read_jobs(transaction_.database(), transaction_.rows_of(jobs_table)));
    }
    jobs_.append_to(known);
    std::vector<LinkedRun> linked;
    for (LinkedRun& each : runs_) {
      auto link = link_run(known, each.run);
      if (!link) {
        leave_alone(each.run, link.error().message);
        continue;
      }
      each.link = *std::move(link);
      if (!each.link.known) {
        known.push_back(each.link.job);
        jobs_.add(each.link.job);
      }
      linked.push_back(std::move(each));
    }
    runs_ = std::move(linked);
    return {};
  }

  /// One file that claims a job of somebody else does not keep the others out.
  void leave_alone(const JobRun& run, const std::string& why) {
    for (FileDone& done : done_) {
      if (done.source.id != run.job.source) continue;
      done.report.account.notices.push_back(why);
      done.source.account.notices.push_back(why);
    }
  }

  Transaction& transaction_;
  const IngestOptions& options_;
  Merger merger_;
  JobBook jobs_;
  std::vector<LinkedRun> runs_;
  FilesDone done_;
  std::map<SourceId, std::uint64_t> overlaps_told_;  // what the rows of sources say already
  std::uint64_t samples_ = 0;
  IngestReport report_;
};

/// Runs `read` on a thread of its own, which delivers into a harvest, and `writer` here.
template <class Read>
Result<void> pipeline(Channel& channel, Writer& writer, Read&& read) {
  Result<void> read_status;
  std::thread reading([&] {
    read_status = read();
    channel.finish();
  });
  Result<void> write_status;
  while (auto item = channel.take()) {
    write_status = writer.take(*item);
    if (!write_status) {
      channel.close();
      break;
    }
    if (auto* batch = std::get_if<Batch>(&*item)) channel.give_back(std::move(*batch));
  }
  reading.join();
  if (!write_status) return write_status;
  TRY_VOID(read_status);
  return writer.commit();
}

/// The reading side.
class Intake {
 public:
  Intake(const IngestOptions& options, Channel& channel, KnownSources known, std::uint32_t next_source)
      : options_(options),
        channel_(channel),
        known_(std::move(known)),
        next_source_(next_source),
        harvest_(series_, options.batch_samples, [this](Batch& batch) {
          stopped_ = !channel_.put(std::move(batch)) || stopped_;
          batch = channel_.spare();
        }) {}

  Result<void> read_all(const std::vector<InputFile>& files) {
    for (const InputFile& file : files) {
      std::error_code problem;
      if (!file.outside) total_bytes_ += std::filesystem::file_size(file.path, problem);
    }
    for (const InputFile& file : files) {
      TRY_VOID(read(file));
      if (stopped_) break;
    }
    hand_over();
    return {};
  }

  Result<void> deliver(const std::string& name, const std::string& format, const std::function<Result<void>(Harvest&)>& give) {
    FileReport report{
        .path = name, .format = format, .source = next_source_++, .known = false, .left_alone = {}, .account = {}, .merged = {}};
    harvest_.begin_source(name, report.source);
    TRY_VOID(give(harvest_));
    finish(std::move(report), 0, "");
    hand_over();
    return {};
  }

 private:
  Result<void> read(const InputFile& file) {
    FileReport report{.path = file.path, .format = {}, .source = 0, .known = false, .left_alone = {}, .account = {}, .merged = {}};
    if (file.outside) {
      report.left_alone = "is a link that leads out of its directory: name it to read it";
      done_.push_back({std::move(report), {}});
      return {};
    }
    TRY(LineInput input, LineInput::open(file.path));
    const std::uint64_t bytes = input.stored_bytes();
    // Another size, another file: only then is it worth hashing before reading.
    if (known_.has_size(bytes)) {
      TRY(const std::string hash, hash_file(file.path));
      if (const auto* source = known_.find(bytes, hash)) {
        report.known = true;
        report.source = source->id;
        report.format = source->format;
        done_.push_back({std::move(report), {}});
        return advance(bytes);
      }
    }
    const Reader* reader = options_.reader;
    if (reader == nullptr) {
      auto found = reader_for(input);
      if (!found && !file.named && found.error().kind == ErrorKind::unsupported) {
        report.left_alone = "is of no known kind";
        done_.push_back({std::move(report), {}});
        return advance(bytes);
      }
      TRY(reader, std::move(found));
    }
    report.format = reader->name;
    report.source = next_source_++;
    harvest_.begin_source(file.path, report.source);
    harvest_.on_block([&] { options_.progress(done_bytes_ + input.stored_bytes_read(), total_bytes_); });
    TRY_VOID(reader->read(input, options_.read, harvest_));
    TRY_VOID(input.status());
    for (std::uint64_t i = 0; i < input.overlong_lines(); ++i) harvest_.reject(0, "", "a line of more than 16 MiB");
    if (input.stored_bytes_read() < bytes) {  // a reader that opens the file itself (SQLite)
      TRY(std::string hash, hash_file(file.path));
      finish(std::move(report), bytes, std::move(hash));
    } else {
      finish(std::move(report), bytes, input.content_hash());
    }
    return advance(bytes);
  }

  Result<void> advance(std::uint64_t bytes) {
    done_bytes_ += bytes;
    options_.progress(done_bytes_, total_bytes_);
    return {};
  }

  void finish(FileReport report, std::uint64_t bytes, std::string hash) {
    report.account = harvest_.account();
    SourceRecord source{.id = report.source,
                        .name = as_utf8(report.path),
                        .format = report.format,
                        .bytes = bytes,
                        .hash = std::move(hash),
                        .sharing = options_.sharing,
                        .account = report.account,
                        .merged = {}};
    known_.add(source);
    done_.push_back({std::move(report), std::move(source)});
    // Thousands of small files (one dump of counters each) share batches.
    if (harvest_.waiting() >= options_.batch_samples / 4) hand_over();
  }

  /// Passes on all that was read, then the word that its files are done.
  void hand_over() {
    harvest_.flush();
    if (!done_.empty()) stopped_ = stopped_ || !channel_.put(std::exchange(done_, {}));
  }

  const IngestOptions& options_;
  Channel& channel_;
  KnownSources known_;
  std::uint32_t next_source_;
  SeriesTable series_;
  Harvest harvest_;
  FilesDone done_;  // files whose samples may still be in the harvest
  bool stopped_ = false;
  std::uint64_t done_bytes_ = 0, total_bytes_ = 0;
};

template <class Give>
Result<IngestReport> run(const Store& store, const IngestOptions& options, Give&& give) {
  DatabaseOptions database{.threads = options.database_threads, .memory_limit = options.memory_limit, .scratch_directory = {}};
  TRY(Transaction transaction, store.begin(database, options.waiting));
  TRY(KnownSources known, load_sources(transaction));
  Writer writer(transaction, options);
  TRY_VOID(writer.begin());
  Channel channel;
  Intake intake(options, channel, std::move(known), transaction.manifest().next_source);
  TRY_VOID(pipeline(channel, writer, [&] { return give(intake); }));
  return writer.report();
}

}  // namespace

Result<IngestReport> ingest(const Store& store, const std::vector<std::string>& paths, const IngestOptions& options) {
  TRY(const std::vector<InputFile> files, find_inputs(paths));
  if (files.empty()) return Error{ErrorKind::not_found, "ingesting: there are no files to read"};
  return run(store, options, [&](Intake& intake) { return intake.read_all(files); });
}

Result<IngestReport> ingest_from(const Store& store, const std::string& name, const std::string& format,
                                 const std::function<Result<void>(Harvest&)>& deliver, const IngestOptions& options) {
  return run(store, options, [&](Intake& intake) { return intake.deliver(name, format, deliver); });
}

}  // namespace fathom
