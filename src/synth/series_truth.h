// SPDX-License-Identifier: Apache-2.0
/// Follows one series from sample to sample and settles what a perfect reader can know of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "synth/truth.h"

namespace fathom {

class SeriesAccount {
 public:
  SeriesAccount(std::uint32_t server, std::uint8_t filesystem, std::string name) : name_(std::move(name)) {
    known_.server = server;
    known_.filesystem = filesystem;
  }

  /// The counters went to zero at t. `kind`: reset (logged), restart or unmount (not logged). Times by the server's clock.
  void zeroed(std::string_view kind, std::int64_t t, std::int64_t t_end);
  /// A sample that is in the log. `total`: all I/O of the series since the simulation's begin, `shown`: the printed values.
  void sampled(std::int64_t t, const Counters& total, const Counters& shown, Truth& truth);
  void finish(Truth& truth);

 private:
  struct Zeroing {
    std::string_view kind;
    std::int64_t t, t_end;
  };
  void book(std::int64_t t, const Counters& amounts, std::int64_t since, Truth& truth);
  void settle(bool visible, std::string_view why, Truth& truth);
  void note(std::string_view kind, std::int64_t t, std::int64_t t_end, bool visible, std::string why, Truth& truth) const;

  std::string name_;
  SeriesTruth known_;
  std::int64_t last_t_ = 0;
  Counters last_total_{}, last_shown_{};
  std::vector<Zeroing> zeroings_;  // since the last sample, in order
};

}  // namespace fathom
