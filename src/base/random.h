// SPDX-License-Identifier: Apache-2.0
/// Random numbers that are the same for a seed on every machine and compiler (those of <random> are not).
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace fathom {

/// xoshiro256++ (Blackman and Vigna), seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  /// An independent stream: job 7 draws the same numbers whatever other jobs draw.
  static Random stream(std::uint64_t seed, std::uint64_t which) {
    return Random(seed * 0x9e3779b97f4a7c15u ^ (which + 0x632be59bd9b4e019u));
  }

  std::uint64_t next() {
    const std::uint64_t result = rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotl(state_[3], 45);
    return result;
  }

  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// A whole number in [low, high].
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(static_cast<Wide>(next()) * static_cast<std::uint64_t>(high - low + 1) >> 64);
  }
  bool chance(double probability) { return uniform() < probability; }
  double exponential(double mean) { return -mean * std::log(1 - uniform()); }
  /// Box-Muller; one of the pair is enough. The radius is drawn first: compilers order the parts of a product as they like.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  double lognormal(double median, double sigma) { return median * std::exp(sigma * normal()); }

 private:
  __extension__ using Wide = unsigned __int128;
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4];
};

}  // namespace fathom
