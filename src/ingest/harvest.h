// SPDX-License-Identifier: Apache-2.0
/// What readers deliver into: samples in batches, marks, jobs, and an account of what could not be used.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/run.h"
#include "model/job.h"
#include "model/sample.h"

namespace fathom {

/// Names of series by id. A name is three words, each kept once: a million series of a thousand jobs stay small.
class SeriesNames {
 public:
  using WordId = std::uint32_t;
  struct Entry {
    WordId server, filesystem, job;
    bool operator==(const Entry&) const = default;
  };

  SeriesName name(SeriesId id) const { return {std::string(server(id)), std::string(filesystem(id)), std::string(job(id))}; }
  std::string_view server(SeriesId id) const { return words_[series_[id].server]; }
  std::string_view filesystem(SeriesId id) const { return words_[series_[id].filesystem]; }
  std::string_view job(SeriesId id) const { return words_[series_[id].job]; }
  std::size_t size() const { return series_.size(); }
  /// In the order of names.
  bool less(SeriesId a, SeriesId b) const;

  /// What was added since there were `words` words and `series` series, and taking it over on the other side.
  struct News {
    std::vector<std::string> words;
    std::vector<Entry> series;
  };
  News since(std::size_t words, std::size_t series) const;
  void add(const News& news);
  std::size_t word_count() const { return words_.size(); }

 protected:
  std::vector<std::string> words_;
  std::vector<Entry> series_;
};

/// Gives each name an id: dense, stable for the table's life.
class SeriesTable : public SeriesNames {
 public:
  SeriesId id(std::string_view server, std::string_view filesystem, std::string_view job = {});

 private:
  WordId word(std::string_view text);

  std::vector<std::uint32_t> word_slots_;  // open addressing, index + 1
  std::vector<std::uint32_t> series_slots_;
};

/// A line or record that could not be used, kept for the first few of a file.
struct Reject {
  std::string path;
  std::uint64_t line = 0;
  std::string why;
  std::string text;
};

/// What one file gave, and what of it was no use. Bad data is counted and shown, never silent, never fatal.
struct ReadAccount {
  std::uint64_t lines = 0;
  std::uint64_t samples = 0;
  std::uint64_t marks = 0;
  std::uint64_t jobs = 0;
  std::uint64_t rejected = 0;
  std::vector<Reject> first_rejects;
  /// Records that are understood and rightly left out, by reason: "job never ran" -> 239.
  std::map<std::string, std::uint64_t, std::less<>> left_out;
  /// Sentences for the user, each once: "times carry no zone: taken as UTC (--timezone to change)".
  std::vector<std::string> notices;
};

struct Batch {
  SeriesNames::News names;  // of the series that no batch before had
  std::vector<Sample> samples;
  std::vector<Mark> marks;
  std::vector<Job> jobs;
  std::vector<JobRun> runs;
  bool empty() const { return samples.empty() && marks.empty() && jobs.empty() && runs.empty(); }
  /// Keeps its memory.
  void clear() {
    names = {};
    samples.clear();
    marks.clear();
    jobs.clear();
    runs.clear();
  }
};

class Harvest {
 public:
  static constexpr std::size_t kept_rejects = 5;
  /// A batch is also full with this many new series: then most have one sample, and waiting gains nothing.
  static constexpr std::size_t batch_series = 1u << 15;

  /// `full` is called with each batch of about `batch_samples` samples, and by flush(). What it leaves in its place, an
  /// empty batch that was used before, is filled next.
  Harvest(SeriesTable& series, std::size_t batch_samples, std::function<void(Batch&)> full);

  /// All that follows comes from this file.
  void begin_source(std::string path, SourceId source);

  SeriesId series(std::string_view server, std::string_view filesystem, std::string_view job = {}) {
    return series_.id(server, filesystem, job);
  }
  void sample(const Sample& sample) {
    std::uint64_t bits = 0;
    for (const std::uint64_t value : sample.values) bits |= value;
    if (bits >> 63 != 0) return reject(0, series_.server(sample.series), "a counter of 2^63 or more: no server has moved that much");
    if (batch_.samples.size() == batch_.samples.capacity()) make_room();
    batch_.samples.push_back(sample);
    batch_.samples.back().source = source_;
    ++account_.samples;
    if (batch_.samples.size() >= batch_samples_ || series_.size() >= named_series_ + batch_series) flush();
  }
  void mark(Mark mark);
  void job(Job job);
  /// What a job's own processes did, as one file tells it; the file gives the run its name.
  void run(JobRun run);

  void lines(std::uint64_t count) {
    account_.lines += count;
    if ((account_.lines & 0xffff) == 0 && tell_) tell_();
  }
  void reject(std::uint64_t line, std::string_view text, std::string_view why);
  void leave_out(std::string_view reason, std::uint64_t count = 1);
  void notice(std::string sentence);

  /// Called about once per batch of input, for progress.
  void on_block(std::function<void()> tell) { tell_ = std::move(tell); }

  const ReadAccount& account() const { return account_; }
  /// A slice takes some hundred bytes until it is committed, many times what is left of a sample.
  static constexpr std::size_t samples_per_slice = 8;
  std::size_t waiting() const {
    std::size_t slices = 0;
    for (const JobRun& run : batch_.runs) slices += slices_of(run);
    return batch_.samples.size() + batch_.jobs.size() + samples_per_slice * slices;
  }
  void flush();

 private:
  void make_room();

  SeriesTable& series_;
  std::size_t batch_samples_;
  std::function<void(Batch&)> full_;
  std::function<void()> tell_;
  Batch batch_;
  SourceId source_ = 0;
  std::string path_;
  std::size_t named_series_ = 0, named_words_ = 0;  // how many the batches so far have named
  ReadAccount account_;
};

}  // namespace fathom
