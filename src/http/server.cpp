// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <thread>

#include "base/text.h"
#include "http/event_stream.h"

namespace fathom::http {
namespace {

namespace beast = boost::beast;
namespace bh = beast::http;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::size_t most_drained_bytes = 1u << 20;
constexpr auto heartbeat = std::chrono::seconds(15);  // of a stream of events: proxies and readers see that it is alive

using Incoming = bh::request<bh::string_body>;

std::string header(const Incoming& incoming, bh::field name) {
  const auto value = incoming[name];
  return {value.data(), value.size()};
}

/// Whether gzip is among what the reader takes; "gzip;q=0" means that it is not.
bool takes_gzip(const Incoming& incoming) {
  std::string_view list(incoming[bh::field::accept_encoding].data(), incoming[bh::field::accept_encoding].size());
  while (!list.empty()) {
    std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    const std::string_view name = part.substr(0, part.find_first_of("; "));
    if (name != "gzip" && name != "*") continue;
    const auto q = part.find("q=");
    return q == std::string_view::npos || part.substr(q + 2).find_first_of("123456789") != std::string_view::npos;
  }
  return false;
}

/// What all connections of a server share; lives as long as the last of them.
struct Shared {
  ServerSettings settings;
  Server::Answer answer;
  asio::thread_pool* workers = nullptr;
  std::atomic<std::size_t> waiting{0};
  std::atomic<std::size_t> connections{0};
};

Response answer_safely(const Shared& shared, const Request& request) {
  try {
    return shared.answer(request);
  } catch (const std::bad_alloc&) {
    return text_response(503, "there is not enough memory for this now\n");
  } catch (const std::exception& problem) {
    return text_response(500, fmt::format("answering failed: {}\n", problem.what()));
  }
}

/// One connection. It lives as long as one of its operations is under way.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared& shared)
      : stream_(std::move(socket)),
        shared_(shared),
        timer_(stream_.get_executor()),
        buffer_(shared.settings.most_header_bytes + shared.settings.most_body_bytes) {
    ++shared_.connections;
    beast::error_code problem;
    const auto remote = stream_.socket().remote_endpoint(problem);
    from_loopback_ = !problem && remote.address().is_loopback();
    stream_.socket().set_option(tcp::no_delay(true), problem);
  }
  ~Connection() {
    --shared_.connections;
    if (events_) events_->leave();
  }

