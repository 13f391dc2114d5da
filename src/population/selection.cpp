// SPDX-License-Identifier: Apache-2.0
#include "population/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/random.h"
#include "base/units.h"
#include "population/job_values.h"

namespace fathom {
namespace {

struct Rule {
  std::string_view key;
  Direction x;
  std::string_view words;
};
constexpr Rule maxima[] = {{"bytes", Direction::read, "most bytes read"},
                           {"bytes", Direction::write, "most bytes written"},
                           {"ops", Direction::read, "most read operations"},
                           {"ops", Direction::write, "most write operations"},
                           {"bw_max_inner", Direction::read, "highest read bandwidth"},
                           {"bw_max_inner", Direction::write, "highest write bandwidth"},
                           {"iops_max_inner", Direction::read, "highest read IOPS"},
                           {"iops_max_inner", Direction::write, "highest write IOPS"},
                           {"metadata_ops", Direction::total, "most metadata operations"},
                           {"metadata_rate_max", Direction::total, "highest metadata rate"}};
constexpr Rule medians[] = {{"bytes", Direction::write, "bytes written"},
                            {"ops", Direction::write, "write operations"},
                            {"bw_max_inner", Direction::read, "read bandwidth"},
                            {"iops_max_inner", Direction::read, "read IOPS"},
                            {"iops_max_inner", Direction::write, "write IOPS"}};
constexpr Rule equals[] = {{"bw_max_inner", Direction::read, "maximum bandwidth"}, {"iops_max_inner", Direction::read, "maximum IOPS"}};

class Selector {
 public:
  Selector(const Study& study, const SelectionOptions& options) : study_(study), options_(options) {
    read_ = values("bytes", Direction::read);
    written_ = values("bytes", Direction::write);
    find_large_jobs();
  }

  void add_named() {
    for (const std::string& id : options_.named) {
      bool found = false;
      for (std::size_t i = 0; i < read_.size(); ++i)
        if (study_.machine.jobs[study_.analysis.jobs[i]].id == id) choose(i, "asked for"), found = true;
      if (!found) result_.notes.push_back(fmt::format("Job {} was asked for, but is not among the analysed jobs.", id));
    }
  }

  void add_maxima() {
    for (const Rule& rule : maxima) {
      const auto found = values(rule.key, rule.x);
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] > (best ? found[*best] : 0)) best = i;
      if (best) choose(*best, fmt::format("{}: {}", rule.words, human(found[*best], job_value(rule.key).unit)));
    }
  }

  /// "The job at the middle of the sorted criterion" (D 4.5.7); of an even number the lower one of the middle two.
  void add_medians() {
    for (const Rule& rule : medians) {
      const auto found = values(rule.key, rule.x);
      std::vector<std::size_t> order;
      for (const std::size_t i : large_)
        if (std::isfinite(found[i])) order.push_back(i);
      if (order.empty()) continue;
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return found[a] < found[b]; });
      const std::size_t middle = order[(order.size() - 1) / 2];
      choose(middle, fmt::format("median of {}, of {}: {}", rule.words, large_words_, human(found[middle], job_value(rule.key).unit)));
    }
  }

  void add_equals() {
    for (const Rule& rule : equals) {
      const auto reading = values(rule.key, Direction::read), writing = values(rule.key, Direction::write);
      std::optional<std::size_t> best;
      const auto apart = [&](std::size_t i) { return std::abs(std::log(reading[i] / writing[i])); };  // the same for 1:2 and 2:1
      for (const std::size_t i : large_)
        if (reading[i] > 0 && writing[i] > 0 && (!best || apart(i) < apart(*best))) best = i;
      if (best)
        choose(*best, fmt::format("{} of reading and writing closest to equal, of {}: ratio {}", rule.words, large_words_,
                                  human(reading[*best] / writing[*best], ValueUnit::count)));
    }
  }

  /// The largest of the jobs that do I/O all the time, at the highest threshold there is.
  void add_always_active() {
    const std::size_t c = study_.options.thresholds.size() - 1;
    const auto found = values_of(study_, {&job_value("intensity"), Direction::total, {c, 0}});
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!(found[i] > 0)) continue;
      if (!best || found[i] > found[*best] || (found[i] == found[*best] && volume(i) > volume(*best))) best = i;
    }
    if (!best) return;
    const std::string above = study_.options.thresholds[c] == 0 ? "" : fmt::format(" above {}/s", human_size(study_.options.thresholds[c]));
    choose(*best, fmt::format("I/O{} {}: intensity {}", above, found[*best] >= 1 ? "all the time" : "for more of its time than any other",
                              human_percent(found[*best])));
  }

  void add_random() {
    std::vector<std::size_t> left(read_.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    Random random(options_.seed);
    for (std::size_t k = 0; k < std::min(options_.sample, left.size()); ++k) {
      std::swap(left[k],
                left[static_cast<std::size_t>(random.whole(static_cast<std::int64_t>(k), static_cast<std::int64_t>(left.size()) - 1))]);
      choose(left[k], "random");
    }
  }

  SelectedJobs take() { return std::move(result_); }

 private:
  std::vector<double> values(std::string_view key, Direction x) const { return values_of(study_, {&job_value(key), x, {}}); }
  double volume(std::size_t i) const { return (read_[i] > 0 ? read_[i] : 0) + (written_[i] > 0 ? written_[i] : 0); }

  /// Jobs that read or wrote at least the floor; if there are none, the hundredth part that moved most.
  void find_large_jobs() {
    const auto floor = static_cast<double>(options_.volume_floor);
    for (std::size_t i = 0; i < read_.size(); ++i)
      if (read_[i] >= floor || written_[i] >= floor) large_.push_back(i);
    large_words_ = large_.size() == 1 ? "the only job" : fmt::format("the {} jobs", large_.size());
    large_words_ += fmt::format(" that read or wrote {} or more", human_size(options_.volume_floor));
    if (!large_.empty() || read_.empty()) return;
    for (std::size_t i = 0; i < read_.size(); ++i) large_.push_back(i);
    std::stable_sort(large_.begin(), large_.end(), [&](std::size_t a, std::size_t b) { return volume(a) > volume(b); });
    large_.resize((read_.size() + 99) / 100);
    std::sort(large_.begin(), large_.end());
    large_words_ = fmt::format("the 1 % of the jobs that moved most ({})", large_.size());
    result_.notes.push_back(
        fmt::format("No job read or wrote {}: medians and equal ones are chosen among the 1 % of the jobs that moved most ({} job{}).",
                    human_size(options_.volume_floor), large_.size(), large_.size() == 1 ? "" : "s"));
  }

  void choose(std::size_t at, std::string reason) {
    for (SelectedJob& known : result_.jobs)
      if (known.at == at) return known.reasons.push_back(std::move(reason));
    result_.jobs.push_back({at, {std::move(reason)}});
  }

  const Study& study_;
  const SelectionOptions& options_;
  std::vector<double> read_, written_;
  std::vector<std::size_t> large_;
  std::string large_words_;
  SelectedJobs result_;
};

}  // namespace

std::string SelectedJob::why() const { return fmt::format("{}", fmt::join(reasons, "; ")); }

SelectedJobs select_jobs(const Study& study, const SelectionOptions& options) {
  Selector selector(study, options);
  selector.add_named();
  selector.add_maxima();
  selector.add_medians();
  selector.add_equals();
  selector.add_always_active();
  selector.add_random();
  return selector.take();
}

}  // namespace fathom
