// SPDX-License-Identifier: Apache-2.0
/// The files of the page, as they were packed when it was built (web/vite.config.ts): names, types and gzipped bytes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom::dashboard {

struct Asset {
  std::string type, etag;
  std::size_t size = 0;  // unpacked
  std::shared_ptr<const std::string> packed;
};

class Assets {
 public:
  static Result<Assets> unpack(std::string_view pack);
  const Asset* find(std::string_view name) const;
  const std::map<std::string, Asset, std::less<>>& all() const { return all_; }

 private:
  std::map<std::string, Asset, std::less<>> all_;
};

}  // namespace fathom::dashboard
