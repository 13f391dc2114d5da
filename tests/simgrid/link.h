// SPDX-License-Identifier: Apache-2.0
/// One direction of a link as SimGrid has it, a queue before it, and an order of what happens at the same moment.
#pragma once

#include <cmath>
#include <deque>
#include <simgrid/s4u.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace fathom::oracle {

namespace sg4 = simgrid::s4u;

/// "At the same moment" of docs/simulation.md: first what data on its way down does, then these, each in the order of I/O nodes and
/// compute nodes.
enum class Class {
  disk_down,
  external_down,
  tree_down,
  at_compute_node,
  generate,
  external_up,
  disk_up,
  server_up,
  target,
  server_down,
  into_buffer,
  tree_up,
  message
};
using Turn = std::tuple<Class, std::size_t, std::size_t>;

/// SimGrid wakes those whose activities end at the same moment in an order of its own. They register here, and go on one by one in the
/// model's order: the next one when the last one has done what takes no time.
class Moment {
 public:
  void wait_for(const Turn& turn) {
    const auto go_on = sg4::Semaphore::create(0);
    waiting_.push_back({turn, go_on});
    if (!calling_) {
      calling_ = true;
      sg4::Actor::create("caller", sg4::this_actor::get_host(), [this] { call_all(); });
    }
    go_on->acquire();
  }

  std::size_t messages_that_waited = 0;

 private:
  struct Waiting {
    Turn turn;
    sg4::SemaphorePtr go_on;
  };
  /// A round of SimGrid's actors takes no time; what one of them sets off is over in fewer rounds than these.
  static void let_others_run() {
    for (int round = 0; round < 60; ++round) sg4::this_actor::yield();
  }
  void call_all() {
    let_others_run();
    while (!waiting_.empty()) {
      std::size_t next = 0;
      for (std::size_t i = 1; i < waiting_.size(); ++i)
        if (waiting_[i].turn < waiting_[next].turn) next = i;
      const auto go_on = waiting_[next].go_on;
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(next));
      go_on->release();
      let_others_run();
    }
    calling_ = false;
  }

  std::vector<Waiting> waiting_;
  bool calling_ = false;
};

class Link {
 public:
  /// A link of its own between two hosts of its own.
  Link(sg4::NetZone& zone, Moment& moment, const std::string& name, double bytes_per_second)
      : moment_(moment), from_(zone.create_host(name + " in", 1)), to_(zone.create_host(name + " out", 1)) {
    auto* const link = zone.create_link(name, bytes_per_second)->set_latency(0);
    zone.add_route(from_->get_netpoint(), to_->get_netpoint(), nullptr, nullptr, {sg4::LinkInRoute{link}}, false);
  }

  /// A place in the queue. Taking it takes no round of the actors, so that one actor can take several places at once.
  sg4::SemaphorePtr queue_up() {
    const auto place = sg4::Semaphore::create(taken_ ? 0 : 1);
    if (taken_) queue_.push_back(place);
    taken_ = true;
    return place;
  }

  /// Waits for that place to come, then for the transfer. The caller goes on in its turn.
  void carry(const sg4::SemaphorePtr& place, std::uint64_t bytes, const Turn& turn) {
    place->acquire();
    busy_ = true;
    start_ = sg4::Engine::get_clock();
    if (bytes > 0) sg4::Comm::sendto(from_, to_, bytes);
    busy_ = false;  // at this moment nobody has to wait for it any more
    moment_.wait_for(turn);
    taken_ = !queue_.empty();
    if (taken_) {
      const auto next = queue_.front();
      queue_.pop_front();
      next->release();
    }
    std::vector<sg4::SemaphorePtr> messages;
    messages.swap(messages_);
    for (const auto& each : messages) each->release();
  }
  void carry(std::uint64_t bytes, const Turn& turn) { carry(queue_up(), bytes, turn); }

  /// A message has no size: it waits for the transfer that is under way, unless that begins at this very moment, and for no other.
  void let_pass(const Turn& turn) {
    if (!busy_ || std::abs(sg4::Engine::get_clock() - start_) < same_moment) return;
    const auto end = sg4::Semaphore::create(0);
    messages_.push_back(end);
    ++moment_.messages_that_waited;
    end->acquire();
    moment_.wait_for(turn);
  }

 private:
  static constexpr double same_moment = 1e-11;  // seconds
  Moment& moment_;
  sg4::Host *from_, *to_;
  std::deque<sg4::SemaphorePtr> queue_;
  bool taken_ = false, busy_ = false;
  double start_ = 0;
  std::vector<sg4::SemaphorePtr> messages_;
};

}  // namespace fathom::oracle
