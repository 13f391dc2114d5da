// SPDX-License-Identifier: Apache-2.0
#include "collect/metrics_server.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <thread>

#include "base/text.h"

namespace fathom {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::uint32_t most_header_bytes = 8u << 10;
constexpr std::uint64_t most_body_bytes = 1u << 10;
constexpr auto patience = std::chrono::seconds(10);  // for a request, and for the answer to be taken
constexpr std::size_t most_drained_bytes = 1u << 20;
constexpr int most_connections = 64;

using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

Response plain(const Request* request, http::status status, std::string text) {
  Response response(status, request != nullptr ? request->version() : 11);
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.set(http::field::server, "fathom");
  response.keep_alive(request != nullptr && request->keep_alive());
  response.body() = std::move(text);
  response.prepare_payload();
  return response;
}

Response answer(const Request& request, const std::function<std::string()>& page) {
  const bool head = request.method() == http::verb::head;
  if (request.method() != http::verb::get && !head) {
    Response refusal = plain(&request, http::status::method_not_allowed, "only GET and HEAD\n");
    refusal.set(http::field::allow, "GET, HEAD");
    return refusal;
  }
  std::string_view target(request.target().data(), request.target().size());
  target = target.substr(0, target.find('?'));
  if (target == "/") return plain(&request, http::status::ok, "fathom collect: see /metrics\n");
  if (target != "/metrics") return plain(&request, http::status::not_found, "there is only /metrics\n");
  Response response = plain(&request, http::status::ok, page());
  response.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
  return response;
}

/// One connection. It lives as long as one of its operations is under way.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const std::function<std::string()>& page, int& connections)
      : stream_(std::move(socket)), page_(page), connections_(connections) {
    ++connections_;
  }
  ~Connection() { --connections_; }

  void read() {
    parser_.emplace();
    parser_->header_limit(most_header_bytes);
    parser_->body_limit(most_body_bytes);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code problem, std::size_t) { self->was_read(problem); });
  }

 private:
  void was_read(beast::error_code problem) {
    if (problem == http::error::end_of_stream || problem == beast::error::timeout || problem == asio::error::operation_aborted ||
        problem == asio::error::connection_reset || problem == http::error::partial_message)
      return close();
    if (problem == http::error::header_limit || problem == http::error::buffer_overflow)
      return write(plain(nullptr, http::status::request_header_fields_too_large, "the request is too long\n"));
    if (problem == http::error::body_limit) return write(plain(nullptr, http::status::payload_too_large, "the request is too long\n"));
    if (problem) return write(plain(nullptr, http::status::bad_request, "not a request of HTTP\n"));
    const Request request = parser_->release();
    Response response = answer(request, page_);
    if (request.method() == http::verb::head) {
      response.content_length(response.body().size());
      head_.emplace(std::move(response.base()));
      head_serializer_.emplace(*head_);
      const bool close_after = head_->need_eof();
      http::async_write(stream_, *head_serializer_, [self = shared_from_this(), close_after](beast::error_code bad, std::size_t) {
        self->was_written(bad, close_after);
      });
      return;
    }
    write(std::move(response));
  }

  void write(Response response) {
    response_ = std::move(response);
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code problem, std::size_t) {
      self->was_written(problem, self->response_.need_eof());
    });
  }

  void was_written(beast::error_code problem, bool close_after) {
    if (problem || close_after) return close();
    response_ = {};
    read();
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    left_to_drain_ = most_drained_bytes;
    stream_.expires_after(std::chrono::seconds(1));
    drain();
  }

  /// Closing with bytes unread would take the answer back on its way: the rest of a request that was too long is read, within reason.
  void drain() {
    stream_.async_read_some(asio::buffer(drained_), [self = shared_from_this()](beast::error_code problem, std::size_t count) {
      if (problem || count >= self->left_to_drain_) return;
      self->left_to_drain_ -= count;
      self->drain();
    });
  }

  beast::tcp_stream stream_;
  const std::function<std::string()>& page_;
  int& connections_;
  beast::flat_buffer buffer_{most_header_bytes + most_body_bytes};
  std::optional<http::request_parser<http::string_body>> parser_;
  Response response_;
  std::array<char, 4096> drained_{};
  std::size_t left_to_drain_ = 0;
  std::optional<http::response<http::empty_body>> head_;
  std::optional<http::response_serializer<http::empty_body>> head_serializer_;
};

}  // namespace

class MetricsServer::Listener {
 public:
  explicit Listener(std::function<std::string()> page) : page_(std::move(page)), acceptor_(context_) {}
  ~Listener() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> listen(const std::string& address) {
    std::string_view rest = address;
    const auto colon = rest.rfind(':');
    std::string_view host = colon == std::string_view::npos ? std::string_view("127.0.0.1") : rest.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    const auto port = parse_u64(colon == std::string_view::npos ? rest : rest.substr(colon + 1));
    beast::error_code problem;
    const auto ip = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : std::string(host), problem);
    if (problem || !port || *port > 65535)
      return Error{ErrorKind::usage,
                   fmt::format("reading --listen {}: neither PORT nor ADDRESS:PORT (127.0.0.1:9402, [::1]:9402)", excerpt(address))};
    const tcp::endpoint endpoint(ip, static_cast<std::uint16_t>(*port));
    acceptor_.open(endpoint.protocol(), problem);
    if (!problem) acceptor_.set_option(asio::socket_base::reuse_address(true), problem);
    if (!problem) acceptor_.bind(endpoint, problem);
    if (!problem) acceptor_.listen(asio::socket_base::max_listen_connections, problem);
    if (problem) return Error{ErrorKind::unwritable, fmt::format("listening on {}: {}", address, problem.message())};
    const auto local = acceptor_.local_endpoint(problem);
    address_ = fmt::format("{}{}{}:{}", ip.is_v6() ? "[" : "", ip.to_string(), ip.is_v6() ? "]" : "", local.port());
    accept();
    thread_ = std::thread([this] { context_.run(); });
    return {};
  }

  const std::string& address() const { return address_; }

 private:
  void accept() {
    acceptor_.async_accept([this](beast::error_code problem, tcp::socket socket) {
      if (problem == asio::error::operation_aborted) return;
      // Above the limit a connection is closed at once: who holds many open must not take memory or descriptors from the store.
      if (problem) std::this_thread::sleep_for(std::chrono::milliseconds(100));  // no descriptors left, say
      if (!problem && connections_ < most_connections) std::make_shared<Connection>(std::move(socket), page_, connections_)->read();
      accept();
    });
  }

  std::function<std::string()> page_;
  std::string address_;
  int connections_ = 0;  // before the context, whose end destroys the connections that are left
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  std::thread thread_;
};

MetricsServer::MetricsServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
MetricsServer::~MetricsServer() = default;
const std::string& MetricsServer::address() const { return listener_->address(); }

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(const std::string& address, std::function<std::string()> page) {
  auto listener = std::make_unique<Listener>(std::move(page));
  TRY_VOID(listener->listen(address));
  return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(listener)));
}

}  // namespace fathom
