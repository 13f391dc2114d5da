// SPDX-License-Identifier: Apache-2.0
#include "synth/gpfs_node.h"

#include <algorithm>
#include <utility>

#include "base/random.h"

namespace fathom {
namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::uint64_t narrow = 0xffffffffu;

Counters printed(Counters values) {
  for (std::size_t i = 0; i < counter_count; ++i)
    if (!holds(byte_counters, i)) values[i] &= narrow;
  return values;
}

/// What a node has counted since it was last booted, weeks ago; some of its narrow counters are about to wrap.
Counters history(Random& random, double near_wrap) {
  Counters values{};
  const double bytes = random.lognormal(4e12, 1.2);
  values[index(Counter::read_bytes)] = static_cast<std::uint64_t>(bytes);
  values[index(Counter::write_bytes)] = static_cast<std::uint64_t>(bytes * random.uniform(0.3, 1.2));
  const bool wraps_soon = random.chance(near_wrap);
  for (std::size_t i = 2; i < index(Counter::metadata_ops); ++i) {
    values[i] = static_cast<std::uint64_t>(random.lognormal(2e6, 1)) & narrow;
    if (wraps_soon && i < index(Counter::dirs) && random.chance(0.6)) values[i] = narrow - static_cast<std::uint64_t>(random.whole(0, 300));
  }
  return values;
}

}  // namespace

std::int64_t sampling_phase(std::uint64_t seed, std::uint32_t midplane, std::uint32_t server) {
  const std::int64_t booted = Random::stream(seed ^ 0xb007u, midplane).whole(0, sampling_interval - 1);
  const std::int64_t own = Random::stream(seed ^ 0x5a3e5u, server).whole(0, 40 * second);
  return 2 * second + (booted + own) % (sampling_interval - 2 * second);
}

std::int64_t clock_offset(std::uint64_t seed, std::uint32_t server) {
  return Random::stream(seed ^ 0xc10cu, server).whole(-1'500'000, 1'500'000);
}

GpfsNode::GpfsNode(std::uint64_t seed, std::uint32_t server, std::uint32_t midplane, const std::vector<std::string>& filesystems,
                   const FaultRates& rates, Period period, Truth& truth)
    : seed_(seed),
      server_(server),
      period_(period),
      truth_(truth),
      offset_(clock_offset(seed, server)),
      phase_(sampling_phase(seed, midplane, server)),
      filesystems_(filesystems.size()) {
  Random random = Random::stream(seed ^ 0x90deu, server);
  for (std::size_t i = 0; i < filesystems.size(); ++i) {
    accounts_.emplace_back(server, static_cast<std::uint8_t>(i), filesystems[i]);
    for (auto& word : filesystems_[i].shift) word = 0;
    take_from(filesystems_[i].shift, history(random, rates.near_wrap));  // modulo 2^64: total - shift = total + history
  }
  if (random.chance(rates.reset_at_begin)) schedule({period.begin + random.whole(second / 10, phase_ - second), Action::reset, 0, 0});
}

std::int64_t GpfsNode::poll_time(std::int64_t poll) const {
  const std::int64_t jitter =
      Random::stream(seed_ ^ (server_ * 0x10001u + 0x701u), static_cast<std::uint64_t>(poll)).whole(-400'000, 400'000);
  return period_.begin + phase_ + poll * sampling_interval + jitter;
}

std::int64_t GpfsNode::poll_after(std::int64_t t) const {
  std::int64_t poll = std::max<std::int64_t>(0, (t - period_.begin - phase_) / sampling_interval);
  while (poll_time(poll) <= t) ++poll;
  return poll;
}

void GpfsNode::add(const Flow& flow) { filesystems_[flow.filesystem].coming.push_back(flow); }

void GpfsNode::schedule(Action action) {
  const auto place = std::upper_bound(actions_.begin(), actions_.end(), action, [](const Action& a, const Action& b) { return a.t < b.t; });
  actions_.insert(place, action);
}

