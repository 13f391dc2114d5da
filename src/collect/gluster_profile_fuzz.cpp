// SPDX-License-Identifier: Apache-2.0
// Any text is a profile or an error; every element that is closed was opened.
#include <cstdlib>

#include "collect/gluster_profile.h"
#include "collect/xml_scan.h"

namespace {

class Depth final : public fathom::XmlVisitor {
 public:
  void opened(std::string_view name) override {
    if (name.empty() || ++depth_ > fathom::deepest_xml) std::abort();
  }
  void closed(std::string_view, const std::string&) override {
    if (depth_-- == 0) std::abort();
  }

 private:
  std::size_t depth_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Depth depth;
  const bool well_formed = fathom::scan_xml(text, depth).has_value();
  const auto profile = fathom::parse_gluster_profile(text);
  if (profile && !well_formed) std::abort();
  return 0;
}
