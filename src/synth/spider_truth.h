// SPDX-License-Identifier: Apache-2.0
/// truth/*.csv of the preset `spider`: what its applications, jobs and bursts really did, and what its counters can tell of it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "synth/spider_simulation.h"
#include "synth/text_file.h"

namespace fathom::titan {

class SpiderTruth {
 public:
  /// `directory` exists. With the cases some tables have more columns.
  SpiderTruth(std::string directory, const SpiderVariant& variant);

  void job(const JobRecord& record);
  void burst(const BurstRecord& record);
  void finish(const std::vector<Application>& apps, const OstCounters& counters, std::int64_t samples, std::uint64_t lines);
  bool good() const { return jobs_.good() && bursts_.good(); }
  Result<void> close();

 private:
  struct SeenPattern {
    std::uint64_t bursts = 0, bytes = 0;  // of bursts that came to their end
    Millis burst_time = 0;
    std::uint64_t intervals = 0;
    Millis interval_time = 0;
  };
  struct Seen {
    std::uint64_t runs = 0, runs_io_off = 0;
    std::array<SeenPattern, 2> patterns;
  };
  void write_applications(const std::vector<Application>& apps);
  void write_pattern(const std::vector<Application>& apps, const Application& app, const Seen& seen, std::size_t which, TextFile& file);
  void write_counters(const OstCounters& counters, std::int64_t samples, std::uint64_t lines);
  TextFile table(std::string_view name) const { return TextFile(directory_ + "/" + std::string(name)); }
  void done(TextFile& file);

  std::string directory_;
  bool cases_;
  TextFile jobs_;
  TextFile bursts_;
  std::unordered_map<const Application*, Seen> seen_;
  std::unordered_map<std::uint64_t, std::array<std::optional<Millis>, 2>> latest_burst_;  // begin, by job and pattern
  std::uint64_t ran_ = 0, never_ran_ = 0;
  Result<void> trouble_;
};

/// `0000-000b 0010`: the OST numbers of one partition as in the servers' names.
std::string ost_list(const std::vector<std::uint16_t>& osts);

}  // namespace fathom::titan
