// SPDX-License-Identifier: Apache-2.0
/// What every request meets first: whether it may ask at all, then the page's files or the API.
#pragma once

#include "dashboard/api.h"
#include "dashboard/assets.h"

namespace fathom::dashboard {

struct FrontSettings {
  std::string token;  // empty: none is asked for
  std::vector<std::string>
      hosts;  // names under which requests may come, beside localhost and addresses in numbers; empty: any, where a token is asked for
};

class Front {
 public:
  Front(Dashboard& dashboard, Assets assets, FrontSettings settings)
      : api_(dashboard), assets_(std::move(assets)), settings_(std::move(settings)) {}
  http::Response answer(const http::Request& request);

 private:
  http::Response inside(const http::Request& request);
  http::Response asset(const http::Request& request);
  bool may_ask(const http::Request& request) const;
  bool known_host(const http::Request& request) const;
  Api api_;
  Assets assets_;
  FrontSettings settings_;
};

/// Takes as long whatever the difference is.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace fathom::dashboard