  /// The first bytes of a request may take as long as a connection may be idle, the rest must follow soon.
  void await() {
    if (buffer_.size() > 0) return read();
    stream_.expires_after(shared_.settings.idle);
    stream_.async_read_some(buffer_.prepare(std::min<std::size_t>(4096, buffer_.max_size())),
                            [self = shared_from_this()](beast::error_code problem, std::size_t count) {
                              if (problem) return self->close();
                              self->buffer_.commit(count);
                              self->read();
                            });
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(shared_.settings.most_header_bytes);
    parser_->body_limit(shared_.settings.most_body_bytes);
    stream_.expires_after(shared_.settings.patience);
    bh::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](beast::error_code problem, std::size_t) { self->was_read(problem); });
  }

  void was_read(beast::error_code problem) {
    head_ = false;
    keep_alive_ = false;
    version_ = 11;
    if (problem == bh::error::end_of_stream || problem == beast::error::timeout || problem == asio::error::operation_aborted ||
        problem == asio::error::connection_reset || problem == bh::error::partial_message)
      return close();
    if (problem == bh::error::header_limit || problem == bh::error::buffer_overflow)
      return write(text_response(431, "the request is too long\n"));
    if (problem == bh::error::body_limit) return write(text_response(413, "the request is too long\n"));
    if (problem) return write(text_response(400, "not a request of HTTP\n"));
    Incoming incoming = parser_->release();
    head_ = incoming.method() == bh::verb::head;
    keep_alive_ = incoming.keep_alive();
    version_ = incoming.version();
    Request request;
    request.method = head_ ? "GET" : std::string(incoming.method_string().data(), incoming.method_string().size());
    request.target = std::string(incoming.target().data(), incoming.target().size());
    request.host = header(incoming, bh::field::host);
    request.origin = header(incoming, bh::field::origin);
    request.authorization = header(incoming, bh::field::authorization);
    request.if_none_match = header(incoming, bh::field::if_none_match);
    request.content_type = header(incoming, bh::field::content_type);
    request.takes_gzip = takes_gzip(incoming);
    request.body = std::move(incoming.body());
    request.from_loopback = from_loopback_;
    if (shared_.waiting.load() >= shared_.settings.most_waiting)
      return write(text_response(503, "too many requests wait already; try again\n"));
    ++shared_.waiting;
    stream_.expires_never();
    asio::post(*shared_.workers, [self = shared_from_this(), request = std::move(request)] {
      Response response = answer_safely(self->shared_, request);
      --self->shared_.waiting;
      asio::post(self->stream_.get_executor(), [self, response = std::move(response)]() mutable { self->write(std::move(response)); });
    });
  }

  template <class Outgoing>
  void set_headers(Outgoing& outgoing, const Response& response) {
    outgoing.set(bh::field::server, "fathom");
    if (!response.type.empty()) outgoing.set(bh::field::content_type, response.type);
    for (const auto& [name, value] : response.headers) outgoing.insert(name, value);
    outgoing.keep_alive(keep_alive_);
  }

  void write(Response response) {
    if (response.events) return begin_events(std::move(response));
    body_ = response.body ? response.body : std::make_shared<const std::string>();
    stream_.expires_after(shared_.settings.patience);
    if (head_ || response.status == 304 || response.status == 204) {
      bare_.emplace(static_cast<bh::status>(response.status), version_);
      set_headers(*bare_, response);
      if (response.status == 200) bare_->content_length(body_->size());
      bare_serializer_.emplace(*bare_);
      bh::async_write(stream_, *bare_serializer_,
                      [self = shared_from_this()](beast::error_code bad, std::size_t) { self->was_written(bad); });
      return;
    }
    whole_.emplace(static_cast<bh::status>(response.status), version_);
    whole_->body() = {body_->data(), body_->size()};
    set_headers(*whole_, response);
    whole_->content_length(body_->size());
    bh::async_write(stream_, *whole_, [self = shared_from_this()](beast::error_code bad, std::size_t) { self->was_written(bad); });
  }

  void was_written(beast::error_code problem) {
    whole_.reset();
    bare_serializer_.reset();
    bare_.reset();
    body_.reset();
    if (problem || !keep_alive_) return close();
    await();
  }

  // --- events ------------------------------------------------------------------------------------------------------

  void begin_events(Response response) {
    events_ = std::move(response.events);
    keep_alive_ = false;
    std::string text =
        fmt::format("HTTP/1.1 {} OK\r\nServer: fathom\r\nContent-Type: {}\r\nConnection: close\r\n", response.status, response.type);
    for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
    text += "\r\n";
    // The stream must not keep the connection alive, nor the other way round for ever.
    events_->when_ready([weak = weak_from_this(), executor = stream_.get_executor()] {
      asio::post(executor, [weak] {
        if (const auto self = weak.lock()) self->pump();
      });
    });
    send(std::move(text));
    watch_reader();
    beat();
  }

  void send(std::string text) {
    sending_ = true;
    out_ = std::move(text);
    stream_.expires_after(shared_.settings.patience);
    asio::async_write(stream_, asio::buffer(out_), [self = shared_from_this()](beast::error_code problem, std::size_t) {
      self->sending_ = false;
      if (problem) return self->end_events();
      self->stream_.expires_never();
      self->pump();
    });
  }

  void pump() {
    if (sending_ || !events_) return;
    if (auto text = events_->take()) return send(std::move(*text));
    if (events_->ended()) end_events();
  }

  /// Readers of events say nothing more: what can be read is that they have gone.
  void watch_reader() {
    stream_.socket().async_read_some(asio::buffer(drained_), [self = shared_from_this()](beast::error_code problem, std::size_t) {
      if (problem) return self->end_events();
      if (self->events_) self->watch_reader();
    });
  }

  void beat() {
    timer_.expires_after(heartbeat);
    timer_.async_wait([self = shared_from_this()](beast::error_code problem) {
      if (problem || !self->events_) return;
      if (!self->sending_) self->send(": alive\n\n");
      self->beat();
    });
  }

  void end_events() {
    if (!events_) return;
    events_->leave();
    events_.reset();
    timer_.cancel();
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.socket().close(ignored);
  }

  // --- the end -------------------------------------------------------------------------------------------------------

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
  Shared& shared_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::optional<bh::request_parser<bh::string_body>> parser_;
  bool head_ = false, keep_alive_ = false, from_loopback_ = false;
  unsigned version_ = 11;
  std::shared_ptr<const std::string> body_;
  std::optional<bh::response<bh::span_body<const char>>> whole_;
  std::optional<bh::response<bh::empty_body>> bare_;
  std::optional<bh::response_serializer<bh::empty_body>> bare_serializer_;
  std::shared_ptr<EventStream> events_;
  std::string out_;
  bool sending_ = false;
  std::array<char, 4096> drained_{};
  std::size_t left_to_drain_ = 0;
};

}  // namespace

