// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

constexpr std::array<std::string_view, 6> columns = {"jobid", "ts", "nodeid", "MbwR", "MbrR", "ocR"};
constexpr std::size_t most_rows = std::size_t{1} << 24;  // of one file, which is one job's

/// Of the step: moments that lie further apart lack a round between them, in which all nodes had zeros.
constexpr double missing_round = 1.9;

struct Row {
  SeriesId series = 0;
  Time t{};
  std::array<double, 3> rates{};  // MiB/s written, MiB/s read, opens and closes per second
};

bool is_header(std::string_view line) {
  for (const std::string_view column : columns)
    if (take_word(line) != column) return false;
  return trim(line).empty();
}

/// FSusage_9438058_scratch_node.dat: the file system; empty where the name says `all`, or nothing.
std::string filesystem_of(std::string_view path) {
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  if (!path.starts_with("FSusage_")) return "";
  take_until(path, '_');
  take_until(path, '_');
  const std::string_view name = path.substr(0, path.find("_node"));
  return name.size() == path.size() || name == "all" ? "" : std::string(name);
}

/// `9438058    1709302348      jwb0263 0.000000 2.072352 2.300000e+01`
struct Line {
  std::string_view job, node;
  Time t{};
  std::array<double, 3> rates{};
};
std::optional<Line> parse(std::string_view text) {
  Line line;
  line.job = take_word(text);
  const auto t = parse_unix_seconds(take_word(text));
  line.node = take_word(text);
  if (!t || line.node.empty()) return std::nullopt;
  line.t = *t;
  for (double& rate : line.rates) {
    const auto value = parse_double(take_word(text));
    if (!value || !(*value >= 0) || !(*value < 1e9)) return std::nullopt;
    rate = *value;
  }
  if (!trim(text).empty()) return std::nullopt;
  return line;
}

/// The moments at which a file has rows. LLview asks all nodes at once, so that they tell how long each row counts.
class Moments {
 public:
  Moments(const std::vector<Row>& rows, std::optional<Duration> step) : step_(step) {
    for (const Row& row : rows) all_.push_back(row.t);
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    std::vector<Duration> between;
    for (std::size_t i = 1; i < all_.size(); ++i) between.push_back(all_[i] - all_[i - 1]);
    if (between.empty()) return;
    std::nth_element(between.begin(), between.begin() + static_cast<std::ptrdiff_t>(between.size() / 2), between.end());
    usual_ = between[between.size() / 2];
  }

  /// When the interval of the rows at `t` began; nothing for the first ones without --step.
  std::optional<Time> begin(Time t) const {
    const auto at = std::lower_bound(all_.begin(), all_.end(), t);
    const Duration step = step_.value_or(usual_);
    if (at == all_.begin()) return step_ ? std::optional(t - step) : std::nullopt;
    const Duration since = t - *std::prev(at);
    return static_cast<double>(since.count()) <= missing_round * static_cast<double>(step.count()) ? *std::prev(at) : t - step;
  }

 private:
  std::vector<Time> all_;
  std::optional<Duration> step_;
  Duration usual_{};
};

constexpr CounterMask told = byte_counters | mask(Counter::opens) | mask(Counter::closes);

Sample sample_of(const Row& row, Time begin) {
  Sample sample;
  sample.t = row.t;
  sample.series = row.series;
  sample.traits = per_interval;
  sample.has = told;
  sample.since = begin;
  const double length = seconds(row.t - begin);
  const auto amount = [&](double rate, double unit) {
    return static_cast<std::uint64_t>(std::llround(std::min(rate * unit * length, 0x1p62)));
  };
  sample.values[index(Counter::write_bytes)] = amount(row.rates[0], 0x1p20);
  sample.values[index(Counter::read_bytes)] = amount(row.rates[1], 0x1p20);
  const std::uint64_t both = amount(row.rates[2], 1);
  sample.values[index(Counter::opens)] = both - both / 2;
  sample.values[index(Counter::closes)] = both / 2;
  return sample;
}

/// Rates become amounts. Rows of zeros are not in the file: where a series has none, nothing was done.
void deliver(std::vector<Row>& rows, const ReadOptions& options, Harvest& harvest) {
  const Moments moments(rows, options.step);
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.t < b.t; });
  std::map<SeriesId, Time> last;
  for (const Row& row : rows) {
    const auto begin = moments.begin(row.t);
    const auto [before, first] = last.try_emplace(row.series, row.t);
    if (!begin) {
      harvest.leave_out("row whose interval is not known: the first of its file (--step)");
      continue;
    }
    if (!first && before->second < *begin) {
      Sample nothing;
      nothing.t = *begin;
      nothing.since = before->second;
      nothing.series = row.series;
      nothing.traits = per_interval;
      nothing.has = told;
      harvest.sample(nothing);
    }
    before->second = row.t;
    harvest.sample(sample_of(row, *begin));
  }
}

Result<void> read_rows(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  const std::string filesystem = filesystem_of(input.path());
  std::vector<Row> rows;
  std::uint64_t lines = 0;
  auto status = input.for_each_line([&](std::string_view text, std::uint64_t number) {
    ++lines;
    if (trim(text).empty() || is_header(text)) return true;
    const auto line = parse(text);
    if (!line)
      harvest.reject(number + options.first_line - 1, text, "not jobid, Unix time, node and three rates");
    else if (rows.size() >= most_rows)
      harvest.reject(number + options.first_line - 1, text, "more rows than a file may have");
    else
      rows.push_back({harvest.series(line->node, filesystem, line->job), line->t, line->rates});
    return true;
  });
  harvest.lines(lines);
  deliver(rows, options, harvest);
  return status;
}

bool recognises(std::string_view text, std::string_view path) {
  while (!text.empty()) {
    const std::string_view line = take_until(text, '\n');
    if (trim(line).empty()) continue;
    return is_header(line) || (path.substr(path.rfind('/') + 1).starts_with("FSusage_") && parse(trim(line)).has_value());
  }
  return false;
}

}  // namespace

extern const Reader llview_fsusage;
constinit const Reader llview_fsusage{
    .name = "llview_fsusage",
    .summary = "LLview: file system usage of a job's nodes (FSusage_JOB_FS_node.dat)",
    .details =
        "What LLview keeps of a job for its reports: a line for each node and moment, with MiB/s written and read and opens and closes per "
        "second. "
        "The server is the node, the job is the tag of its counters, as with Lustre's job_stats; the file system is taken from the file's "
        "name (`all`: none). Ingest either "
        "the files of `all` or those of the file systems.\n\n"
        "A rate becomes an amount: rate times the time since the moment before, of any node of the file, as LLview asks all of them at "
        "once. LLview leaves lines of zeros out: where a node has no line, nothing was done, and where "
        "all nodes have none for more than 1.9 times the usual interval, a line counts for the usual interval alone (`--step`, or the "
        "median of the file). Lines of a file's first moment need `--step`; without it they "
        "are left out, and counted. Opens and closes are told as one number: half of it counts as opens (rounded up), half as closes. "
        "In a public job of LLview the amounts come within 1 % of the sums that LLview itself has.",
    .example =
        "jobid              ts       nodeid     MbwR     MbrR      ocR\n"
        "9438058    1709302348      jwb0263 0.000000 2.072352 2.300000e+01\n"
        "9438058    1709302348      jwb0264 0.000000 0.000002 0.000000e+00\n"
        "9438058    1709302392      jwb0263 0.002048 2.051277 1.160000e+02\n",
    .recognises = recognises,
    .read = read_rows};

}  // namespace fathom
