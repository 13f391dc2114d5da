// SPDX-License-Identifier: Apache-2.0
// The model of docs/simulation.md, written for SimGrid: simgrid_oracle < SCENARIOS > COMPLETIONS. Compute nodes, whoever empties a buffer
// and every write between server and disks are SimGrid actors that do one thing after the other; how long a transfer takes and what the
// time is, SimGrid says. Nothing of Fathom is used here.
//
// SimGrid has no messages without size that wait for a transfer, no priorities and no order of what happens at the same moment. The actors
// look at their link's state for the first two (Link::let_pass), and take turns for the third (Moment). Not expressed: jobs, the second
// run with computation kept, requests with times of their own, and of burst buffers those that are shared, drained later or read from.
// SimGrid's time is a floating-point number, so that two moments less than some picoseconds apart are one.
//
// A scenario is lines of words; increments come in the order of their starts:
//
// * architecture TREE_BANDWIDTH ROOT_LINKS BINARY CIOD_BUFFER PAGE_POOL BURST_BUFFER BURST_BUFFER_BANDWIDTH EXTERNAL_BANDWIDTH
// DISK_BANDWIDTH
// * beyond IN_FLIGHT OBJECT_SERVERS OBJECT_SERVER_BANDWIDTH TARGETS TARGET_BANDWIDTH STRIPE_COUNT STRIPE_SIZE
// * node COMPUTE_NODES
// * increment NODE START_SECONDS READ_BYTES READ_OPERATIONS WRITE_BYTES WRITE_OPERATIONS
// * end
//
// answers, for each scenario, `request NODE INDEX KIND BYTES ISSUED ACKED STORED` (seconds) and `end MESSAGES_THAT_WAITED`.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "link.h"

namespace fathom::oracle {
namespace {

struct Scenario {
  std::uint64_t tree_bandwidth = 0, root_links = 0, binary = 0, ciod_buffer = 0, page_pool = 0, burst_buffer = 0, buffer_bandwidth = 0;
  std::uint64_t external_bandwidth = 0, disk_bandwidth = 0;
  std::uint64_t in_flight = 1, object_servers = 0, server_bandwidth = 1, targets = 0, target_bandwidth = 1, stripe_count = 1,
                stripe_size = 1;
  struct Increment {
    std::size_t node = 0;
    double start = 0;
    std::uint64_t bytes[2] = {}, operations[2] = {};
  };
  std::vector<std::size_t> compute_nodes;
  std::vector<Increment> increments;
};

struct Request {
  std::size_t node = 0, index = 0, compute_node = 0, lane = 0;
  bool read = false, generated = false, pooled = false;
  std::uint64_t bytes = 0;
  double issued = -1, acked = -1, stored = -1;
  sg4::SemaphorePtr answered;  // the compute node waits for it, if its write was not pooled
};

/// A compute node has so many of these as it may have requests in flight.
struct Lane {
  std::size_t number = 0;  // on the I/O node
  bool idle = false;
  sg4::SemaphorePtr wake_up = sg4::Semaphore::create(0);
};

struct ComputeNode {
  std::vector<Request*> requests;
  std::size_t next = 0;
  std::vector<Lane> lanes;

