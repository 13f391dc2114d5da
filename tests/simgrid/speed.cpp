// SPDX-License-Identifier: Apache-2.0
// How fast SimGrid is with a machine like JUGENE: simgrid_speed forward|fluid NODES ROUNDS [varied], for tools/bench_simulate. Every
// compute node (128 for each I/O node) has a request in flight all the time: the work is `simulate_bench crowd`, or `varied`. `forward`: a
// transfer is one communication for each hop, on links that carry one at a time, which is our model without page pools and messages;
// `fluid`: one communication over all hops, which share their links.
#include <cstdio>
#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "base/own_use.h"

namespace {

namespace sg4 = simgrid::s4u;

constexpr double MiB = 1024 * 1024;
constexpr std::uint64_t compute_nodes = 128, root_links = 2;

struct Hop {
  sg4::Host *from, *to;
};

class Machine {
 public:
  Machine(bool fluid, std::uint64_t nodes) : fluid_(fluid), zone_(sg4::create_full_zone("machine")) {
    auto* const desk = zone_->create_host("desk", 1);
    desk_ = desk;
    for (const char* const way : {"down ", "up "}) {
      auto* const disk = link(way + std::string("disk"), 66 * 1024 * MiB);
      const Hop disk_hop = hop({disk});
      auto& hops = ways_.emplace_back();
      for (std::uint64_t n = 0; n < nodes; ++n) {
        auto* const external = link(way + std::to_string(n) + " external", 1.25e9);
        const Hop external_hop = hop({external});
        for (std::uint64_t r = 0; r < root_links; ++r) {
          auto* const tree = link(way + std::to_string(n) + " tree " + std::to_string(r), 850 * MiB);
          if (fluid_)
            hops.push_back({hop({tree, external, disk})});
          else if (ways_.size() == 1)
            hops.push_back({disk_hop, external_hop, hop({tree})});
          else
            hops.push_back({hop({tree}), external_hop, disk_hop});
        }
      }
    }
    zone_->seal();
  }

  void work(std::uint64_t nodes, std::uint64_t rounds, bool varied) {
    for (std::uint64_t n = 0; n < nodes; ++n)
      for (std::uint64_t c = 0; c < compute_nodes; ++c)
        sg4::Actor::create("compute node", desk_, [this, n, c, rounds, varied] {
          for (std::uint64_t round = 0; round < rounds; ++round) {
            const std::uint64_t own = varied ? c * 2'654'435 : 0;
            const std::uint64_t bytes = 65'536 + (n * 7'919'317 + round * 1'047'299 + own) % (4'194'304 - 65'536);  // as there
            for (const Hop& each : ways_[(n + round) % 2][n * root_links + c % root_links]) sg4::Comm::sendto(each.from, each.to, bytes);
          }
        });
  }

 private:
  sg4::Link* link(const std::string& name, double bytes_per_second) {
    auto* const made = zone_->create_link(name, bytes_per_second)->set_latency(0);
    if (!fluid_) made->set_concurrency_limit(1);
    return made;
  }
  /// Between two hosts of its own.
  Hop hop(const std::vector<sg4::Link*>& links) {
    const std::string number = std::to_string(hops_++);
    const Hop made{zone_->create_host("from " + number, 1), zone_->create_host("to " + number, 1)};
    std::vector<sg4::LinkInRoute> route(links.begin(), links.end());
    zone_->add_route(made.from->get_netpoint(), made.to->get_netpoint(), nullptr, nullptr, route, false);
    return made;
  }

  bool fluid_;
  sg4::NetZone* zone_;
  sg4::Host* desk_ = nullptr;
  std::size_t hops_ = 0;
  std::vector<std::vector<std::vector<Hop>>> ways_;  // by direction (reads, writes), and by I/O node and root link
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) return std::fprintf(stderr, "usage: simgrid_speed forward|fluid NODES ROUNDS [varied]\n"), 2;
  const std::string model = argv[1];
  const std::uint64_t nodes = std::strtoul(argv[2], nullptr, 10), rounds = std::strtoul(argv[3], nullptr, 10);
  std::string words[] = {"simgrid_speed",
                         "--log=xbt_cfg.thres:warning",
                         "--cfg=network/model:CM02",
                         "--cfg=network/crosstraffic:0",
                         "--cfg=network/TCP-gamma:0",
                         "--cfg=network/optim:Lazy",
                         "--cfg=contexts/stack-size:64"};
  std::vector<char*> arguments;
  for (std::string& each : words) arguments.push_back(each.data());
  auto count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  sg4::Engine engine(&count, arguments.data());
  Machine machine(model == "fluid", nodes);
  machine.work(nodes, rounds, argc == 5);
  const double begin = fathom::processor_seconds();
  engine.run();
  const double seconds = fathom::processor_seconds() - begin, requests = static_cast<double>(nodes * compute_nodes * rounds);
  std::printf("engine %s requests %.0f seconds %.3f requests_per_second %.0f end %.9f\n", model.c_str(), requests, seconds,
              requests / seconds, sg4::Engine::get_clock());
}
