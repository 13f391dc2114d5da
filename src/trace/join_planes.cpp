// SPDX-License-Identifier: Apache-2.0
#include "trace/join_planes.h"

#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace fathom::trace {

bool all_zero(const Planes& planes, std::size_t from, std::size_t count) {
  std::uint8_t any = 0;
  for (unsigned p = 0; p < planes.number; ++p)
    for (std::size_t i = 0; i < count && planes.bytes[p] != nullptr; ++i) any |= planes.bytes[p][from + i];
  return any == 0;
}

#ifdef __SSE2__
namespace {

/// Interleaving neighbours turns planes into pairs of bytes, those into fours and those into whole values.
template <unsigned number>
void join(const Planes& planes, std::size_t from, std::size_t count, std::uint64_t* out) {
  const __m128i zero = _mm_setzero_si128();
  for (std::size_t i = 0; i < count; i += joined_at_once) {
    const auto load = [&](unsigned p) {
      return p >= number || planes.bytes[p] == nullptr ? zero : _mm_loadu_si128(reinterpret_cast<const __m128i*>(planes.bytes[p] + from + i));
    };
    __m128i fours[2][4];  // lower and upper half of values, for each four values
    for (unsigned half = 0; half < 2; ++half) {
      const __m128i a = load(4 * half), b = load(4 * half + 1), c = load(4 * half + 2), d = load(4 * half + 3);
      const __m128i low_ab = _mm_unpacklo_epi8(a, b), high_ab = _mm_unpackhi_epi8(a, b), low_cd = _mm_unpacklo_epi8(c, d), high_cd = _mm_unpackhi_epi8(c, d);
      fours[half][0] = _mm_unpacklo_epi16(low_ab, low_cd);
      fours[half][1] = _mm_unpackhi_epi16(low_ab, low_cd);
      fours[half][2] = _mm_unpacklo_epi16(high_ab, high_cd);
      fours[half][3] = _mm_unpackhi_epi16(high_ab, high_cd);
    }
    auto* const to = reinterpret_cast<__m128i*>(out + i);
    for (unsigned k = 0; k < 4; ++k) {
      _mm_storeu_si128(to + 2 * k, _mm_unpacklo_epi32(fours[0][k], fours[1][k]));
      _mm_storeu_si128(to + 2 * k + 1, _mm_unpackhi_epi32(fours[0][k], fours[1][k]));
    }
  }
}

}  // namespace

void join_planes(const Planes& planes, std::size_t from, std::size_t count, std::uint64_t* out) {
  if (planes.number == 0) return static_cast<void>(std::memset(out, 0, count * sizeof *out));
  if (planes.number == 1) return join<1>(planes, from, count, out);
  planes.number <= 4 ? join<4>(planes, from, count, out) : join<8>(planes, from, count, out);
}

#else

void join_planes(const Planes& planes, std::size_t from, std::size_t count, std::uint64_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    for (unsigned p = 0; p < planes.number; ++p)
      if (planes.bytes[p] != nullptr) value |= static_cast<std::uint64_t>(planes.bytes[p][from + i]) << (8 * p);
    out[i] = value;
  }
}

#endif

}  // namespace fathom::trace