void GpfsNode::plan(const Fault& fault) {
  const std::int64_t next = poll_time(poll_after(fault.t));
  const auto once = [&](Action::Kind kind) { schedule({fault.t, kind, fault.filesystem, fault.t_end}); };
  switch (fault.kind) {
    // Some seconds after an answer, never together with it: which came first would be a matter of microseconds.
    case FaultKind::reset: schedule({next + 5 * second + fault.t % (100 * second), Action::reset, 0, 0}); break;
    case FaultKind::restart: schedule({next + 5 * second + fault.t % (100 * second), Action::restart, 0, 0}); break;
    case FaultKind::masked_restart:
      schedule({next - 20 * second, Action::reset, 0, 0});
      schedule({next + 35 * second, Action::restart, 0, 0});
      break;
    case FaultKind::gap: once(Action::pause); break;
    case FaultKind::dead_node: once(Action::pause_dead); break;
    case FaultKind::lost_sample: once(Action::lose); break;
    case FaultKind::duplicate: once(Action::twice); break;
    case FaultKind::late: once(Action::late); break;
    case FaultKind::nothing_mounted: once(Action::refuse); break;
    case FaultKind::unmount: once(Action::unmount); break;
  }
}

void GpfsNode::note(std::string_view kind, std::int64_t t, std::int64_t t_end, bool visible, std::string_view why, std::string filesystem) {
  truth_.faults.push_back({kind, server_, std::move(filesystem), local(t), local(t_end), visible, std::string(why)});
}

/// Flows that are over are folded into one sum; their jobs get what was done within the logged time.
void GpfsNode::retire(FileSystem& fs, const Flow& flow, std::int64_t now) {
  const auto between = [&](std::int64_t from, std::int64_t to) {
    Counters amounts = flow.until(to);
    take_from(amounts, flow.until(from));
    return amounts;
  };
  Counters own = between(period_.begin, period_.end);
  for (const Period& away : fs.away) take_from(own, between(away.begin, away.end));
  if (!fs.mounted) take_from(own, between(fs.unmounted_at, now));
  add_to(truth_.jobs[flow.job].amounts, own);
}

Counters GpfsNode::total(FileSystem& fs, std::int64_t t) {
  while (!fs.coming.empty() && fs.coming.front().begin < t) {
    fs.active.push_back(fs.coming.front());
    fs.coming.pop_front();
  }
  std::erase_if(fs.active, [&](const Flow& flow) {
    if (flow.end > t) return false;
    add_to(fs.retired, flow.until(flow.end));
    retire(fs, flow, t);
    return true;
  });
  Counters sum = fs.retired;
  for (const Flow& flow : fs.active) add_to(sum, flow.until(t));
  return sum;
}

void GpfsNode::act(const Action& action, const Out& out) {
  switch (action.kind) {
    case Action::reset:
    case Action::restart: {
      const bool logged = action.kind == Action::reset;
      for (std::size_t i = 0; i < filesystems_.size(); ++i) {
        filesystems_[i].shift = total(filesystems_[i], action.t);
        if (filesystems_[i].mounted || logged) accounts_[i].zeroed(logged ? "reset" : "restart", local(action.t), local(action.t));
      }
      if (!logged) break;
      ++truth_.resets;
      ++truth_.lines;
      note("reset", action.t, action.t, true, "");
      out({.kind = AnswerKind::reset, .server = server_, .written = action.t, .t = local(action.t)});
      break;
    }
    case Action::pause:
    case Action::pause_dead:
      paused_until_ = std::max(paused_until_, action.t_end);
      paused_dead_ = action.kind == Action::pause_dead;
      break;
    case Action::unmount: {
      FileSystem& fs = filesystems_[action.filesystem];
      if (!fs.mounted) break;
      const Counters so_far = total(fs, action.t);
      take_from(fs.missed, so_far);
      fs.mounted = false;
      fs.unmounted_at = action.t;
      schedule({action.t_end, Action::mount, action.filesystem, action.t_end});
      break;
    }
    case Action::mount: {
      FileSystem& fs = filesystems_[action.filesystem];
      fs.shift = total(fs, action.t);
      add_to(fs.missed, fs.shift);
      fs.mounted = true;
      fs.away.push_back({fs.unmounted_at, action.t});
      accounts_[action.filesystem].zeroed("unmount", local(fs.unmounted_at), local(action.t));
      break;
    }
    default: next_answer_ = action.kind;
  }
}

