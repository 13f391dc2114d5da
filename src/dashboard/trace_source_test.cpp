// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <thread>

#include "dashboard/api.h"
#include "dashboard/trace_answers.h"
#include "trace/made_trace_test.h"

namespace fathom::dashboard {
namespace {

using trace::CallId;
using trace::MadeProcess;
using trace::MadeTrace;

/// Two ranks: each writes 1000 bytes from 0.2 s to 0.4 s inside an MPI-IO call, and rank 1 reads 500.
void make_run(MadeTrace& made) {
  for (int number = 0; number < 2; ++number) {
    MadeProcess& rank = made.process({.rank = number, .ranks = 2});
    const auto file = rank.open_file("/data/a");
    rank.call(CallId::pwrite, 200'000'000, 400'000'000, {.object = file, .offset = 0, .bytes = 1000, .depth = 1});
    rank.call(CallId::MPI_File_write_at, 100'000'000, 500'000'000, {.object = file, .offset = 0, .bytes = 1000});
    if (number == 1) rank.call(CallId::pread, 600'000'000, 700'000'000, {.object = file, .offset = 0, .bytes = 500});
  }
}

Result<std::unique_ptr<Dashboard>> opened_with(const std::string& folder) {
  DashboardSettings settings;
  settings.paths = {folder};
  settings.version = "1";
  return Dashboard::open(settings);
}

std::unique_ptr<Dashboard> serving(const std::string& folder) {
  auto opened = opened_with(folder);
  EXPECT_TRUE(opened) << opened.error().message;
  return *std::move(opened);
}

Json asked(Dashboard& dashboard, const std::string& target, unsigned status = 200) {
  Api api(dashboard);
  http::Request request;
  request.method = "GET";
  request.target = "/api/v1" + target;
  const http::Response response = api.answer(request);
  EXPECT_EQ(response.status, status) << target << ": " << *response.body;
  return Json::parse(*response.body);
}

TEST(TraceSource, IsServed) {
  MadeTrace made;
  make_run(made);
  const auto dashboard = serving(made.write().string());
  ASSERT_EQ(dashboard->traces().size(), 1u);
  const TraceSource& source = *dashboard->traces()[0];
  ASSERT_TRUE(source.answers());
  const Json entry = asked(*dashboard, "/")["traces"][0];
  EXPECT_EQ(entry["events"], 5);
  EXPECT_EQ(entry["ranks"], 2);
  EXPECT_EQ(entry["has_slices"], false);
  const std::string path = "/traces/" + source.id();
  const Json info = asked(*dashboard, path);
  EXPECT_EQ(info["prepared"]["ready"], true);
  EXPECT_EQ(info["interfaces"], Json({"posix", "mpiio"}));
  EXPECT_EQ(info["summary"]["interfaces"]["posix"]["write_bytes"], 2000);
  const Json map = asked(*dashboard, path + "/map?from=0&to=1&columns=10&interface=posix");
  EXPECT_EQ(map["rows"].size(), 2u);
  EXPECT_EQ(map["columns"], 10);
  EXPECT_EQ(map["calls"], 5);
  const Json calls = asked(*dashboard, path + "/calls?from=0.1&to=0.3");
  ASSERT_EQ(calls["calls"].size(), 4u);
  EXPECT_EQ(calls["calls"][0]["call"], "MPI_File_write_at");
  EXPECT_NEAR(calls["calls"][0]["start"].get<double>(), 0.1, 1e-9);
  const Json inside = asked(*dashboard, path + "/calls?parent=" + std::to_string(calls["calls"][0]["row"].get<int>()));
  ASSERT_EQ(inside["calls"].size(), 1u);
  EXPECT_EQ(inside["calls"][0]["call"], "pwrite");
  EXPECT_EQ(asked(*dashboard, path + "/concurrency?interface=posix")["largest"], 2);
  EXPECT_EQ(asked(*dashboard, path + "/decomposition")["rows"][1]["calls"], 2);
  EXPECT_EQ(asked(*dashboard, path + "/bandwidth?limit=1")["rows"].size(), 1u);
  EXPECT_EQ(asked(*dashboard, path + "/files")["total"], 1);
  asked(*dashboard, path + "/map?to=0", 400);
  asked(*dashboard, path + "/calls?rank=7", 404);
  asked(*dashboard, "/traces/other/map", 404);
  asked(*dashboard, "/compete?trace=" + source.id(), 404);
}

TEST(TraceSource, ClientSideOfAJob) {
  MadeTrace made;
  make_run(made);
  const auto dashboard = serving(made.write().string());
  const TraceSource& source = *dashboard->traces()[0];
  ASSERT_TRUE(source.answers());
  const double start = static_cast<double>(trace::made_epoch) / 1e9;
  const auto side = client_side(source, start, start + 1, 10);
  ASSERT_TRUE(side);
  EXPECT_EQ((*side)["write_bytes"], 2000);
  EXPECT_EQ((*side)["read_bytes"], 500);
  EXPECT_NEAR((*side)["write"][2].get<double>(), 10'000, 1);  // half of both writes in a tenth of a second
  EXPECT_NEAR((*side)["write"][5].get<double>(), 0, 1);
  EXPECT_NEAR((*side)["read"][6].get<double>(), 5'000, 1);
  EXPECT_FALSE(client_side(source, start, start, 10));
}

TEST(TraceSource, NeitherStoreNorTrace) {
  MadeTrace made;  // a folder with nothing in it
  const auto opened = opened_with(made.directory.string());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("as a store"), std::string::npos);
  EXPECT_NE(opened.error().message.find("as a trace"), std::string::npos);
}

TEST(TraceSource, TooManyCallsLeaveACoarsePicture) {
  MadeTrace made;
  make_run(made);
  auto trace = open_traced_run(made.write().string());
  ASSERT_TRUE(trace);
  TraceSource source("t", made.directory.string(), *std::move(trace), [](const TraceSource&) {}, {.calls = 2, .columns = 100, .rows = 8});
  source.start();
  const auto answers = source.answers();
  ASSERT_TRUE(answers);
  EXPECT_FALSE((*answers)->calls.exact());
  EXPECT_EQ((*answers)->calls.seen(), 5u);
  EXPECT_FALSE((*answers)->calls.choose({}));
  EXPECT_TRUE(source.progress().ready);
  const double start = static_cast<double>(trace::made_epoch) / 1e9;
  EXPECT_EQ((*client_side(source, start, start + 1, 4))["write_bytes"], 2000);
}

}  // namespace
}  // namespace fathom::dashboard