  bool has_one() const { return next < requests.size() && requests[next]->generated; }
};

struct IoNode {
  std::vector<std::unique_ptr<Link>> up, down;
  std::unique_ptr<Link> external_up, external_down, into_buffer;
  std::vector<ComputeNode> compute_nodes;
  std::size_t writes = 0, dealt = 0;
  std::deque<Request*> bypass, pool, buffer;
  std::uint64_t pool_used = 0, buffer_used = 0;
  std::uint64_t offsets[2] = {};  // on the targets, of reads and writes
  sg4::SemaphorePtr look_again, buffer_filled;
};

class Machine {
 public:
  Machine(const Scenario& scenario, sg4::NetZone& zone) : s_(scenario), nodes_(scenario.compute_nodes.size()) {
    const auto link = [&](const std::string& name, std::uint64_t bandwidth) {
      return std::make_unique<Link>(zone, moment_, name, static_cast<double>(bandwidth));
    };
    desk_ = zone.create_host("desk", 1);
    disk_up_ = link("disk up", s_.disk_bandwidth);
    disk_down_ = link("disk down", s_.disk_bandwidth);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      IoNode& node = nodes_[n];
      const std::string name = std::to_string(n) + " ";
      for (std::size_t l = 0; l < (s_.binary ? s_.compute_nodes[n] : s_.root_links); ++l) {
        node.up.push_back(link(name + "tree up " + std::to_string(l), s_.tree_bandwidth));
        node.down.push_back(link(name + "tree down " + std::to_string(l), s_.tree_bandwidth));
      }
      node.external_up = link(name + "external up", s_.external_bandwidth);
      node.external_down = link(name + "external down", s_.external_bandwidth);
      node.into_buffer = link(name + "into buffer", s_.buffer_bandwidth);
      node.look_again = sg4::Semaphore::create(0);
      node.buffer_filled = sg4::Semaphore::create(0);
      node.compute_nodes.resize(s_.compute_nodes[n]);
      std::size_t lanes = 0;
      for (ComputeNode& each : node.compute_nodes) {
        each.lanes.resize(s_.in_flight);
        for (Lane& lane : each.lanes) lane.number = lanes++;
      }
    }
    for (std::size_t i = 0; i < s_.object_servers; ++i)
      for (auto* const links : {&servers_up_, &servers_down_})
        links->push_back(link((links == &servers_up_ ? "server up " : "server down ") + std::to_string(i), s_.server_bandwidth));
    for (std::size_t i = 0; i < s_.targets; ++i) targets_.push_back(link("target " + std::to_string(i), s_.target_bandwidth));
  }

  void start() {
    for (std::size_t i = 0; i < s_.increments.size(); ++i) actor([this, i, requests = deal(s_.increments[i])] { generate(i, requests); });
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (ComputeNode& each : nodes_[n].compute_nodes)
        for (Lane& lane : each.lanes) actor([this, &each, &lane] { one_after_the_other(each, lane); });
      actor([this, n] { empty_pool_and_bypass(n); });
      if (s_.burst_buffer > 0) actor([this, n] { empty_burst_buffer(n); });
    }
  }

  void print() const {
    for (const Request& each : requests_)
      std::printf("request %zu %zu %s %lu %.12f %.12f %.12f\n", each.node, each.index, each.read ? "read" : "write", each.bytes,
                  each.issued, each.acked, each.stored);
    std::printf("end %zu\n", moment_.messages_that_waited);
  }

 private:
  void actor(std::function<void()> work) { sg4::Actor::create("actor", desk_, std::move(work)); }

  std::vector<std::uint64_t> sizes(std::uint64_t bytes, std::uint64_t operations) const {
    std::vector<std::uint64_t> list;
    if (operations == 0) operations = (bytes + s_.ciod_buffer - 1) / s_.ciod_buffer;
    for (std::uint64_t i = 0; i < operations; ++i) {
      std::uint64_t left = bytes / operations + (i < bytes % operations);
      for (; left > s_.ciod_buffer; left -= s_.ciod_buffer) list.push_back(s_.ciod_buffer);
      list.push_back(left);
    }
    return list;
  }

  std::vector<Request*> deal(const Scenario::Increment& increment) {
    std::vector<Request*> dealt;
    IoNode& node = nodes_[increment.node];
    const auto reads = sizes(increment.bytes[0], increment.operations[0]), writes = sizes(increment.bytes[1], increment.operations[1]);
    const std::size_t all = reads.size() + writes.size();
    std::size_t r = 0;
    for (std::size_t i = 0; i < all; ++i) {
      Request& request = requests_.emplace_back();
      request.read = r < reads.size() && r * all / reads.size() == i;
      request.bytes = request.read ? reads[r++] : writes[i - r];
      request.node = increment.node;
      request.index = node.dealt++;
      request.compute_node = request.index % node.compute_nodes.size();
      node.writes += !request.read;
      node.compute_nodes[request.compute_node].requests.push_back(&request);
      dealt.push_back(&request);
    }
    return dealt;
  }

  void generate(std::size_t number, const std::vector<Request*>& requests) {
    const Scenario::Increment& increment = s_.increments[number];
    sg4::this_actor::sleep_until(increment.start);
    moment_.wait_for({Class::generate, increment.node, number});
    for (Request* const each : requests) each->generated = true;
    for (const Request* const each : requests) {
      ComputeNode& one = nodes_[increment.node].compute_nodes[each->compute_node];
      for (Lane& lane : one.lanes)
        if (one.has_one() && std::exchange(lane.idle, false)) lane.wake_up->release();
    }
  }

