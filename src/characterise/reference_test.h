// SPDX-License-Identifier: Apache-2.0
/// The criteria as they are defined, computed slowly and plainly on a grid of slots. Tests compare the engine with it; it shares nothing
/// with the engine but the vocabulary of src/model.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/increment.h"
#include "model/job.h"

namespace fathom::reference {

struct Series {
  SeriesName name;
  std::vector<Increment> increments;  // in order of time
};

struct Machine {
  std::vector<Job> jobs;
  std::vector<Series> series;
};

struct Settings {
  std::string link = "weighted";
  std::int64_t slot = 1'000'000;                // microseconds
  std::vector<std::uint64_t> thresholds = {0};  // bytes per second
  std::vector<std::uint64_t> small = {4096};
};

using Value = std::optional<long double>;  // none: undefined

/// What is to be known of one job.
struct Expected {
  bool answerable = false;  // it has ended, and it is known which servers are its units
  std::size_t units = 0;
  Value coverage;
  std::int64_t sampling_step = 0;  // microseconds; 0: nothing was sampled
  std::vector<std::string> flags;
  std::vector<std::string> unsure_flags;  // so close to their limit that rounding decides
  std::array<long double, 2> bound{};     // worst case error of the bytes read and written; none for `window`
  std::size_t other_jobs = 0;
  std::vector<std::vector<Value>> values;  // by threshold and small size (the latter runs faster), in the order of columns()

  const std::vector<Value>& at(std::size_t threshold, std::size_t small, std::size_t small_count) const {
    return values[threshold * small_count + small];
  }
};

/// Names of the values, in the order of the contract.
const std::vector<std::string>& columns();

/// All jobs, in the machine's order.
std::vector<Expected> characterise(const Machine& machine, const Settings& settings);

/// Where all bytes and operations went, summed job by job; only whole increments are counted, so the numbers are whole too.
struct Conservation {
  std::array<unsigned long long, 4> total{}, unattributed{}, discarded{}, repeated{}, to_jobs{};
};
Conservation conservation(const Machine& machine, const std::string& link);

}  // namespace fathom::reference
