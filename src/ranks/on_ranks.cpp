// SPDX-License-Identifier: Apache-2.0
#include "ranks/on_ranks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "base/progress.h"
#include "base/talk.h"
#include "ranks/launcher.h"

namespace fathom {
namespace {

void silence_output() {
  Progress::silence();
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

/// Without MPI the ranks cannot agree who speaks. The first of each node does, because what is missing is missing on a node;
/// the launcher then ends the others, and whoever is still there has a trouble of its own.
Result<void> end_without_mpi(const Error& error) {
  const Environment environment = process_environment();
  const auto launcher = find_launcher(environment);
  if (launcher && launcher->local_rank > 0) std::this_thread::sleep_for(std::chrono::seconds(8));  // a busy machine takes some to end them
  print_error(error);
  if (launcher) {
    // Hydra drops what it has not yet passed on when it ends a run.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    abandon_launch(environment, error.kind == ErrorKind::usage ? 2 : 1);
  }
  return Error{error.kind, ""};
}

}  // namespace

void print_error(const Error& error) {
  if (!error.message.empty()) fmt::print(stderr, "fathom: {}\n", printable(error.message));
}

namespace {

Result<void> run(Ranks& ranks, const std::function<Result<void>(Ranks&)>& work) {
  if (ranks.rank() != 0) silence_output();
  const Result<void> outcome = ranks.agree(work(ranks));
  if (outcome) return {};
  print_error(outcome.error());
  return Error{outcome.error().kind, ""};
}

}  // namespace

Result<void> on_ranks(const std::function<Result<void>(Ranks&)>& work, Ranks::Mpi mpi) {
  auto joined = Ranks::join(mpi);
  if (joined) return run(*joined, work);
  return end_without_mpi(joined.error());
}

Result<void> fail_on_ranks(const Error& error) {
  auto joined = Ranks::join();
  if (joined) return run(*joined, [&](Ranks&) -> Result<void> { return error; });
  return end_without_mpi(error);
}

}  // namespace fathom
