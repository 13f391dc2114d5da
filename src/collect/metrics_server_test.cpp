// SPDX-License-Identifier: Apache-2.0
#include "collect/metrics_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/text.h"
#include "collect/http_get.h"
#include "collect/metrics_page.h"
#include "store/files.h"

namespace fathom {
namespace {

using namespace std::chrono_literals;

class Served : public testing::Test {
 protected:
  void SetUp() override {
    auto started = start_metrics_server("0", [] { return std::string("up 1\n"); });
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
    port_ = static_cast<std::uint16_t>(*parse_u64(server_->address().substr(server_->address().rfind(':') + 1)));
  }

  Descriptor connected() const {
    Descriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    const timeval patience{5, 0};
    ::setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return client;
  }

  /// Sends bytes as they are and reads until the other side has no more to say.
  std::string exchange(std::string_view request) const {
    const Descriptor client = connected();
    (void)!::send(client.get(), request.data(), request.size(), MSG_NOSIGNAL);
    ::shutdown(client.get(), SHUT_WR);
    std::string answer;
    char block[4096];
    for (ssize_t count; (count = ::recv(client.get(), block, sizeof block, 0)) > 0;) answer.append(block, static_cast<std::size_t>(count));
    return answer;
  }

  std::unique_ptr<http::Server> server_;
  std::uint16_t port_ = 0;
};

TEST_F(Served, OnLoopbackAndOnlyThere) { EXPECT_EQ(server_->address(), "127.0.0.1:" + std::to_string(port_)); }

TEST_F(Served, ThePage) {
  const std::string answer = exchange("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\nup 1\n")) << answer;
  EXPECT_NE(answer.find("version=0.0.4"), std::string::npos);
  const std::string head = exchange("HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200")) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
  const auto got = http_get({"127.0.0.1", std::to_string(port_), "/metrics?x"}, 5s, 100);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(*got, "up 1\n");
  EXPECT_FALSE(http_get({"127.0.0.1", std::to_string(port_), "/metrics"}, 5s, 3));  // longer than the caller wants
  EXPECT_FALSE(http_get({"127.0.0.1", "1", "/metrics"}, 5s, 100));                  // nobody listens
}

// Two requests on one connection get two answers.
TEST_F(Served, KeepsConnections) {
  const std::string answer = exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(answer.find("up 1"), std::string::npos);
  EXPECT_NE(answer.find("see /metrics"), std::string::npos);
}

TEST_F(Served, WrongRequests) {
  EXPECT_TRUE(exchange("GET /../etc/passwd HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(exchange("DELETE /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(exchange("complete nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(exchange(std::string_view("\0\x16\x03\x01\x02\r\n\r\n", 9)).starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(exchange("GET /metrics HTTP/1.1\r\nX: " + std::string(100'000, 'a') + "\r\n\r\n").starts_with("HTTP/1.1 431"));
  EXPECT_TRUE(exchange("GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 431"));
  EXPECT_TRUE(exchange("POST /metrics HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n").starts_with("HTTP/1.1 413"));
  EXPECT_EQ(exchange(""), "");
  EXPECT_TRUE(exchange("GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200"));  // and it goes on
}

// Many that say nothing keep nobody else out for long: those above the limit are closed at once.
TEST_F(Served, IdleConnectionsAreBounded) {
  std::vector<Descriptor> idle;
  for (int i = 0; i < 63; ++i) idle.push_back(connected());
  EXPECT_TRUE(exchange("GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200"));
  for (int i = 0; i < 40; ++i) idle.push_back(connected());
  EXPECT_EQ(exchange("GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n"), "");
  idle.clear();
  std::string answer;
  for (int i = 0; i < 100 && answer.empty(); ++i) answer = exchange("GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200"));
}

TEST(MetricsServer, AddressesThatCannotBe) {
  for (const char* address : {"", "x", "127.0.0.1:", "127.0.0.1:70000", "example.invalid:80"})
    EXPECT_FALSE(start_metrics_server(address, [] { return ""; })) << address;
  const auto first = start_metrics_server("localhost:0", [] { return ""; });
  ASSERT_TRUE(first);
}

// Labels are escaped, and jobs are named only when asked for.
TEST(MetricsPage, SeriesAndJobs) {
  Latest latest;
  Sample sample;
  sample.t = time_from_seconds(5);
  sample.has = mask(Counter::read_bytes);
  sample.values[0] = 77;
  latest.take({"s\"1\\", "f", ""}, sample, sample.t);
  latest.take({"s2", "f", "job.of.someone"}, sample, sample.t);
  std::vector<std::unique_ptr<SourceHealth>> sources;
  sources.push_back(std::make_unique<SourceHealth>());
  sources.back()->word = "block";
  sources.back()->polls = 3;
  const FlushHealth flushes;
  const Waiting waiting(10);
  const std::string page = metrics_page(sources, flushes, waiting, latest, {});
  EXPECT_NE(page.find("fathom_read_bytes_total{server=\"s\\\"1\\\\\",filesystem=\"f\"} 77\n"), std::string::npos) << page;
  EXPECT_NE(page.find("fathom_collect_polls_total{source=\"block\"} 3\n"), std::string::npos);
  EXPECT_EQ(page.find("someone"), std::string::npos);
  EXPECT_EQ(page.find("fathom_write_bytes_total{"), std::string::npos);  // not counted is not zero
  const std::string exposed = metrics_page(sources, flushes, waiting, latest, {.expose_jobs = true});
  EXPECT_NE(exposed.find("fathom_job_read_bytes_total{server=\"s2\",filesystem=\"f\",batch_job=\"job.of.someone\"} 77\n"),
            std::string::npos);
  EXPECT_EQ(exposed.find("fathom_read_bytes_total{server=\"s2\""), std::string::npos);  // a sum over servers counts no job again
}

}  // namespace
}  // namespace fathom
