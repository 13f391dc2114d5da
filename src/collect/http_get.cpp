// SPDX-License-Identifier: Apache-2.0
#include "collect/http_get.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>

#include "base/text.h"

namespace fathom {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

/// One request from the look-up of the name to the answer; every step is asynchronous, so that one time limit holds for all.
class Get {
 public:
  Get(const HttpAddress& address, std::size_t most_bytes) : address_(address), resolver_(context_), stream_(context_) {
    parser_.body_limit(most_bytes);
    request_.version(11);
    request_.method(http::verb::get);
    request_.target(address.target);
    request_.set(http::field::host, address.instance());
    request_.set(http::field::user_agent, "fathom");
    request_.set(http::field::accept, "text/plain, application/json");
    request_.keep_alive(false);
  }

  Result<std::string> run(Duration time) {
    resolver_.async_resolve(address_.host, address_.port, [this](beast::error_code problem, tcp::resolver::results_type found) {
      if (failed("looking up the host", problem)) return;
      stream_.async_connect(found, [this](beast::error_code refused, const tcp::endpoint&) {
        if (failed("connecting", refused)) return;
        http::async_write(stream_, request_, [this](beast::error_code unsent, std::size_t) {
          if (failed("asking", unsent)) return;
          http::async_read(stream_, buffer_, parser_, [this](beast::error_code broken, std::size_t) {
            if (!failed("reading the answer", broken)) done_ = true;
          });
        });
      });
    });
    context_.run_for(time);
    if (problem_) return Error{ErrorKind::unreadable, *problem_};
    if (!done_) return Error{ErrorKind::busy, fmt::format("no answer within {:g} s", seconds(time))};
    const auto status = parser_.get().result_int();
    if (status != 200) return Error{ErrorKind::unreadable, fmt::format("the answer is {} {}", status, excerpt(parser_.get().body(), 200))};
    return std::move(parser_.get().body());
  }

 private:
  bool failed(std::string_view step, beast::error_code problem) {
    if (problem) problem_ = fmt::format("{}: {}", step, problem.message());
    return static_cast<bool>(problem);
  }

  HttpAddress address_;
  asio::io_context context_{1};
  tcp::resolver resolver_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request<http::empty_body> request_;
  http::response_parser<http::string_body> parser_;
  std::optional<std::string> problem_;
  bool done_ = false;
};

}  // namespace

Result<HttpAddress> parse_http_address(std::string_view url) {
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorKind::usage, fmt::format("reading the address {}: {}", excerpt(url), what)};
  };
  std::string_view rest = url;
  if (rest.starts_with("https://")) return wrong("only plain http is spoken here; put a proxy on this machine before it");
  if (!rest.starts_with("http://")) return wrong("it must begin with http://");
  rest.remove_prefix(7);
  // No blank or control character may come into the request.
  if (std::any_of(rest.begin(), rest.end(), [](char c) { return c <= ' ' || c == 127; })) return wrong("it has a blank in it");
  const auto slash = std::min(rest.find('/'), rest.find('?'));
  std::string_view authority = rest.substr(0, slash);
  HttpAddress address;
  if (slash != std::string_view::npos) address.target = rest.substr(slash);
  if (address.target.starts_with('?')) address.target.insert(0, "/");
  if (authority.find('@') != std::string_view::npos) return wrong("a user and a password are not sent over plain http");
  const auto bracket = authority.find(']');
  const auto colon = authority.find(':', authority.starts_with('[') && bracket != std::string_view::npos ? bracket : 0);
  if (colon != std::string_view::npos) {
    address.port = authority.substr(colon + 1);
    const auto port = parse_u64(address.port);
    if (!port || *port == 0 || *port > 65535) return wrong("the port is not a number from 1 to 65535");
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[') && authority.ends_with(']')) authority = authority.substr(1, authority.size() - 2);
  if (authority.empty()) return wrong("there is no host in it");
  address.host = authority;
  return address;
}

Result<std::string> http_get(const HttpAddress& address, Duration time, std::size_t most_bytes) {
  auto body = Get(address, most_bytes).run(time);
  if (!body)
    return Error{body.error().kind,
                 fmt::format("asking http://{}{}: {}", address.instance(), excerpt(address.target, 80), body.error().message)};
  return body;
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace fathom
