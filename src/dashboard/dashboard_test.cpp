// SPDX-License-Identifier: Apache-2.0
// The parts of the dashboard that need no store: who may ask, what is asked, what is kept; and traffic on grids against a slow count.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "dashboard/front.h"
#include "dashboard/gzip.h"
#include "dashboard/job_filter.h"
#include "dashboard/time_range.h"

namespace fathom::dashboard {
namespace {

http::Request asking(std::string target, std::string host = "127.0.0.1:8080") {
  http::Request request;
  request.method = "GET";
  request.target = std::move(target);
  request.host = std::move(host);
  return request;
}

std::string packed(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string pack = "FATHOMPACK1\n";
  for (const auto& [name, text] : files) {
    const std::string bytes = gzip(text);
    pack += name + "\ttext/html\t" + std::to_string(text.size()) + "\t" + std::to_string(bytes.size()) + "\tabcd\n" + bytes;
  }
  return pack;
}

class FrontDoor : public testing::Test {
 protected:
  Front door(FrontSettings settings) {
    return Front(*dashboard_, *Assets::unpack(packed({{"index.html", "<page>"}, {"assets/a-1.js", "code"}})), std::move(settings));
  }
  std::unique_ptr<Dashboard> dashboard_ = *Dashboard::open({});
};

TEST_F(FrontDoor, FilesAndViews) {
  Front front = door({});
  EXPECT_EQ(*front.answer(asking("/")).body, "<page>");
  EXPECT_EQ(*front.answer(asking("/stores/x.y/machine?from=1")).body, "<page>");  // a view
  EXPECT_EQ(*front.answer(asking("/assets/a-1.js")).body, "code");
  EXPECT_EQ(front.answer(asking("/assets/a-2.js")).status, 404u);
  EXPECT_EQ(front.answer(asking("/robots.txt")).status, 404u);
  http::Request packed_too = asking("/");
  packed_too.takes_gzip = true;
  EXPECT_EQ(gunzip(*front.answer(packed_too).body, 100), "<page>");
  http::Request again = asking("/");
  again.if_none_match = "\"abcd\"";
  EXPECT_EQ(front.answer(again).status, 304u);
  http::Request put = asking("/");
  put.method = "PUT";
  EXPECT_EQ(front.answer(put).status, 405u);
}

TEST_F(FrontDoor, NamesThatLeadHere) {
  Front loopback = door({});
  for (const char* host : {"localhost", "localhost:80", "127.0.0.1:9", "[::1]:8080", "10.1.2.3:8080", "[fe80::1]"})
    EXPECT_EQ(loopback.answer(asking("/api/v1", host)).status, 200u) << host;
  for (const char* host : {"", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil", "1.2.3", "1.2.3.4.5",
                           "[::1", "[evil.example]", "[]", "0x7f.1"})
    EXPECT_EQ(loopback.answer(asking("/api/v1", host)).status, 421u) << host;
  Front named = door({"", {"fathom.example"}});
  EXPECT_EQ(named.answer(asking("/api/v1", "Fathom.Example:8080")).status, 200u);
  EXPECT_EQ(named.answer(asking("/api/v1", "other.example")).status, 421u);
  EXPECT_EQ(named.answer(asking("/api/v1", "10.1.2.3:8080")).status, 200u);  // the address that it listens on
  Front secret = door({"sixteen letters!", {}});
  EXPECT_EQ(secret.answer(asking("/", "any.example")).status, 200u);
}

TEST_F(FrontDoor, Tokens) {
  Front front = door({"sixteen letters!", {}});
  http::Request request = asking("/api/v1");
  EXPECT_EQ(front.answer(request).status, 401u);
  for (const char* wrong :
       {"Bearer", "Bearer ", "Bearer sixteen letters", "Bearer sixteen letters!!", "sixteen letters!", "Basic sixteen letters!"}) {
    request.authorization = wrong;
    EXPECT_EQ(front.answer(request).status, 401u) << wrong;
  }
  request.authorization = "bearer sixteen letters!";
  EXPECT_EQ(front.answer(request).status, 200u);
  EXPECT_EQ(front.answer(asking("/")).status, 200u);  // the page asks for the token
  EXPECT_TRUE(equal_in_constant_time("a", "a"));
  EXPECT_FALSE(equal_in_constant_time("ab", "a"));
  EXPECT_FALSE(equal_in_constant_time("", "a"));
}

TEST_F(FrontDoor, EveryAnswerIsHardened) {
  Front front = door({});
  for (const char* target : {"/", "/api/v1", "/api/v1/none", "/assets/none"}) {
    const http::Response response = front.answer(asking(target));
    const auto has = [&](std::string_view name) {
      return std::any_of(response.headers.begin(), response.headers.end(), [&](const auto& each) { return each.first == name; });
    };
    EXPECT_TRUE(has("Content-Security-Policy") && has("X-Content-Type-Options") && has("X-Frame-Options") && has("Referrer-Policy"))
        << target;
  }
}

TEST(Assets, DamagedPacks) {
  const std::string good = packed({{"index.html", "page"}});
  EXPECT_TRUE(Assets::unpack(good));
  for (std::size_t cut = 0; cut < good.size(); ++cut) EXPECT_FALSE(Assets::unpack(good.substr(0, cut))) << cut;
  EXPECT_FALSE(Assets::unpack(packed({{"other.html", "page"}})));
}

TEST(Calls, WordsOfPaths) {
  const auto words = match("/stores/{store}/jobs/{job}", "/stores/a%20b/jobs/7%2F8");
  ASSERT_TRUE(words);
  EXPECT_EQ(words->at("store"), "a b");
  EXPECT_EQ(words->at("job"), "7/8");
  for (const char* path : {"/stores/a/jobs", "/stores/a/jobs/", "/stores//jobs/1", "/stores/a/jobs/1/2", "stores/a/jobs/1",
                           "/stores/%/jobs/1", "/Stores/a/jobs/1"})
    EXPECT_FALSE(match("/stores/{store}/jobs/{job}", path)) << path;
  EXPECT_TRUE(match("/", "/"));
}

TEST(Calls, ParametersAreChecked) {
  static constexpr std::array declared = {Parameter{"n", "", Parameter::Kind::number}, Parameter{"w", "", Parameter::Kind::whole},
                                          Parameter{"t", "", Parameter::Kind::text, true},
                                          Parameter{"m", "", Parameter::Kind::text, false, true},
                                          Parameter{"f", "", Parameter::Kind::flag}};
  const auto made = [](const char* query) { return Call::make(asking(std::string("/?") + query), {}, declared); };
  const auto call = made("t=x&n=-1.5e3&w=7&m=a&m=b&f");
  ASSERT_TRUE(call) << call.error().message;
  EXPECT_EQ(call->number("n"), -1500);
  EXPECT_EQ(call->whole("w"), 7u);
  EXPECT_EQ(call->texts("m"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(call->flag("f"));
  EXPECT_EQ(call->whole_within("w", 1, 1, 5), 5u);
  EXPECT_EQ(made("t=x&w=7")->key(), made("w=7&t=x")->key());
  for (const char* wrong :
       {"", "t=x&t=y", "t=x&n=", "t=x&n=nan", "t=x&n=inf", "t=x&n=1e400", "t=x&w=-1", "t=x&w=1.5", "t=x&other=1", "t=%", "t=x&f=yes"})
    EXPECT_FALSE(made(wrong)) << wrong;
}

TEST(AnswerCache, KeepsWhatIsUsedAndDropsTheRest) {
  AnswerCache cache(8000);
  const auto text = [](std::size_t size) { return std::make_shared<const std::string>(size, 'x'); };
  cache.keep("a", {"1", "", "", text(1000), nullptr});
  EXPECT_TRUE(cache.find("a", "1"));
  EXPECT_FALSE(cache.find("a", "2"));  // of another version: gone
  EXPECT_FALSE(cache.find("a", "1"));
  cache.keep("large", {"1", "", "", text(5000), nullptr});
  EXPECT_FALSE(cache.find("large", "1"));
  for (int i = 0; i < 10; ++i) {
    cache.keep(std::to_string(i), {"1", "", "", text(1000), nullptr});
    EXPECT_TRUE(cache.find("0", "1")) << i;
  }
  EXPECT_FALSE(cache.find("1", "1"));
  EXPECT_TRUE(cache.find("9", "1"));
}

TEST(TimeGrid, NiceSteps) {
  const TimeGrid grid = nice_grid({1000.5, 4600}, 100, 1);
  EXPECT_EQ(grid.step, 60);
  EXPECT_EQ(grid.from, 960);
  EXPECT_GE(grid.to(), 4600);
  EXPECT_LT(grid.to(), 4660);
  EXPECT_EQ(nice_grid({0, 86400}, 1000, 3600).step, 3600);
  EXPECT_GT(nice_grid({0, 3e9}, 10, 1).step, 1e8);
}

// Amounts spread over cells of any length: sums stay, and each cell has what a count by the second gives.
TEST(CellRow, SpreadsAsASlowCountDoes) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t step = 1 + random.whole(0, 49);
    CellRow row(step * 1'000'000);
    std::map<std::int64_t, double> slow;
    double total = 0;
    for (int i = 0; i < 20; ++i) {
      const auto start = random.whole(-200, 199), length = random.whole(1, 100);
      const double bytes = static_cast<double>(random.whole(1, 1000));
      row.spread(start * 1'000'000, (start + length) * 1'000'000, bytes, 2 * bytes);
      for (std::int64_t s = start; s < start + length; ++s)
        slow[s >= 0 ? s / step : -((-s + step - 1) / step)] += bytes / static_cast<double>(length);
      total += bytes;
    }
    double sum = 0;
    for (std::size_t i = 0; i < row.cells().size(); ++i) {
      const double wanted = slow[row.first() + static_cast<std::int64_t>(i)];
      EXPECT_NEAR(row.cells()[i].read, wanted, 1e-3 * std::max(1.0, wanted));
      EXPECT_NEAR(row.cells()[i].write, 2 * wanted, 2e-3 * std::max(1.0, wanted));
      sum += row.cells()[i].read;
    }
    EXPECT_NEAR(sum, total, 1e-4 * total);
  }
}

TEST(JobTable, WhoRanInATime) {
  JobTable jobs;
  Random random(3);
  const double none = std::nan("");
  for (int i = 0; i < 300; ++i) {
    jobs.ids.push_back(std::to_string(i % 250));
    jobs.user.push_back(jobs.users.place("u" + std::to_string(i % 7)));
    jobs.name.push_back(jobs.names.place("n"));
    jobs.nodes.push_back(1);
    jobs.start.push_back(i * 10);
    jobs.end.push_back(random.chance(0.05) ? none : i * 10 + static_cast<double>(random.whole(0, 499)));
  }
  jobs.index();
  EXPECT_EQ(jobs.users.size(), 7u);
  EXPECT_EQ(jobs.rows_of("3"), (std::vector<std::uint32_t>{3, 253}));
  EXPECT_TRUE(jobs.rows_of("none").empty());
  for (int i = 0; i < 100; ++i) {
    const double from = static_cast<double>(random.whole(0, 3499)), to = from + static_cast<double>(random.whole(0, 299));
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t row = 0; row < jobs.size(); ++row)
      if (jobs.start[row] < to && (std::isnan(jobs.end[row]) || jobs.end[row] > from)) wanted.push_back(row);
    EXPECT_EQ(jobs.overlapping(from, to), wanted) << from << " " << to;
  }
}

TEST(OpenApi, DescribesEveryEndpoint) {
  const Json description = openapi();
  for (const Endpoint* endpoint : all_endpoints()) {
    ASSERT_TRUE(description["paths"].contains("/api/v1" + std::string(endpoint->path))) << endpoint->path;
    EXPECT_FALSE(endpoint->summary.empty());
  }
}

TEST(Values, Asked) {
  EXPECT_TRUE(asked_value("bytes.read"));
  EXPECT_TRUE(asked_value("nodes"));
  for (const char* wrong : {"", "bytes", "bytes.", "bytes.up", "nodes.read", "none", "bytes.read.x"})
    EXPECT_FALSE(asked_value(wrong)) << wrong;
}

}  // namespace
}  // namespace fathom::dashboard
