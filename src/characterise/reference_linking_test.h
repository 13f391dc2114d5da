// SPDX-License-Identifier: Apache-2.0
/// The reference's linking: which part of which increment belongs to which job. What follows from it is in reference_test.cpp.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <set>

#include "characterise/reference_test.h"

namespace fathom::reference {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr std::int64_t second = 1'000'000;

inline std::int64_t begin_of(const Job& job) { return micros(job.start); }
inline std::int64_t end_of(const Job& job) { return job.end == no_time ? INT64_MAX : micros(job.end); }

/// "The series' usual interval": the median of its lengths, to the second (to the millisecond below 10 s).
std::int64_t usual_interval(const Series& series);

/// A part of an increment that was given to a job: own / together of it, spread evenly from `from` to `to`.
struct Piece {
  std::string server;
  const Increment* increment;
  std::int64_t from, to;
  std::int64_t own, together;
  bool inner;

  long double amount(std::size_t counter) const {
    if (!holds(increment->has, counter)) return 0;
    return static_cast<long double>(increment->amounts[counter]) * static_cast<long double>(own) / static_cast<long double>(together);
  }
  cpp_rational exact_amount(std::size_t counter, std::int64_t time) const {
    if (!holds(increment->has, counter)) return 0;
    return cpp_rational(cpp_int(increment->amounts[counter]) * own * time, cpp_int(together) * (to - from));
  }
};

/// What linking finds out about one job.
struct Linked {
  std::vector<Piece> pieces;
  std::map<std::size_t, std::int64_t> covered;  // of each series that was seen while it ran, microseconds
  std::array<unsigned long long, 2> lower{}, upper{}, largest{};
  long double doubt = 0;
  CounterMask has = 0, inner_has = 0;
  std::map<std::string, CounterMask> server_has;  // what each server counted while it ran
  bool reset = false, gap = false;
  std::set<std::size_t> shares_with;  // jobs
};

std::vector<Linked> link_all(const Machine& machine, const std::string& link);

/// U: the servers allocated to a job; where counters carry job tags, those that the job touched; in a window all that were measured.
std::set<std::string> units_of(const Machine& machine, const Job& job, bool window);

}  // namespace fathom::reference