  /// Links of the tree from the compute node to the I/O node: behind each root link the compute nodes are a heap.
  std::vector<std::size_t> way_up(std::size_t c) const {
    std::vector<std::size_t> links{s_.binary ? c : c % s_.root_links};
    while (links.back() >= s_.root_links)
      links.push_back((links.back() / s_.root_links - 1) / 2 * s_.root_links + links.back() % s_.root_links);
    return links;
  }

  void one_after_the_other(ComputeNode& self, Lane& lane) {
    while (self.next < self.requests.size()) {
      if (!self.has_one()) {
        lane.idle = true;
        lane.wake_up->acquire();
        continue;
      }
      Request& request = *self.requests[self.next++];
      request.lane = lane.number;
      request.issued = sg4::Engine::get_clock();
      if (request.read)
        read(request);
      else
        write(request);
      request.acked = sg4::Engine::get_clock();
    }
    for (Lane& each : self.lanes)  // nothing will come: they may go
      if (std::exchange(each.idle, false)) each.wake_up->release();
  }

  struct Piece {
    std::uint64_t bytes;
    std::size_t target, server;
    sg4::SemaphorePtr place;  // in its first queue
  };

  /// Pieces of the size of a stripe, on one target after the other, from where the I/O node's last request of the kind ended.
  void use_targets(Request& request) {
    if (s_.targets == 0 || request.bytes == 0) return;
    std::uint64_t& offset = nodes_[request.node].offsets[request.read];
    const bool over_servers = s_.object_servers > 0, read = request.read;
    std::vector<Piece> pieces;
    for (std::uint64_t left = request.bytes; left > 0;) {
      const std::uint64_t bytes = std::min(left, s_.stripe_size - offset % s_.stripe_size);
      const std::size_t target = (request.node * s_.stripe_count + offset / s_.stripe_size % s_.stripe_count) % s_.targets;
      const std::size_t server = over_servers ? target % s_.object_servers : 0;
      pieces.push_back({bytes, target, server, (over_servers && !read ? servers_up_[server] : targets_[target])->queue_up()});
      offset += bytes;
      left -= bytes;
    }
    const auto done = sg4::Semaphore::create(0);
    for (const Piece& each : pieces)
      actor([this, each, done, over_servers, read] {
        if (over_servers && !read) servers_up_[each.server]->carry(each.place, each.bytes, {Class::server_up, 0, each.server});
        Link& target = *targets_[each.target];
        target.carry(over_servers && !read ? target.queue_up() : each.place, each.bytes, {Class::target, 0, each.target});
        if (over_servers && read) servers_down_[each.server]->carry(each.bytes, {Class::server_down, 0, each.server});
        done->release();
      });
    for (std::size_t i = 0; i < pieces.size(); ++i) done->acquire();
  }

  void read(Request& request) {
    IoNode& node = nodes_[request.node];
    const auto turn = [&](Class what) { return Turn{what, request.node, request.lane}; };
    const auto links = way_up(request.compute_node);
    for (const std::size_t link : links) node.up[link]->let_pass(turn(Class::message));
    node.external_up->let_pass(turn(Class::message));
    disk_up_->let_pass(turn(Class::message));
    use_targets(request);
    disk_down_->carry(request.bytes, turn(Class::disk_down));
    node.external_down->carry(request.bytes, turn(Class::external_down));
    request.stored = sg4::Engine::get_clock();
    for (std::size_t i = links.size(); i-- > 0;)
      node.down[links[i]]->carry(request.bytes, turn(s_.binary ? Class::tree_down : Class::at_compute_node));
    if (s_.binary) moment_.wait_for(turn(Class::at_compute_node));
  }

  void write(Request& request) {
    IoNode& node = nodes_[request.node];
    const auto links = way_up(request.compute_node);
    for (const std::size_t link : links) node.up[link]->carry(request.bytes, {Class::tree_up, request.node, request.lane});
    request.pooled = s_.page_pool > 0 && node.pool_used + request.bytes <= s_.page_pool;
    if (request.pooled) {
      node.pool_used += request.bytes;
      node.pool.push_back(&request);
      node.look_again->release();
    } else {
      request.answered = sg4::Semaphore::create(0);
      node.bypass.push_back(&request);
      node.look_again->release();
      request.answered->acquire();
    }
    for (std::size_t i = links.size(); i-- > 0;) node.down[links[i]]->let_pass({Class::message, request.node, request.lane});
  }

