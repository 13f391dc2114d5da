// SPDX-License-Identifier: Apache-2.0
#include "cli/slurm_advice.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/end_signals.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/live_adviser.h"
#include "cli/slurm_learning.h"
#include "slurm/child_program.h"
#include "slurm/commands.h"
#include "store/files.h"

namespace fathom {
namespace {

using std::chrono::duration_cast;

Time clock_time() { return Time{duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch())}; }
Duration from_seconds(double value) { return Duration{static_cast<std::int64_t>(value * 1e6)}; }

void say(const std::string& sentence) {
  tell("fathom: {} {}\n", format_iso8601(Time{std::chrono::floor<std::chrono::seconds>(clock_time())}), sentence);
}

/// Says what is wrong when it begins, changes and ends, and not in every round.
class Complaint {
 public:
  explicit Complaint(std::string subject) : subject_(std::move(subject)) {}
  void now(const std::string& what) {
    // The numbers of a message may change all the time.
    std::string kind;
    for (const char c : what)
      if (c < '0' || c > '9') kind += c;
    if (kind == kind_) return;
    say(what.empty() ? fmt::format("{}: works again", subject_) : fmt::format("{}: {}", subject_, what));
    kind_ = kind;
  }

 private:
  std::string subject_, kind_;
};

class Daemon {
 public:
  Daemon(const std::string& store, const SlurmAdviceArguments& given, const AdviceArguments& advice, advise::Trained trained)
      : store_(store),
        given_(given),
        adviser_({.store = store, .trained = std::move(trained), .advice = advice.settings(), .stale_seconds = given.stale}),
        settings_{.max_delay_seconds = advice.max_delay,
                  .lease_seconds = given.lease,
                  .settle_seconds = std::max(3 * given.poll, 15.0),
                  .dry_run = given.dry_run} {}

  Result<void> run() {
    const EndSignals signals;
    Descriptor lock;
    slurm::Memory memory;
    if (!given_.dry_run) {
      TRY_VOID(make_directories(given_.state));
      TRY(lock, lock_file(file("lock"), [&] { say(fmt::format("waiting: another daemon uses {}", given_.state)); }));
      TRY(memory, slurm::load_memory(file("jobs")));
    }
    slurm::Controller controller(settings_, std::move(memory), say, [this](const slurm::Decision& decision) { log(decision); });
    kept_ = slurm::as_text(controller.memory());
    say(fmt::format(
        "advice for Slurm from {}: every {:g} s; a hold lasts {:g} s if this program ends, a job is delayed for {:g} s at most{}", store_,
        given_.poll, given_.lease, settings_.max_delay_seconds, given_.dry_run ? "; a dry run: nothing is changed" : ""));
    do {
      round(controller);
    } while (!given_.once && !signals.wait(from_seconds(given_.poll)));
    if (!given_.dry_run && !given_.once) withdraw();
    say(fmt::format("end; jobs held, which begin by themselves within {:g} s: {}", given_.lease, controller.held()));
    return {};
  }

 private:
  std::string file(std::string_view name) const { return fmt::format("{}/{}", given_.state, name); }

  void round(slurm::Controller& controller) {
    learn_when_due();
    if (const Time now = clock_time(); knowledge_at_ == no_time || now - knowledge_at_ > std::chrono::minutes(1)) {
      const auto read = adviser_.read_knowledge();
      knowledge_.now(read ? "" : read.error().message);
      if (read && (knowledge_at_ == no_time || adviser_.known() != known_))
        say(counted(known_ = adviser_.known(), "application is known", "applications are known"));
      knowledge_at_ = now;
    }
    const auto queue = commands_.queue();
    queue_.now(queue ? queue->rejected > 0 ? counted(queue->rejected, "record of squeue makes no sense", "records of squeue make no sense")
                                           : ""
                     : queue.error().message);
    if (!queue) return;
    adviser_.begin(clock_time(), *queue);
    const auto looked = controller.look(clock_time(), *queue, commands_, adviser_);
    look_.now(looked ? "" : looked.error().message);
    keep(controller.memory());
    notes_.now(
        commands_.without_notes()
            ? "Slurm lets an operator change when jobs begin, and only an administrator write AdminComment: reasons are said here alone"
            : "");
    if (looked && !given_.dry_run) publish();
  }

  void keep(const slurm::Memory& memory) {
    if (given_.dry_run) return;
    std::string text = slurm::as_text(memory);
    if (text == kept_) return;
    const auto written = replace_file(file("jobs"), text);
    state_.now(written ? "" : written.error().message);
    if (written) kept_ = std::move(text);
  }

