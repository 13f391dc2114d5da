// SPDX-License-Identifier: Apache-2.0
/// Walks through XML without building a tree: opened, text, closed. Enough for what programs print; no entities of its own, no DTD.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

class XmlVisitor {
 public:
  virtual void opened(std::string_view name) = 0;
  /// `text` is all that stood directly in the element, entities replaced, blanks around it cut off.
  virtual void closed(std::string_view name, const std::string& text) = 0;

 protected:
  ~XmlVisitor() = default;
};

inline constexpr std::size_t deepest_xml = 64;

/// An error for what is not well formed or nested deeper than any program prints.
Result<void> scan_xml(std::string_view text, XmlVisitor& visitor);

}  // namespace fathom
