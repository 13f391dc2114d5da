// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "base/text.h"
#include "compete/competition.h"
#include "compete/page_data.h"
#include "dashboard/trace_answers.h"

namespace fathom::dashboard {
namespace {

constexpr std::size_t most_applications = 16;

/// The runs that were chosen, each once.
struct Runs {
  std::vector<const TraceSource*> sources;
  std::vector<slices::Profile> profiles;
  std::vector<std::string> labels;
};

Result<Runs> runs_asked(const Dashboard& dashboard, const Call& call) {
  Runs runs;
  for (const std::string& id : call.texts("trace")) {
    TRY(const TraceSource* source, dashboard.trace(id));
    if (std::find(runs.sources.begin(), runs.sources.end(), source) != runs.sources.end())
      return Error{ErrorKind::usage, fmt::format("comparing applications: trace {} is given twice", id)};
    if (runs.sources.size() == most_applications)
      return Error{ErrorKind::usage, fmt::format("comparing applications: {} at most at once", most_applications)};
    TRY(const auto profile, source->profile());
    runs.sources.push_back(source);
    runs.profiles.push_back(*profile);
  }
  if (runs.sources.size() < 2) return Error{ErrorKind::usage, "comparing applications: needs two traces with slices or more"};
  runs.labels = compete::labels(runs.profiles);
  return runs;
}

Result<compete::Direction> direction_asked(const Call& call) {
  const std::string name = call.text_or("direction", "write");
  for (std::size_t i = 0; i < slices::direction_names.size(); ++i)
    if (slices::direction_names[i] == name) return static_cast<compete::Direction>(i);
  return Error{ErrorKind::usage, fmt::format("reading the query: there is no direction {}; read, write and both are known", excerpt(name))};
}

Result<std::optional<compete::Share>> share_asked(const Call& call) {
  const std::string name = call.text_or("share", "");
  if (name.empty()) return std::optional<compete::Share>();
  for (std::size_t i = 0; i < compete::share_names.size(); ++i)
    if (compete::share_names[i] == name) return std::optional(static_cast<compete::Share>(i));
  return Error{ErrorKind::usage, fmt::format("reading the query: share is process or node, not {}", excerpt(name))};
}

/// TRACE=SECONDS, or TRACE=TRACE: another run, in which it was alone.
Result<std::vector<std::optional<compete::Alone>>> alone_asked(const Dashboard& dashboard, const Call& call, const Runs& runs,
                                                               compete::Direction direction) {
  std::vector<std::optional<compete::Alone>> all(runs.sources.size());
  for (const std::string& word : call.texts("alone")) {
    const auto wrong = [&](std::string_view what) {
      return Error{ErrorKind::usage, fmt::format("reading alone={}: {}", excerpt(word), what)};
    };
    const std::size_t at = word.rfind('=');
    const std::string id = word.substr(0, at);
    const auto whose = std::find_if(runs.sources.begin(), runs.sources.end(), [&](const TraceSource* each) { return each->id() == id; });
    if (at == std::string::npos || whose == runs.sources.end())
      return wrong("TRACE=SECONDS or TRACE=TRACE is wanted, where the first is one of those to compare");
    auto& place = all[static_cast<std::size_t>(whose - runs.sources.begin())];
    if (place) return wrong("it is there twice");
    const std::string value = word.substr(at + 1);
    const auto other = dashboard.trace(value);
    if (other) {
      TRY(const auto profile, (*other)->profile());
      const auto found = compete::alone_from(*profile, runs.profiles.front().length, direction);
      if (!found) return wrong(found.error().message);
      place = *found;
    } else if (const auto seconds = parse_double(value); seconds && *seconds > 0 && *seconds < 1e12) {
      place = compete::Alone{*seconds, std::nullopt};
    } else {
      return wrong("there is no such trace, and it is no time above zero");
    }
  }
  return all;
}

Json courses_json(const std::vector<compete::ModelCourse>& courses) {
  Json list = Json::array();
  for (const compete::ModelCourse& course : courses) {
    Json steps = Json::array();
    for (const auto& step : course.steps) steps.push_back({step.begin, step.end, step.rate});
    list.push_back({{"application", course.label}, {"steps", std::move(steps)}});
  }
  return list;
}

Result<Reply> answer(Dashboard& dashboard, const Call& call) {
  TRY(const Runs runs, runs_asked(dashboard, call));
  TRY(const compete::Direction direction, direction_asked(call));
  TRY(const std::optional<compete::Share> share, share_asked(call));
  TRY(const auto alone, alone_asked(dashboard, call, runs, direction));
  TRY(const std::vector<compete::Application> applications,
      compete::prepare(runs.profiles, runs.labels, direction, call.whole_within("least", 1, 1, UINT64_MAX)));
  const compete::Competition competition = compete::compete(applications, alone, {direction, call.flag("trim")}, share, false);
  compete::PageOptions page;
  page.title = "Applications side by side";
  page.version = dashboard.settings().version;
  page.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  page.direction = direction;
  page.trim = competition.options.trim;
  for (std::size_t i = 0; i < runs.profiles.size(); ++i)
    for (const std::string& notice : runs.profiles[i].notices) page.notes.push_back(runs.labels[i] + ": " + notice);
  for (const std::string& notice : competition.notices()) page.notes.push_back(notice);
  Json found{{"traces", Json::array()},
             {"slices", compete::page_data(applications, &competition.all, page)},
             {"competition", compete::competition_json(competition)},
             {"model", competition.slowdowns.predicted_course.turns.empty() ? "inferred" : "predicted"},
             {"courses", courses_json(compete::model_courses(applications, competition))}};
  for (std::size_t i = 0; i < runs.sources.size(); ++i)
    found["traces"].push_back({{"trace", runs.sources[i]->id()}, {"application", runs.labels[i]}});
  return json_reply(found);
}

Result<std::string> version(Dashboard&, const Call&) { return std::string("slices"); }  // they do not change while they are served

constexpr Parameter parameters[] = {
    {"trace", "two or more of the catalog that have slices", Parameter::Kind::text, true, true},
    {"direction", "bytes that count: read, write (default) or both"},
    {"trim", "overlap and overall throughput without start-up and ending", Parameter::Kind::flag},
    {"alone", "TRACE=SECONDS or TRACE=TRACE: its I/O phase without the others", Parameter::Kind::text, false, true},
    {"share", "who has equal shares in the model: process or node (default: what is nearer to what was seen)"},
    {"least", "bytes: leave out processes that moved less", Parameter::Kind::whole}};

}  // namespace

namespace endpoints {
extern const Endpoint compete;
constinit const Endpoint compete{.method = "GET",
                                 .path = "/compete",
                                 .summary = "Applications that ran side by side, as `fathom compete` has them, and the model beside",
                                 .answers = "CompeteAnswer",
                                 .parameters = parameters,
                                 .answer = answer,
                                 .version = version};
}  // namespace endpoints
}  // namespace fathom::dashboard