  /// For the dashboard. Advice goes on whether it can be written or not.
  void log(const slurm::Decision& decision) {
    if (given_.dry_run) return;
    const auto written = decisions_.append(decision);
    log_.now(written ? "" : written.error().message);
  }

  /// Only after a round that worked: what this program cannot free, nobody is to hold. Where nothing can be advised, nobody is held either.
  void publish() {
    static const slurm::HoldList none;
    const Time now = clock_time();
    const std::string& blind = adviser_.blind();
    blind_.now(blind);
    const auto written = replace_file(
        file("applications"),
        slurm::hold_list_text(blind.empty() ? adviser_.list() : none, now + from_seconds(std::max(4 * given_.poll, 20.0)), given_.lease));
    state_.now(written ? "" : written.error().message);
  }

  void withdraw() {
    if (const auto written = replace_file(file("applications"), slurm::hold_list_text({}, clock_time(), given_.lease)); !written)
      say(written.error().message);
  }

  /// In another process: it may take long, and must not cost more than itself if it fails.
  void learn_when_due() {
    if (const auto code = learner_.ended()) {
      if (*code != 0) say(fmt::format("learning ended with {}", *code));
      knowledge_at_ = no_time;
    }
    const auto now = std::chrono::steady_clock::now();
    if (given_.learn_every <= 0 || given_.once || given_.dry_run || learner_.running() || now < learn_at_) return;
    learn_at_ = now + from_seconds(given_.learn_every);
    std::error_code failed;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", failed).string();
    const auto started = learner_.start(
        {program, "advise", store_, "--slurm", "--learn", "--state", given_.state, "--learn-days", fmt::format("{:g}", given_.learn_days)});
    if (!started) say(started.error().message);
  }

  std::string store_;
  SlurmAdviceArguments given_;
  slurm::DecisionFile decisions_{given_.state};
  slurm::Commands commands_;
  LiveAdviser adviser_;
  slurm::ControllerSettings settings_;
  slurm::ChildProgram learner_;
  std::chrono::steady_clock::time_point learn_at_{};
  Time knowledge_at_ = no_time;
  std::size_t known_ = 0;
  std::string kept_;
  Complaint knowledge_{"reading what is known"}, queue_{"asking Slurm"}, look_{"asking Slurm about waiting jobs"}, blind_{"everybody runs"},
      state_{"keeping what is remembered"}, log_{"writing decisions"}, notes_{"writing reasons"};
};

}  // namespace

std::shared_ptr<SlurmAdviceArguments> add_slurm_advice_options(CommandLine& line) {
  auto given = std::make_shared<SlurmAdviceArguments>();
  line.add_flag("--slurm", given->slurm, "the daemon: hold and free jobs of known applications in Slurm");
  line.add_flag("--dry-run", given->dry_run, "slurm: only say what would be done");
  line.add_flag("--once", given->once, "slurm: one look at the queue, then end");
  line.add_flag("--learn", given->learn, "slurm: take what ran from sacct, mine, then end; the daemon does so by itself");
  line.add_option("--state", given->state, "slurm: the folder that job_submit.lua reads (default /var/lib/fathom/slurm)").type_name("DIR");
  line.add_option("--poll", given->poll, "slurm: look every so many seconds (default 5)").between(0.2, 3600.0).type_name("S");
  line.add_option("--lease", given->lease,
                  "slurm: a job that is held begins by itself so many seconds after this program has ended (default 60)")
      .between(2.0, 86400.0)
      .type_name("S");
  line.add_option("--stale", given->stale, "slurm: with counters older than this everybody runs (default 120)")
      .between(1.0, 86400.0)
      .type_name("S");
  line.add_option("--learn-every", given->learn_every, "slurm: learn from what ran every so many seconds; 0: never (default 3600)")
      .between(0.0, 1e9)
      .type_name("S");
  line.add_option("--learn-days", given->learn_days, "slurm: how far back to learn at first (default 30)")
      .between(0.01, 3660.0)
      .type_name("D");
  return given;
}

Result<void> advise_slurm(const std::string& store, const SlurmAdviceArguments& given, const AdviceArguments& advice) {
  if (store.empty()) return Error{ErrorKind::usage, "advising: --slurm needs a STORE"};
  if (given.lease < 3 * given.poll)
    return Error{ErrorKind::usage, fmt::format("advising: --lease {:g} must be at least three times --poll {:g}", given.lease, given.poll)};
  if (given.learn) return learn_from_slurm(store, given.state, given.learn_days);
  TRY(advise::Trained trained, advise::weights_of(advice.weights));
  return Daemon(store, given, advice, std::move(trained)).run();
}

}  // namespace fathom
