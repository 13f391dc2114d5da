// SPDX-License-Identifier: Apache-2.0
/// What is under way, by a number that the program holds: handles, requests, control blocks. No lock, no allocation, room for so many.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fathom::trace {

template <class Value, std::size_t slots>
class Pending {
 public:
  bool any() const { return count_.load(std::memory_order_relaxed) > 0; }

  /// False if there is no room: then it is not followed.
  bool add(std::uint64_t key, const Value& value) {
    if (key <= taken) return false;
    for (std::size_t i = 0; i < reach; ++i) {
      Slot& slot = at(key, i);
      std::uint64_t there = slot.key.load(std::memory_order_relaxed);
      if (there > left || !slot.key.compare_exchange_strong(there, taken, std::memory_order_acquire)) continue;
      slot.value = value;
      slot.key.store(key, std::memory_order_release);
      count_.fetch_add(1, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  /// In its place; null if it is not there. Only for values that nobody takes meanwhile.
  Value* find(std::uint64_t key) {
    if (key <= taken) return nullptr;
    for (std::size_t i = 0; i < reach; ++i) {
      Slot& slot = at(key, i);
      const std::uint64_t there = slot.key.load(std::memory_order_acquire);
      if (there == key) return &slot.value;
      if (there == empty) return nullptr;
    }
    return nullptr;
  }

  /// Out of the table; false if it was not there.
  bool take(std::uint64_t key, Value& value) {
    if (key <= taken) return false;
    for (std::size_t i = 0; i < reach; ++i) {
      Slot& slot = at(key, i);
      std::uint64_t there = slot.key.load(std::memory_order_relaxed);
      if (there == empty) return false;
      if (there != key || !slot.key.compare_exchange_strong(there, taken, std::memory_order_acquire)) continue;
      value = slot.value;
      slot.key.store(left, std::memory_order_release);
      count_.fetch_sub(1, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

 private:
  enum Mark : std::uint64_t { empty = 0, left = 1, taken = 2 };  // never there, no longer there, being written or read
  static constexpr std::size_t reach = 64;
  struct Slot {
    std::atomic<std::uint64_t> key;
    Value value;
  };

  Slot& at(std::uint64_t key, std::size_t i) { return slots_[((key * 0x9e3779b97f4a7c15u >> 32) + i) % slots]; }

  std::atomic<std::uint32_t> count_{0};
  Slot slots_[slots]{};
};

}  // namespace fathom::trace