  void empty_pool_and_bypass(std::size_t n) {
    IoNode& node = nodes_[n];
    for (std::size_t left = node.writes; left > 0; --left) {
      const auto next = [&]() -> std::deque<Request*>& { return node.bypass.empty() ? node.pool : node.bypass; };
      while (next().empty() || (s_.burst_buffer > 0 && node.buffer_used + next().front()->bytes > s_.burst_buffer))
        node.look_again->acquire();
      Request* const request = next().front();
      next().pop_front();
      const std::uint64_t bytes = request->bytes;
      if (s_.burst_buffer > 0) {
        node.buffer_used += bytes;
        node.into_buffer->carry(bytes, {Class::into_buffer, n, 0});
        node.buffer.push_back(request);
        node.buffer_filled->release();
        if (!request->pooled) request->answered->release();
      } else {
        node.external_up->carry(bytes, {Class::external_up, n, 0});
        actor([this, request] { to_disks(*request); });
      }
      if (request->pooled) node.pool_used -= bytes;
    }
  }

  void empty_burst_buffer(std::size_t n) {
    IoNode& node = nodes_[n];
    for (std::size_t left = node.writes; left > 0; --left) {
      node.buffer_filled->acquire();
      Request* const request = node.buffer.front();
      node.buffer.pop_front();
      node.external_up->carry(request->bytes, {Class::external_up, n, 0});
      node.buffer_used -= request->bytes;
      actor([this, request] { to_disks(*request); });
      node.look_again->release();
    }
  }

  void to_disks(Request& request) {
    disk_up_->carry(request.bytes, {Class::disk_up, 0, 0});
    use_targets(request);
    const Turn turn{Class::message, request.node, request.lane};
    disk_down_->let_pass(turn);
    nodes_[request.node].external_down->let_pass(turn);
    request.stored = sg4::Engine::get_clock();
    if (!request.pooled && s_.burst_buffer == 0) request.answered->release();
  }

  const Scenario& s_;
  Moment moment_;
  sg4::Host* desk_ = nullptr;
  std::unique_ptr<Link> disk_up_, disk_down_;
  std::vector<std::unique_ptr<Link>> servers_up_, servers_down_, targets_;
  std::vector<IoNode> nodes_;
  std::deque<Request> requests_;
};

/// In a process of its own: SimGrid has one engine for each.
void simulate(const Scenario& scenario) {
  std::string words[] = {"simgrid_oracle",
                         "--log=xbt_cfg.thres:warning",
                         "--cfg=network/model:CM02",
                         "--cfg=network/crosstraffic:0",
                         "--cfg=network/TCP-gamma:0",
                         "--cfg=maxmin/precision:1e-9",
                         "--cfg=surf/precision:1e-12",
                         "--cfg=contexts/stack-size:256"};
  std::vector<char*> arguments;
  for (std::string& each : words) arguments.push_back(each.data());
  auto count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  sg4::Engine engine(&count, arguments.data());
  auto* const zone = sg4::create_full_zone("machine");
  Machine machine(scenario, *zone);
  zone->seal();
  machine.start();
  engine.run();
  machine.print();
}

bool simulate_apart(const Scenario& scenario) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    simulate(scenario);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace
}  // namespace fathom::oracle

int main() {
  using namespace fathom::oracle;
  Scenario s;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "architecture") {
      s = {};
      words >> s.tree_bandwidth >> s.root_links >> s.binary >> s.ciod_buffer >> s.page_pool >> s.burst_buffer >> s.buffer_bandwidth >>
          s.external_bandwidth >> s.disk_bandwidth;
    } else if (what == "beyond") {
      words >> s.in_flight >> s.object_servers >> s.server_bandwidth >> s.targets >> s.target_bandwidth >> s.stripe_count >> s.stripe_size;
    } else if (what == "node") {
      words >> s.compute_nodes.emplace_back();
    } else if (what == "increment") {
      auto& each = s.increments.emplace_back();
      words >> each.node >> each.start >> each.bytes[0] >> each.operations[0] >> each.bytes[1] >> each.operations[1];
    } else if (what == "end" && !simulate_apart(s)) {
      return std::fprintf(stderr, "simgrid_oracle: SimGrid failed\n"), 1;
    }
    if (words.fail()) return std::fprintf(stderr, "simgrid_oracle: cannot read '%s'\n", line.c_str()), 1;
  }
}
