// SPDX-License-Identifier: Apache-2.0
#include "cli/study_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/progress.h"
#include "base/talk.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/rank_exchange.h"
#include "store/filesystems.h"

namespace fathom {
namespace {

double volume(const Ledger::Amounts& amounts) { return static_cast<double>(amounts[0]) + static_cast<double>(amounts[1]); }

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text, std::string_view option) {
  const auto refuse = [&](std::string_view why) {
    return Error{ErrorKind::usage,
                 fmt::format("reading {} {}: {} (a number of bytes, with K, M, G or T for powers of 1024)", option, text, why)};
  };
  std::string_view digits = text;
  unsigned shift = 0;
  if (!digits.empty()) {
    const std::size_t power = std::string_view("KMGT").find(static_cast<char>(std::toupper(static_cast<unsigned char>(digits.back()))));
    if (power != std::string_view::npos) {
      shift = 10 * static_cast<unsigned>(power + 1);
      digits.remove_suffix(1);
    }
  }
  if (digits.empty()) return refuse("it is empty");
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return refuse("not a whole number that is 0 or more");
    if (value > (std::uint64_t{1} << 60)) return refuse("too large");
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (value > (std::uint64_t{1} << 60) >> shift) return refuse("too large");
  return value << shift;
}

Result<std::vector<std::uint64_t>> parse_sizes(const std::string& text, std::string_view option) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    TRY(const std::uint64_t size, parse_size(std::string_view(text).substr(begin, comma - begin), option));
    sizes.push_back(size);
    begin = comma + 1;
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() > 64) return Error{ErrorKind::usage, fmt::format("reading {}: more than 64 values", option)};
  return sizes;
}

std::shared_ptr<StudyArguments> add_study_options(CommandLine& line, StudyArguments defaults) {
  auto a = std::make_shared<StudyArguments>(std::move(defaults));
  line.add_option("STORE", a->store, "the store").required();
  line.add_option("--job", a->jobs, "only this job, whatever the filters say; may be given several times").type_name("ID");
  line.add_option("--link", a->link,
                  "how increments are linked to jobs: weighted (default), simple, discard, double-count; window: all traffic while the job "
                  "ran, for shared servers")
      .one_of({"weighted", "simple", "discard", "double-count", "window"})
      .type_name("STRATEGY");
  line.add_option("--threshold", a->threshold,
                  fmt::format("bytes per second above which a server is active (default {}); several: 0,128K,1M", a->threshold))
      .type_name("BYTES");
  line.add_option("--small", a->small, fmt::format("requests of at most this size are small (default {}); several: 4K,1M", a->small))
      .type_name("BYTES");
  line.add_option("--min-runtime", a->min_runtime, "leave out shorter jobs, in seconds (default 3600)").not_negative().type_name("S");
  line.add_option("--require-io", a->require_io,
                  "leave out jobs without any I/O (any, the default), or without reads or without writes (both)")
      .one_of({"any", "both"})
      .type_name("any|both");
  line.add_option("--exclude", a->exclude, "leave out jobs of this name, such as benchmarks; may be given several times").type_name("NAME");
  line.add_option("--filesystem", a->filesystem, "only this file system (default: the sum over all)").type_name("NAME");
  line.add_option("--threads", a->threads, "how many threads (default: one per core)").type_name("N");
  return a;
}

Result<StudyOptions> study_options(const StudyArguments& given) {
  StudyOptions options;
  const auto link = std::find(link_names.begin(), link_names.end(), given.link);
  options.link = static_cast<LinkStrategy>(link - link_names.begin());
  TRY(options.thresholds, parse_sizes(given.threshold, "--threshold"));
  TRY(options.small, parse_sizes(given.small, "--small"));
  options.min_runtime = given.min_runtime;
  options.both_directions = given.require_io == "both";
  options.exclude = given.exclude;
  options.filesystem = given.filesystem;
  options.job_ids = given.jobs;
  options.threads = given.threads;
  return options;
}

Result<Study> run_study(const StudyArguments& given, StudyOptions options, Ranks* ranks) {
  TRY(const Store store, Store::open(given.store));
  if (!options.filesystem.empty()) {
    TRY(const Snapshot snapshot, store.snapshot());
    TRY_VOID(require_filesystem(snapshot, "characterising jobs by the counters", options.filesystem));
  }
  Progress progress("characterising", Progress::Unit::share);
  options.progress = [&](double share) { progress.update(static_cast<std::uint64_t>(share * 1e6), 1'000'000); };
  if (ranks != nullptr) options.exchange = exchange_of(*ranks);
  return study(store, options);
}

std::string about(const Study& study) {
  const Ledger& ledger = study.analysis.ledger;
  std::string text =
      fmt::format("{} of {}", human_count(study.analysis.jobs.size() + study.kept.size()), counted(study.machine.jobs.size(), "job"));
  if (!study.kept.empty())
    text += fmt::format("; {} known from before, {} computed", human_count(study.kept.size()), human_count(study.analysis.jobs.size()));
  for (const LeftOut& left : study.left_out) text += fmt::format("; {} left out: {}", human_count(left.jobs), left.reason);
  const std::string extra =
      (volume(ledger.discarded) > 0 ? fmt::format(" + {} discarded", human_bytes(volume(ledger.discarded))) : "") +
      (volume(ledger.repeated) > 0 ? fmt::format(" - {} given to more than one job", human_bytes(volume(ledger.repeated))) : "");
  text += "\n";
  if (ledger.increments > 0 || study.kept.empty())
    text += fmt::format("{} to jobs + {} unattributed{} = {} counted{}: conserved exactly ({}, {} shared by jobs, link {})\n",
                        human_bytes(volume(ledger.to_jobs)), human_bytes(volume(ledger.unattributed)), extra,
                        human_bytes(volume(ledger.total)), study.whole ? "" : " on these jobs' servers and days",
                        counted(ledger.increments, "increment"), human_count(ledger.conflicted), name_of(study.options.link));
  std::size_t uncovered = 0;
  for (const Measured& m : study.analysis.measured) uncovered += (m.flags & low_coverage) != 0;
  for (const KeptJob& kept : study.kept) uncovered += (kept.flags & low_coverage) != 0;
  if (uncovered > 0)
    text += fmt::format("{} measured less than {:.0f} % of the time (flag low_coverage): {} are lower bounds\n",
                        counted(uncovered, "job was", "jobs were"), 100 * enough_coverage, uncovered == 1 ? "its sums" : "their sums");
  if (study.machine.simultaneous > 0 && study.options.link != LinkStrategy::window)
    text += fmt::format("on {} jobs ran at the same time: their shares there are guesses\n", counted(study.machine.simultaneous, "server"));
  if (!study.not_kept.empty()) text += fmt::format("the results were not kept in the store: {}\n", study.not_kept);
  return text;
}

void tell_about(const Study& study) { tell("{}", about(study)); }

}  // namespace fathom
