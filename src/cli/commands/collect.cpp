// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/utsname.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "collect/collector.h"

namespace fathom {
namespace {

struct Options {
  std::vector<std::string> words;
  std::string store, listen, servers, host;
  double interval = 10, flush = 60, duration = 0;
  std::uint64_t polls = 0;
  bool expose_jobs = false;
};

/// A day is the longest that makes sense, and keeps every sum of times in range.
Result<Duration> to_duration(std::string_view option, double given, double least, double most) {
  if (!(given >= least && given <= most))
    return Error{ErrorKind::usage, fmt::format("reading {} {:g}: it must be between {:g} and {:g} seconds", option, given, least, most)};
  return Duration{static_cast<std::int64_t>(std::llround(given * 1e6))};
}

std::string this_machine() {
  utsname names{};
  if (::uname(&names) != 0) return "localhost";
  const std::string name = names.nodename;
  return name.substr(0, name.find('.'));
}

Result<void> run(const Options& given) {
  CollectOptions options;
  for (const std::string& word : given.words) {
    TRY(ChosenSource chosen, choose_source(word));
    options.sources.push_back(std::move(chosen));
  }
  options.store = given.store;
  TRY(options.interval, to_duration("--interval", given.interval, 0.05, 86400));
  TRY(options.flush, to_duration("--flush", given.flush, 0.05, 86400));
  if (given.duration != 0) {
    TRY(options.duration, to_duration("--duration", given.duration, 0.01, 1e9));
  }
  options.polls = given.polls;
  options.listen = given.listen;
  options.metrics.expose_jobs = given.expose_jobs;
  if (given.servers == "exclusive") options.sharing = ServerSharing::exclusive;
  if (given.servers == "shared") options.sharing = ServerSharing::shared;
  options.host = given.host.empty() ? this_machine() : given.host;
  options.say = [](const std::string& sentence) { tell("fathom: {}\n", sentence); };
  TRY(const CollectReport report, collect(options));
  tell("fathom: {}, {} failed, {} written in {}\n", counted(report.polls, "poll"), human_count(report.failures),
       counted(report.samples, "sample"), counted(report.flushes, "part"));
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.add_option("SOURCE", options->words, "what to poll: NAME or NAME:SETTING=VALUE,SETTING=VALUE (below)").required();
  line.add_option("--store", options->store, "the store; created if it is missing").required().type_name("STORE");
  line.add_option("--interval", options->interval, "poll every so many seconds, at multiples of them on the clock (default 10)")
      .type_name("SECONDS");
  line.add_option("--flush", options->flush, "write to the store every so many seconds (default 60)").type_name("SECONDS");
  line.add_option("--listen", options->listen, "serve /metrics for Prometheus there; a port alone is on 127.0.0.1 (default: nowhere)")
      .type_name("[ADDRESS:]PORT");
  line.add_flag("--expose-jobs", options->expose_jobs, "/metrics also shows the counters of single jobs, with their ids");
  line.add_option("--servers", options->servers, "exclusive: a job has its servers to itself; shared: jobs use them at the same time")
      .one_of({"exclusive", "shared"})
      .type_name("exclusive|shared");
  line.add_option("--host", options->host, "the name of this machine in servers' names (default: its host name)").type_name("NAME");
  line.add_option("--polls", options->polls, "end after so many polls of each source").type_name("N");
  line.add_option("--duration", options->duration, "end after so many seconds").type_name("SECONDS");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command collect;
constinit const Command collect{.name = "collect",
                                .summary = "Poll live counters of this machine or of an endpoint into a store",
                                .details = R"(Runs until SIGTERM or Ctrl-C, then writes what is left and ends with 0. Sources:

  block        block devices, each a server: root=/sys/block, devices=sd* nvme*, host=NAME
  lustre       stats, md_stats, job_stats: root=/proc/fs/lustre, jobs=yes|no,
               job_id_pattern=%j:%u:%H
  gpfs_mmpmon  answers of mmpmon: command=/usr/lpp/mmfs/bin/mmpmon -p -s, requests=fs_io_s,
               timeout=10
  nfs          NFS mounts, each a server: path=/proc/self/mountstats, host=NAME
  gluster      bricks of a volume, each a server: volume=VOL, or command=..., timeout=10
  prometheus   url=http://HOST:PORT/metrics, map=FILE.toml, api=page|query|query_range,
               backfill=3600,
               timeout=10; with api= the url of a Prometheus or VictoriaMetrics

Values shown are the defaults where there are any. What each counts, and the map of metrics: docs/collecting.md.
A comma or backslash inside a value is written with a backslash before it. Commands are split at blanks and started without a shell.

Counters are cleaned as in `fathom ingest`. What could not be polled is a gap, never a zero: amounts counted meanwhile are
booked over the whole gap, its time is not covered. A source that fails is tried again, at longer and longer intervals.
The writer's lock is held only while a part is written; others may read and ingest at the same time. After a kill the
next run joins the last sample that was stored: no byte is lost or counted twice.)",
                                .examples = R"(  fathom collect block --store store
  fathom collect block lustre nfs --store store --interval 10 --flush 60 --listen 9402
  fathom collect gpfs_mmpmon --store store --servers exclusive
  fathom collect 'gluster:volume=scratch' 'block:devices=sd* nvme*' --store store
  fathom collect prometheus:url=http://oss1:9100/metrics,map=disks.toml --store store
  fathom collect prometheus:url=http://prometheus:9090,api=query,map=disks.toml \
      --store store --interval 60
  fathom collect block:root=fixtures/block,host= --store store --interval 0.5 --polls 20)",
                                .declare = declare};
}  // namespace commands
}  // namespace fathom
