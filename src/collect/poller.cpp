// SPDX-License-Identifier: Apache-2.0
#include "collect/poller.h"

#include <fmt/format.h>

#include "base/units.h"

namespace fathom {

Result<Polled> poll_once(LiveSource& source, const std::string& word, SourceId number) {
  Polled polled;
  Harvest harvest(polled.series, SIZE_MAX, [&](Batch& batch) {
    polled.samples.insert(polled.samples.end(), batch.samples.begin(), batch.samples.end());
    polled.marks.insert(polled.marks.end(), batch.marks.begin(), batch.marks.end());
  });
  harvest.begin_source(word, number);
  TRY_VOID(source.poll(harvest));
  harvest.flush();
  polled.account = harvest.account();
  return polled;
}

Poller::Poller(SourceId number, LiveSource& source, PollerOptions options, Clock& clock, Latest& latest, Waiting& waiting,
               SourceHealth& health)
    : number_(number), source_(source), options_(std::move(options)), clock_(clock), latest_(latest), waiting_(waiting), health_(health) {}

void Poller::run() {
  const PollSchedule& schedule = options_.schedule;
  Time deadline = schedule.after(clock_.now());
  while (clock_.wait_until(deadline)) {
    const Result<void> outcome = poll();
    const Time now = clock_.now();
    ++health_.polls;
    health_.lag_us = (now - deadline).count();
    health_.up = outcome.has_value();
    if (outcome) {
      health_.last_success_us = micros(now);
    } else {
      ++health_.failures;
    }
    const std::uint64_t failures = outcome ? 0 : failures_in_a_row_ + 1;
    // Just before the pause is over, so that an interval's pause gives the next multiple and not the one after it.
    const Time next = outcome ? schedule.after(now) : schedule.after(now + schedule.pause(failures) - schedule.interval());
    health_.missed += schedule.between(deadline, next);
    tell(outcome, next);
    failures_in_a_row_ = failures;
    deadline = next;
    if (options_.polls != 0 && health_.polls >= options_.polls) return;
  }
}

Result<void> Poller::poll() {
  TRY(Polled polled, poll_once(source_, health_.word, number_));
  const Time now = clock_.now();
  std::uint64_t late = 0;
  std::erase_if(polled.samples, [&](const Sample& sample) {
    const auto verdict = latest_.take(polled.series.name(sample.series), sample, now);
    late += verdict == Latest::Verdict::late && !source_.repeats();
    return verdict != Latest::Verdict::fresh;
  });
  health_.samples += polled.samples.size();
  health_.rejected += polled.account.rejected;
  health_.late += late;
  waiting_.add(polled);
  if (polled.account.rejected > 0 && !std::exchange(told_of_rejects_, true)) {
    const Reject& first = polled.account.first_rejects.front();
    options_.say(fmt::format("{}: {} could not be used; the first: {}: {}", health_.word, counted(polled.account.rejected, "record"),
                             first.why, first.text));
  }
  if (late > 0 && !told_of_clock_)
    options_.say(fmt::format("{}: the clock was set back: samples are left out until it has passed the last one", health_.word));
  told_of_clock_ = late > 0;
  return {};
}

/// Once when it begins to fail, once when it is back; the numbers in between are in /metrics.
void Poller::tell(const Result<void>& outcome, Time next) {
  if (!outcome && failures_in_a_row_ == 0)
    options_.say(
        fmt::format("{}: {}; next attempt at {}, then at longer intervals", health_.word, outcome.error().message, format_iso8601(next)));
  if (outcome && failures_in_a_row_ > 0)
    options_.say(fmt::format("{}: back after {}; the time between is a gap", health_.word, counted(failures_in_a_row_, "failed poll")));
}

}  // namespace fathom
