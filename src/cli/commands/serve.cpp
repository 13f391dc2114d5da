// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

#include "base/end_signals.h"
#include "base/talk.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/command.h"
#include "dashboard/front.h"
#include "http/server.h"
#include "web/report_page.h"
#include "web/report_template.h"

namespace fathom {
namespace {

struct Options {
  dashboard::DashboardSettings dashboard;
  std::string bind = "127.0.0.1:8080", token_file;
  std::vector<std::string> hosts;
};

/// The first line of a file that no stranger can read; a group may, as that of a service.
Result<std::string> read_token(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return Error{text.error().kind, fmt::format("reading the token in {}: {}", path, text.error().message)};
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && (facts.st_mode & (S_IRWXO | S_IWGRP)) != 0)
    return Error{ErrorKind::usage, fmt::format("reading the token in {}: others may read or change it (mode {:04o}); chmod 600 {}", path,
                                               facts.st_mode & 07777u, path)};
  std::string_view rest = *text;
  const std::string token(trim(take_until(rest, '\n')));
  if (token.size() < 16)
    return Error{
        ErrorKind::usage,
        fmt::format("reading the token in {}: it has {} characters; 16 at least are wanted (try: head -c 24 /dev/urandom | base64)", path,
                    token.size())};
  return token;
}

/// Each reader of events and each idle browser holds a descriptor.
void allow_many_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Result<void> run(const Options& given) {
  dashboard::FrontSettings front;
  front.hosts = given.hosts;
  if (!given.token_file.empty()) {
    TRY(front.token, read_token(given.token_file));
  }
  TRY(dashboard::Assets assets, dashboard::Assets::unpack(dashboard_pack()));
  allow_many_connections();
  const EndSignals signals;  // before any thread, so that none of them takes the signal
  TRY(const auto dashboard, dashboard::Dashboard::open(given.dashboard));
  dashboard::Front door(*dashboard, std::move(assets), front);
  http::ServerSettings settings;
  settings.address = given.bind;
  settings.workers = 4;
  settings.most_body_bytes = 64u << 10;
  std::atomic<bool> open = false;  // until it is known that strangers cannot read all of it
  TRY(const auto server, http::Server::start(settings, [&](const http::Request& request) {
        return open ? door.answer(request) : http::text_response(503, "not yet\n");
      }));
  if (!server->on_loopback() && front.token.empty())
    return Error{ErrorKind::usage,
                 fmt::format("serving on {}: others could read all of it; give --token-file FILE, or bind to 127.0.0.1 and use ssh -L",
                             server->address())};
  open = true;
  fmt::print("http://{}/\n", server->address());
  std::fflush(stdout);
  tell(
      "fathom: serving {} at http://{}/{}; Ctrl-C ends it\n",
      given.dashboard.paths.size() == 1 ? given.dashboard.paths.front() : fmt::format("{} stores and traces", given.dashboard.paths.size()),
      server->address(), front.token.empty() ? "" : " with a token");
  while (!signals.wait(Duration{1'000'000'000})) {
  }
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->dashboard.version = FATHOM_VERSION;
  options->dashboard.what_if_page = what_if_page;
  line.add_option("STORE", options->dashboard.paths, "stores and folders of traces").required();
  line.add_option("--bind", options->bind,
                  "where to listen; a port alone is on 127.0.0.1, port 0 takes a free one (default 127.0.0.1:8080)")
      .type_name("[ADDRESS:]PORT");
  line.add_option(
          "--token-file", options->token_file,
          "ask for the token in this file's first line, which others must not be able to read; needed for addresses other than loopback")
      .type_name("FILE");
  line.add_option("--host", options->hosts, "a name under which browsers may come, beside the address itself; may be given several times")
      .type_name("NAME");
  line.add_option("--weights", options->dashboard.weights,
                  "weights of `fathom train` for load and advice (default: those learned on the replayed machine)")
      .type_name("FILE.toml");
  line.add_option("--advice-state", options->dashboard.advice_state, "show what `fathom advise --slurm --state DIR` decided")
      .type_name("DIR");
  line.add_option("--simulation-requests", options->dashboard.simulations.most_requests,
                  "requests that one simulation may have; 0: no simulations (default 500000000)")
      .type_name("N");
  line.add_option("--simulation-combinations", options->dashboard.simulations.most_combinations,
                  "combinations that one sweep may have (default 1000)")
      .between(1, 10'000)
      .type_name("N");
  return [options] {
    options->dashboard.simulations.allowed = options->dashboard.simulations.most_requests > 0;
    return run(*options);
  };
}

}  // namespace

namespace commands {
extern const Command serve;
constinit const Command serve{
    .name = "serve",
    .summary = "The dashboard: a machine, its jobs, applications, traces and what-ifs in a browser",
    .details =
        R"(Prints the address and serves until SIGTERM or Ctrl-C. Everything is in the program: no network is needed. Stores are read, never
written; one that changes meanwhile is followed. Criteria are those that `fathom criteria` has kept, patterns those of `fathom mine`.

It listens on loopback alone, where every user of the machine may ask. For other addresses a token is needed; it is sent with each
request in the clear, so put a proxy with TLS in front, or reach the server through ssh -L.

What-ifs are simulated in this program, one after the other on one thread; results stay while it runs, the latest 50.

The API behind the page is at /api/v1, described at /api/v1/openapi.json.)",
    .examples = R"(  fathom serve store
  fathom serve store1 store2 trace-of-job-4711 --bind 8090
  head -c 24 /dev/urandom | base64 > token && chmod 600 token
  fathom serve store --bind 0.0.0.0:8080 --token-file token --host fathom.example.org)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
