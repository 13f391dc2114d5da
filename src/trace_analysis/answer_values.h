// SPDX-License-Identifier: Apache-2.0
/// What answers of a traced run are made of.
#pragma once

#include "trace_analysis/trace_criteria.h"

namespace fathom::trace {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t longest_list = 1000;  // files and sizes that answers list one by one

inline double ratio(double part, double all) { return all > 0 ? part / all : undefined; }
inline double real(std::uint64_t value) { return static_cast<double>(value); }

inline CriterionValue one(std::string name, std::string detail, ValueUnit unit, double value) {
  return {std::move(name), std::move(detail), unit, false, {undefined, undefined, value}, ""};
}
inline CriterionValue both(std::string name, std::string detail, ValueUnit unit, double read, double write, double total = undefined) {
  return {std::move(name), std::move(detail), unit, true, {read, write, total}, ""};
}
inline CriterionValue words(std::string name, std::string detail, std::string text) {
  return {std::move(name), std::move(detail), ValueUnit::operations, false, {undefined, undefined, undefined}, std::move(text)};
}

}  // namespace fathom::trace
