// SPDX-License-Identifier: Apache-2.0
#include "advise/advisor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace fathom::advise {
namespace {

std::string minutes(double seconds) { return fmt::format("{:.0f} min", seconds / 60); }

/// `the 256 least loaded servers of atlas1 score 1.31, below its limit of 1.42`
std::string in_words(const PartitionView& view) {
  if (view.servers == 0) return fmt::format("of no server of {} the load is known", view.filesystem);
  std::string text = fmt::format("the {} least loaded servers of {} score {:.2f}, {} the limit of {:.2f}", view.servers, view.filesystem,
                                 view.score, view.score < view.limit.score ? "below" : "not below", view.limit.score);
  if (view.idle && !(view.score < view.limit.score)) return text + ", but are idle: there is nothing to wait for";
  if (view.limit.none_within) text += " (the least load seen in training, and even that was too much)";
  if (view.limit.all_within) text += " (the most load seen in training)";
  if (view.borrowed) text += " (from similar applications)";
  return text;
}

std::string of_pattern(const KnownPattern& pattern) {
  return fmt::format("{} every {:.0f} s at {}/s on {} servers", human_bytes(pattern.burst_bytes), pattern.period_seconds,
                     human_bytes(pattern.mean_throughput), pattern.servers());
}

}  // namespace

Result<Advisor> Advisor::make(Trained trained, std::vector<Partition> partitions, std::size_t servers, const AdvisorSettings& settings,
                              double slot_seconds) {
  LoadSettings load = trained.load;
  load.slot_seconds = slot_seconds;
  TRY(LoadTable table, LoadTable::make(servers, load));
  return Advisor(std::move(trained), std::move(partitions), std::move(table), settings);
}

void Advisor::add_slot(std::span<const double> throughput) {
  table_.add_slot(throughput);
  fresh_at_.reset();
}

void Advisor::job_started(std::uint64_t job, const KnownApplication& application, double now, std::optional<double> limit_seconds) {
  running_.emplace_back(job, Running{application, now, limit_seconds});
  fresh_at_.reset();
}

void Advisor::job_ended(std::uint64_t job) {
  std::erase_if(running_, [&](const auto& each) { return each.first == job; });
  fresh_at_.reset();
}

std::vector<const Partition*> Advisor::usable(const KnownPattern& pattern) const {
  std::vector<const Partition*> found;
  for (const Partition& partition : partitions_)
    if (pattern.filesystem.empty() || partition.filesystem == pattern.filesystem) found.push_back(&partition);
  return found;
}

void Advisor::refresh(double now) {
  if (fresh_at_ == now) return;
  loads_ = table_.loads();
  for (const auto& [job, running] : running_) {
    const double age = now - running.start;
    const double share =
        unseen_share(age, left_seconds(age, running.application.usual_seconds, running.limit), table_.settings().seconds());
    if (share == 0) continue;
    for (const KnownPattern& pattern : running.application.patterns) {
      const auto where = usable(pattern);
      // One that may be anywhere is put evenly into all of them.
      for (const Partition* partition : where)
        adjust(loads_, trained_.load.bands, partition->servers, pattern, share / static_cast<double>(where.size()),
               table_.settings().seconds());
    }
  }
  scores_.resize(loads_.servers());
  for (std::size_t server = 0; server < scores_.size(); ++server) scores_[server] = trained_.score(loads_.of(server));
  fresh_at_ = now;
}

const Loads& Advisor::loads(double now) {
  refresh(now);
  return loads_;
}

const std::vector<double>& Advisor::scores(double now) {
  refresh(now);
  return scores_;
}

PartitionView Advisor::view(const Partition& partition, const KnownPattern& pattern) const {
  PartitionView view;
  view.filesystem = partition.filesystem;
  std::vector<double> known;
  for (const std::uint32_t server : partition.servers)
    if (loads_.coverage[server] >= settings_.least_coverage) known.push_back(scores_[server]);
  view.servers = std::min(std::max<std::size_t>(1, pattern.servers()), known.size());
  if (view.servers == 0) return view;
  const auto end = known.begin() + static_cast<std::ptrdiff_t>(view.servers);
  if (end != known.end()) std::nth_element(known.begin(), end, known.end());
  std::sort(known.begin(), end);  // so that the sum does not depend on how nth_element works
  for (auto each = known.begin(); each != end; ++each) view.score += *each;
  view.score /= static_cast<double>(view.servers);
  const ThresholdCell& cell = trained_.thresholds.of(pattern.mean_throughput, pattern.io_to_compute);
  view.limit = limit_of(cell, settings_.impact);
  view.borrowed = cell.borrowed();
  view.idle = view.score <= trained_.weights.front() * (1 + 1e-9);  // weights do not fall
  return view;
}

Advice Advisor::recommend(const KnownApplication* application, double now, double delayed_seconds) {
  if (application == nullptr || application->patterns.empty()) return {Verdict::run, "nothing is known of this application's I/O", {}};
  if (trained_.thresholds.empty()) return {Verdict::run, "there are no thresholds: nothing was trained", {}};
  refresh(now);
  std::string good, trouble;
  std::vector<PartitionView> views;
  for (const KnownPattern& pattern : application->patterns) {
    std::vector<PartitionView> some;
    for (const Partition* partition : usable(pattern)) some.push_back(view(*partition, pattern));
    const auto best = std::find_if(some.begin(), some.end(), [](const PartitionView& each) { return each.enough(); });
    const bool blind = std::all_of(some.begin(), some.end(), [](const PartitionView& each) { return each.servers == 0; });
    std::string words;
    for (const PartitionView& each : some)
      if (best == some.end() || &each == &*best) words += (words.empty() ? "" : "; ") + in_words(each);
    if (some.empty()) words = fmt::format("file system {} has no servers here", pattern.filesystem);
    words = fmt::format("it moves {}; {}", of_pattern(pattern), words);
    if (best != some.end() || blind) {
      if (good.empty()) {
        good = std::move(words);
        views = std::move(some);
      }
    } else if (trouble.empty()) {
      trouble = std::move(words);
      views = std::move(some);
      break;
    }
  }
  if (trouble.empty()) return {Verdict::run, std::move(good), std::move(views)};
  trouble += fmt::format(": its I/O would likely take more than {:g} times as long as alone", settings_.impact);
  if (delayed_seconds < settings_.max_delay_seconds) return {Verdict::delay, std::move(trouble), std::move(views)};
  return {Verdict::run, fmt::format("it has been delayed for {}, the most there is; {}", minutes(delayed_seconds), trouble),
          std::move(views)};
}

std::optional<std::vector<double>> Advisor::load_found_by(const KnownPattern& pattern, double now) {
  refresh(now);
  std::optional<std::vector<double>> best;
  double least = 1e300;
  for (const Partition* partition : usable(pattern)) {
    std::vector<std::pair<double, std::uint32_t>> order;
    for (const std::uint32_t server : partition->servers)
      if (loads_.coverage[server] >= settings_.least_coverage) order.emplace_back(mean_level(loads_.of(server)), server);
    const std::size_t count = std::min(std::max<std::size_t>(1, pattern.servers()), order.size());
    if (count == 0) continue;
    std::sort(order.begin(), order.end());
    std::vector<double> mean(loads_.bands, 0);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t band = 0; band < loads_.bands; ++band) mean[band] += loads_.of(order[i].second)[band] / static_cast<double>(count);
    const double level = mean_level(mean);
    if (level >= least) continue;
    least = level;
    best = std::move(mean);
  }
  return best;
}

}  // namespace fathom::advise