void GpfsNode::poll(std::int64_t t, const Out& out) {
  Answer answer{.server = server_, .written = t, .t = local(t)};
  Random random = Random::stream(seed_ ^ 0x11e5u, static_cast<std::uint64_t>(t) * 1024 + server_);
  if (t < paused_until_) {
    if (!paused_dead_) return;
    const std::uint32_t other = server_ == 0 ? 1 : server_ - 1;  // the node that gathers for its neighbours
    ++truth_.left_out;
    ++truth_.lines;
    note("dead_node", t, t, true, "reported by another node: the line carries no data");
    return out({.kind = AnswerKind::dead_node, .server = other, .about = server_, .written = t, .t = t + clock_offset(seed_, other)});
  }
  const auto special = std::exchange(next_answer_, std::nullopt);
  if (special == Action::lose) return note("lost_sample", t, t, false, "one sample missing: two intervals are no gap");
  if (special == Action::refuse) {
    answer.kind = AnswerKind::nothing_mounted;
    ++truth_.left_out;
    ++truth_.lines;
    note("nothing_mounted", t, t, true, "_rc_ 1: the line carries no data");
    return out(answer);
  }
  std::int64_t at = t;
  for (std::size_t i = 0; i < filesystems_.size(); ++i) {
    at += random.whole(12, 45);
    if (!filesystems_[i].mounted) continue;
    const Counters sum = total(filesystems_[i], at);
    Counters values = sum;
    take_from(values, filesystems_[i].shift);
    values = printed(values);
    accounts_[i].sampled(local(at), sum, values, truth_);
    answer.lines[answer.count++] = {static_cast<std::uint8_t>(i), local(at), values};
  }
  if (answer.count == 0) return;
  truth_.lines += answer.count;
  if (special == Action::late) {
    answer.written += random.whole(130, 500) * second;
    note("late", t, answer.written, true, "");
  }
  out(answer);
  if (special == Action::twice) {
    truth_.duplicates += answer.count;
    truth_.lines += answer.count;
    note("duplicate", t, t, true, "the whole answer once more");
    answer.written += random.whole(0, 40) * second;
    out(answer);
  }
}

void GpfsNode::begin() {
  begun_ = true;
  for (FileSystem& fs : filesystems_) {
    fs.at_begin = total(fs, period_.begin);
    add_to(fs.shift, fs.at_begin);
  }
}

void GpfsNode::advance(std::int64_t until, const Out& out) {
  if (!begun_) begin();
  while (true) {
    const std::int64_t polled = poll_time(next_poll_);
    const std::int64_t acted = actions_.empty() ? INT64_MAX : actions_.front().t;
    if (std::min(polled, acted) >= until) return;
    if (acted <= polled) {
      const Action action = actions_.front();
      actions_.pop_front();
      act(action, out);
    } else {
      poll(polled, out);
      ++next_poll_;
    }
  }
}

void GpfsNode::finish() {
  for (std::size_t i = 0; i < filesystems_.size(); ++i) {
    FileSystem& fs = filesystems_[i];
    Counters sum = total(fs, period_.end);
    for (const Flow& flow : fs.active) retire(fs, flow, period_.end);
    if (!fs.mounted) add_to(fs.missed, sum);
    take_from(sum, fs.at_begin);
    take_from(sum, fs.missed);
    add_to(truth_.happened, sum);
    accounts_[i].finish(truth_);
  }
}

}  // namespace fathom
