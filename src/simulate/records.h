// SPDX-License-Identifier: Apache-2.0
/// What is remembered of requests under way for somebody who wants to hear of each; nothing if nobody does.
#pragma once

#include <vector>

#include "simulate/outcome.h"

namespace fathom::simulate {

class Records {
 public:
  explicit Records(const CompletionSink& sink) : sink_(sink), wanted_(static_cast<bool>(sink)) {}

  bool wanted() const { return wanted_; }

  std::uint32_t begin(const Completion& request) {
    if (unused_.empty()) {
      unused_.push_back(static_cast<std::uint32_t>(all_.size()));
      all_.emplace_back();
    }
    const std::uint32_t record = unused_.back();
    unused_.pop_back();
    all_[record] = {request, {}};
    return record;
  }

  void note(std::uint32_t record, Picoseconds Way::*what, Picoseconds time) {
    if (wanted_ && record < all_.size()) all_[record].way.*what = time;
  }
  void note(std::uint32_t record, bool Way::*what) {
    if (wanted_ && record < all_.size()) all_[record].way.*what = true;
  }
  void acked(std::uint32_t record, Picoseconds time) {
    if (wanted_) all_[record].request.acked = time;
  }

  /// It was counted at the bypass, and `acked` is known.
  void tell(std::uint32_t record, Picoseconds stored) {
    if (!wanted_) return;
    Completion request = all_[record].request;
    request.stored = stored;
    const Way way = all_[record].way;
    request.way = &way;
    unused_.push_back(record);
    sink_(request);
  }

 private:
  struct Record {
    Completion request;
    Way way;
  };
  const CompletionSink& sink_;
  const bool wanted_;
  std::vector<Record> all_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace fathom::simulate
