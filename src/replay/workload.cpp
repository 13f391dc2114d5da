// SPDX-License-Identifier: Apache-2.0
#include "replay/workload.h"

#include <algorithm>

namespace fathom::replay {
namespace {

using namespace titan;

constexpr std::uint64_t group_stream = 0x600000001u;

/// AID, section VI-C: "another set of IOR pseudo-applications (different from those in Table III), all using the n-to-m model, to control
/// the OST footprint size (256, 512, and 1008)" of 1,008 OSTs in a partition; a partition has 504 here, so 128, 256 and 504. The paper
/// gives no more of them: nodes, intervals, iterations and volumes are within those of Table III, rates within those of
/// docs/synthetic-spider.md.
struct Row {
  const char* name;
  std::uint32_t nodes;
  Millis period;
  std::uint32_t least, most;
  std::uint64_t burst_gib;
  std::uint32_t footprint;
  std::uint64_t rate;
};
constexpr Row rows[] = {
    {"IOR_P", 256, 300 * second, 6, 8, 1024, 128, 85'000},  {"IOR_Q", 256, 250 * second, 8, 12, 1024, 256, 80'000},
    {"IOR_R", 512, 300 * second, 6, 10, 2048, 504, 82'000}, {"IOR_S", 128, 450 * second, 4, 6, 1024, 128, 88'000},
    {"IOR_T", 256, 600 * second, 4, 6, 2048, 256, 85'000},  {"IOR_U", 128, 100 * second, 15, 25, 1024, 504, 85'000},
};

Application of_row(const Row& row, std::size_t partition) {
  Application app;
  app.user = "iorgroup";
  app.name = fmt::format("{}{}", row.name, partition + 1);
  app.nodes = row.nodes;
  app.kind = Kind::pseudo;
  app.model = FileModel::n_to_m;
  app.partition = static_cast<std::uint8_t>(partition);
  app.beat(row);
  app.trouble_share = 0;
  app.weight = 0;  // users do not draw it, and have no plan of it: groups alone submit it
  return app;
}

void submit_groups(const WorkloadSettings& settings, titan::Workload& users, Workload& into) {
  Random random = Random::stream(settings.seed, group_stream);
  const auto kinds = static_cast<std::int64_t>(into.applications.size() - into.first_of_groups);
  for (double at = static_cast<double>(-warm_up); true;) {
    at += random.uniform(settings.shortest_gap_minutes, settings.longest_gap_minutes) * static_cast<double>(minute);
    if (at >= static_cast<double>(into.end)) return;
    const std::int64_t members = random.whole(settings.smallest_group, settings.largest_group);
    const std::int64_t project = settings.one_partition ? random.whole(0, partition_count - 1) : 0;
    const Submission* last = nullptr;
    const std::size_t first = into.jobs.size();
    for (std::int64_t i = 0; i < members; ++i) {
      const auto t = static_cast<Millis>(at + random.uniform() * settings.group_minutes * static_cast<double>(minute)) / second * second;
      std::int64_t kind = random.whole(0, kinds - 1);
      if (settings.one_partition) kind += project - kind % static_cast<std::int64_t>(partition_count);
      const auto application = into.first_of_groups + static_cast<std::uint32_t>(kind);
      if (t < into.end) into.jobs.push_back(users.draw(application, t, false));
    }
    for (std::size_t i = first; i < into.jobs.size(); ++i)
      if (last == nullptr || into.jobs[i].submit > last->submit) last = &into.jobs[i];
    if (last != nullptr) into.last_of_groups.insert(last->id);
  }
}

}  // namespace

Workload make_workload(const WorkloadSettings& settings) {
  Workload all;
  all.end = static_cast<Millis>(settings.days * static_cast<double>(day));
  all.applications = applications(settings.seed);
  all.first_of_groups = static_cast<std::uint32_t>(all.applications.size());
  for (const Row& row : rows)
    for (std::size_t partition = 0; partition < partition_count; ++partition) all.applications.push_back(of_row(row, partition));

  const double with_warm_up = settings.days + static_cast<double>(warm_up) / static_cast<double>(day);
  titan::Workload users(all.applications, settings.seed, all.end, static_cast<std::uint64_t>(settings.jobs_per_day * with_warm_up));
  users.submit(-warm_up, all.end, 0, 0, all.jobs);
  std::erase_if(all.jobs, [](const Submission& job) { return job.outcome == Outcome::never_ran; });
  submit_groups(settings, users, all);
  std::stable_sort(all.jobs.begin(), all.jobs.end(), [](const Submission& a, const Submission& b) { return a.submit < b.submit; });
  return all;
}

}  // namespace fathom::replay
