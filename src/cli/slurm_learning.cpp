// SPDX-License-Identifier: Apache-2.0
#include "cli/slurm_learning.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/talk.h"
#include "base/text.h"
#include "base/units.h"
#include "mine/mining.h"
#include "slurm/commands.h"
#include "slurm/job_log.h"
#include "store/files.h"

namespace fathom {

Result<void> learn_from_slurm(const std::string& store_path, const std::string& state, double days) {
  const slurm::Commands commands;
  TRY_VOID(make_directories(state));
  const std::string kept = fmt::format("{}/job-log", state);
  const Time now = Time{std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch())};
  Time from = now - Duration{static_cast<std::int64_t>(days * 86400e6)};
  if (const auto text = read_file(kept))
    // Accounting may lag behind what happens.
    if (const auto last = parse_unix_seconds(trim(std::string_view(*text).substr(0, text->find('\n')))))
      from = std::max(from, *last - std::chrono::hours(1));
  TRY(const std::string log, commands.job_log(from, now));
  TRY(const Store store, Store::open(store_path));
  TRY(const ReadAccount account, slurm::add_job_log(store, log, now));
  TRY_VOID(replace_file(kept, format_unix_seconds(now) + "\n"));
  mine::MiningOptions options;
  options.threads = 1;  // it has time
  TRY(const mine::MiningReport report, mine::mine(store, options));
  tell("fathom: learned: {} of sacct since {}{}; {} of {} examined anew, {} validated\n", counted(account.jobs, "job"),
       format_iso8601(Time{std::chrono::floor<std::chrono::seconds>(from)}),
       account.rejected > 0 ? fmt::format(" ({} rejected)", counted(account.rejected, "record")) : "", human_count(report.examined),
       counted(report.applications, "application"), report.states[static_cast<std::size_t>(mine::ApplicationState::validated)]);
  return {};
}

}  // namespace fathom
