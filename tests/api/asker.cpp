// SPDX-License-Identifier: Apache-2.0
#include "asker.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include "characterise/study.h"
#include "dashboard/dashboard.h"
#include "dashboard/gzip.h"
#include "ingest/ingest.h"
#include "mine/mining.h"
#include "synth/synth.h"

namespace fathom::api_test {
namespace {

using dashboard::Endpoint;
using dashboard::Json;
using dashboard::Parameter;

constexpr std::string_view odd_texts[] = {"",
                                          " ",
                                          "0",
                                          "-1",
                                          "1",
                                          "'",
                                          "\"",
                                          "' OR 1=1--",
                                          "../../etc/passwd",
                                          "%",
                                          "{store}",
                                          "null",
                                          "NaN",
                                          "\xff\xfe",
                                          "ü",
                                          "a\nb",
                                          "\x01",
                                          ";",
                                          "read",
                                          "write",
                                          "total",
                                          "user",
                                          "job",
                                          "application",
                                          "validated",
                                          "posix",
                                          "mpiio",
                                          "weighted",
                                          "window",
                                          "double-count",
                                          "start",
                                          "-start",
                                          "read_bytes",
                                          "-write_bytes",
                                          "any",
                                          "both"};
constexpr std::string_view odd_numbers[] = {"0",
                                            "1",
                                            "2",
                                            "10",
                                            "64",
                                            "1000",
                                            "100000",
                                            "4294967295",
                                            "4294967296",
                                            "9223372036854775807",
                                            "18446744073709551615",
                                            "18446744073709551616",
                                            "-1",
                                            "0.5",
                                            "-0",
                                            "1e17",
                                            "1e18",
                                            "1e308",
                                            "-1e308",
                                            "1e-308",
                                            "nan",
                                            "inf",
                                            "0x10",
                                            "1_000",
                                            "",
                                            " 1",
                                            "1 ",
                                            "١"};
constexpr std::string_view methods[] = {"GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "", "get"};
constexpr std::string_view bodies[] = {
    "",
    "{}",
    "[",
    R"({"title":"t","scenario":"template","changes":{},"sweep":[],"store":null})",
    R"({"title":"slow links","scenario":"jugene-burst-buffer","changes":{"external_link.bandwidth":"1 Gbit/s"},"sweep":[],"store":"store"})",
    R"({"scenario":"template","changes":{"io_nodes.count":"8"},"sweep":[{"key":"burst_buffer","values":["0","16 GiB"]}],"store":"store","from":1272844800,"to":1272848400})",
    R"({"scenario":"template","changes":{"io_nodes.count":"99999999999"},"sweep":[{"key":"io_nodes.count","values":[]}],"store":"none"})"};
/// 500 is not among them: nothing is damaged here, and nothing is written.
const std::set<unsigned> may_be = {200, 304, 400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 503};

}  // namespace

std::uint8_t Choices::byte() {
  if (rest_.empty()) return 0;
  const std::uint8_t next = rest_.front();
  rest_ = rest_.subspan(1);
  return next;
}

std::size_t Choices::below(std::size_t limit) {
  std::size_t number = byte();
  if (limit > 256) number = number << 8 | byte();
  return number % limit;
}

std::string Choices::text() {
  std::string text;
  for (std::size_t left = below(32); left > 0 && any(); --left) text += static_cast<char>(byte());
  return text;
}

Result<std::unique_ptr<Asker>> Asker::open() {
  std::unique_ptr<Asker> asker(new Asker);
  const std::string store = asker->folder_.path("store"), gone = asker->folder_.path("gone"), state = asker->folder_.path("state");
  TRY_VOID(asker->make_store(store));
  std::filesystem::copy(store, gone, std::filesystem::copy_options::recursive);
  std::filesystem::create_directories(state);
  std::ofstream(state + "/decisions.csv") << "time,job_id,user\n1,2\n\"";
  for (int rank = 0; rank < 3; ++rank) {
    trace::MadeProcess& process = asker->trace_.process({.rank = rank, .ranks = 3});
    const auto file = process.open_file("/data/a");
    for (int i = 0; i < 40; ++i) {
      const std::int64_t from = 20'000'000 * i + 1'000'000 * rank;
      process.call(trace::CallId::pwrite, from + 2'000'000, from + 9'000'000,
                   {.object = file, .offset = 4096 * i, .bytes = 4096, .depth = 1});
      process.call(trace::CallId::MPI_File_write_at, from, from + 10'000'000, {.object = file, .offset = 4096 * i, .bytes = 4096});
    }
  }
  dashboard::DashboardSettings settings;
  settings.paths = {store, gone, asker->trace_.write().string()};
  settings.version = "1.2.3";
  settings.advice_state = state;
  settings.simulations = {.most_waiting = 2, .most_kept = 4, .most_requests = 20'000, .most_increments = 20'000, .most_combinations = 8};
  settings.what_if_page = [](std::string_view json) { return "<html>" + std::string(json); };
  TRY(asker->dashboard_, dashboard::Dashboard::open(settings));
  std::filesystem::remove_all(gone);
  const std::string page = dashboard::gzip("<page>");
  TRY(dashboard::Assets assets,
      dashboard::Assets::unpack(fmt::format("FATHOMPACK1\nindex.html\ttext/html\t6\t{}\tabcd\n{}", page.size(), page)));
  asker->front_.emplace(*asker->dashboard_, std::move(assets), dashboard::FrontSettings{});
  TRY_VOID(asker->learn_words());
  return asker;
}

Result<void> Asker::make_store(const std::string& path) {
  TRY(const Store store, Store::open_or_create(path));
  SynthOptions options;
  options.days = 1;
  IngestOptions exclusive;
  exclusive.sharing = ServerSharing::exclusive;
  TRY_VOID(ingest_from(
      store, "small", "synth", [&](Harvest& harvest) { return preset_named("small")->deliver(options, harvest); }, exclusive));
  StudyOptions study_options;
  study_options.thresholds = {0, 1u << 20};
  study_options.min_runtime = 0;
  study_options.keep = true;
  TRY_VOID(study(store, study_options));
  TRY_VOID(mine::mine(store, {}));
  return {};
}

Result<void> Asker::learn_words() {
  const auto answer = [&](std::string path) {
    http::Request request;
    request.method = "GET";
    request.target = std::string(dashboard::api_prefix) + path;
    request.host = "localhost";
    return Json::parse(*front_->answer(request).body);
  };
  for (int i = 0;; ++i) {
    const Json info = answer("/stores/store");
    if (info.contains("overview") && info["overview"]["ready"] == true && info["machine"]["ready"] == true) {
      const double start = info["start"], end = info["end"];
      times_ = {start, end, (start + end) / 2, start + 1, end - 0.5, start - 86400, end + 86400, start + 3600, start + 7200};
      break;
    }
    if (i == 3000) return Error{ErrorKind::busy, "waiting for the store: " + info.dump()};
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  words_ = {"store", "gone", "s1", "s2"};
  const Json catalog = answer("/"), jobs = answer("/stores/store/jobs?limit=20"), values = answer("/stores/store/values");
  for (const Json& each : catalog["traces"]) words_.push_back(each["id"]);
  for (const Json& job : jobs["rows"])
    for (const char* key : {"job_id", "user", "name"}) words_.push_back(job[key]);
  for (const Json& each : values["values"]) words_.push_back(each["key"]);
  return {};
}

std::string Asker::value(Parameter::Kind kind, Choices& choices) const {
  switch (choices.below(8)) {
    case 0: return std::string(choices.of(odd_texts));
    case 1: return std::string(choices.of(odd_numbers));
    case 2: return choices.text();
    default: break;
  }
  switch (kind) {
    case Parameter::Kind::text: return choices.of(words_);
    case Parameter::Kind::number:
      return fmt::format("{}", choices.one_in(2) ? choices.of(times_) : static_cast<double>(choices.below(5000)));
    case Parameter::Kind::whole: return fmt::format("{}", choices.below(5000));
    case Parameter::Kind::flag: return choices.one_in(2) ? "1" : "false";
  }
  return {};
}

std::string Asker::target(const Endpoint& endpoint, Choices& choices) const {
  const auto write = [&](const std::string& text) { return choices.one_in(16) ? text : http::encode(text); };
  std::string target = choices.one_in(32) ? "" : std::string(dashboard::api_prefix);
  std::string_view rest = endpoint.path;
  while (!rest.empty()) {
    const auto at = rest.find('{');
    target += rest.substr(0, at);
    if (at == std::string_view::npos) break;
    const std::string_view name = rest.substr(at + 1, rest.find('}') - at - 1);
    // A store and a trace that are there, most of the time: nothing else comes far.
    target += choices.one_in(8) ? write(value(Parameter::Kind::text, choices))
              : name == "store" ? "store"
              : name == "trace" ? write(dashboard_->traces().empty() ? "" : words_[4])
                                : write(choices.of(words_));
    rest.remove_prefix(rest.find('}') + 1);
  }
  char before = '?';
  for (const Parameter& each : endpoint.parameters) {
    if (!each.required && !choices.one_in(3)) continue;
    target += before + std::string(each.name) + "=" + write(value(each.kind, choices));
    before = '&';
  }
  if (choices.one_in(16)) target += before + choices.text();
  return target;
}

std::string Asker::body(Choices& choices) const {
  std::string body(choices.of(bodies));
  for (std::size_t changes = choices.below(4); changes > 0 && !body.empty(); --changes) {
    const std::size_t at = choices.below(body.size());
    if (choices.one_in(2))
      body[at] = static_cast<char>(choices.byte());
    else
      body.insert(at, choices.one_in(2) ? std::string(choices.of(odd_numbers)) : choices.text());
  }
  return body;
}

unsigned Asker::ask(Choices choices) {
  const Endpoint& endpoint = *choices.of(dashboard::all_endpoints());
  request_ = {};
  request_.method = choices.one_in(16) ? choices.of(methods) : endpoint.method;
  request_.target = target(endpoint, choices);
  request_.host = choices.one_in(32) ? choices.text() : "localhost";
  if (request_.method == "POST")
    request_.body = body(choices), request_.content_type = choices.one_in(16) ? choices.text() : "application/json";
  if (choices.one_in(16)) request_.origin = choices.text();
  if (choices.one_in(16)) request_.authorization = "Bearer " + choices.text();
  if (choices.one_in(8)) request_.if_none_match = choices.one_in(2) ? tag_ : choices.text();
  request_.takes_gzip = choices.one_in(2);
  const http::Response response = front_->answer(request_);
  check(response);
  for (const auto& [name, text] : response.headers)
    if (name == "ETag") tag_ = text;
  return response.status;
}

void Asker::check(const http::Response& response) const {
  if (!may_be.contains(response.status)) object("its status", response);
  if (response.events) return;
  if (response.status == 304) {
    if (response.body && !response.body->empty()) object("a body where nothing changed", response);
    return;
  }
  if (!response.body) object("that there is no body", response);
  std::string text = *response.body;
  for (const auto& [name, what] : response.headers) {
    if (what.find_first_of("\r\n") != std::string::npos) object("a header of two lines", response);
    if (name != "Content-Encoding") continue;
    auto plain = dashboard::gunzip(text, std::size_t{64} << 20);
    if (!plain) object("what it packed", response);
    text = std::move(*plain);
  }
  if (!response.type.starts_with("application/json")) return;
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) object("what is no JSON", response);
  if (response.status < 400) return;
  if (!json.contains("error") || !json["error"].contains("message") || json["error"]["message"].get<std::string>().empty())
    object("a failure without a message", response);
}

void Asker::object(std::string_view to, const http::Response& response) const {
  fmt::print(stderr, "{} {}\n{}\nanswer {} ({}): {:.2000}\nThe test objects to {}.\n", request_.method, request_.target, request_.body,
             response.status, response.type, response.body ? *response.body : std::string("nothing"), to);
  std::abort();
}

}  // namespace fathom::api_test