class Server::Listener {
 public:
  Listener(const ServerSettings& settings, Answer answer) : workers_(settings.workers), acceptor_(context_) {
    shared_.settings = settings;
    shared_.answer = std::move(answer);
    shared_.workers = &workers_;
  }
  ~Listener() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
    workers_.join();  // an answer may still be under way; nobody takes it
  }

  Result<void> listen() {
    const std::string& address = shared_.settings.address;
    std::string_view rest = address;
    const auto colon = rest.rfind(':');
    std::string_view host = colon == std::string_view::npos ? std::string_view("127.0.0.1") : rest.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    const auto port = parse_u64(colon == std::string_view::npos ? rest : rest.substr(colon + 1));
    beast::error_code problem;
    const auto ip = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : std::string(host), problem);
    if (problem || !port || *port > 65535)
      return Error{ErrorKind::usage, fmt::format("reading {} {}: neither PORT nor ADDRESS:PORT (127.0.0.1:9402, [::1]:9402)",
                                                 shared_.settings.option, excerpt(address))};
    const tcp::endpoint endpoint(ip, static_cast<std::uint16_t>(*port));
    acceptor_.open(endpoint.protocol(), problem);
    if (!problem) acceptor_.set_option(asio::socket_base::reuse_address(true), problem);
    if (!problem) acceptor_.bind(endpoint, problem);
    if (!problem) acceptor_.listen(asio::socket_base::max_listen_connections, problem);
    if (problem) return Error{ErrorKind::unwritable, fmt::format("listening on {}: {}", address, problem.message())};
    const auto local = acceptor_.local_endpoint(problem);
    on_loopback_ = ip.is_loopback();
    address_ = fmt::format("{}{}{}:{}", ip.is_v6() ? "[" : "", ip.to_string(), ip.is_v6() ? "]" : "", local.port());
    accept();
    thread_ = std::thread([this] { context_.run(); });
    return {};
  }

  const std::string& address() const { return address_; }
  bool on_loopback() const { return on_loopback_; }

 private:
  void accept() {
    acceptor_.async_accept([this](beast::error_code problem, tcp::socket socket) {
      if (problem == asio::error::operation_aborted) return;
      // Above the limit a connection is closed at once: who holds many open must not take memory or descriptors from the others.
      if (problem) std::this_thread::sleep_for(std::chrono::milliseconds(100));  // no descriptors left, say
      if (!problem && shared_.connections < shared_.settings.most_connections)
        std::make_shared<Connection>(std::move(socket), shared_)->await();
      accept();
    });
  }

  Shared shared_;
  std::string address_;
  bool on_loopback_ = true;
  asio::io_context context_{1};  // after what connections use: its end destroys those that are left
  asio::thread_pool workers_;
  tcp::acceptor acceptor_;
  std::thread thread_;
};

Server::Server(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
Server::~Server() = default;
const std::string& Server::address() const { return listener_->address(); }
bool Server::on_loopback() const { return listener_->on_loopback(); }

Result<std::unique_ptr<Server>> Server::start(const ServerSettings& settings, Answer answer) {
  auto listener = std::make_unique<Listener>(settings, std::move(answer));
  TRY_VOID(listener->listen());
  return std::unique_ptr<Server>(new Server(std::move(listener)));
}

}  // namespace fathom::http
