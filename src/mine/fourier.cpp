// SPDX-License-Identifier: Apache-2.0
#include "mine/fourier.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace fathom {
namespace {

using Complex = std::complex<double>;

/// In place; the size is a power of two (Cooley and Tukey).
void transform(std::vector<Complex>& data) {
  const std::size_t n = data.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(data[i], data[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    std::vector<Complex> turns(length / 2);
    for (std::size_t k = 0; k < turns.size(); ++k)
      turns[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
    for (std::size_t begin = 0; begin < n; begin += length)
      for (std::size_t k = 0; k < length / 2; ++k) {
        const Complex even = data[begin + k], odd = data[begin + k + length / 2] * turns[k];
        data[begin + k] = even + odd;
        data[begin + k + length / 2] = even - odd;
      }
  }
}

/// The power at each frequency of the signal around its mean, padded with zeros to `factor` times its length at least.
std::vector<double> power(std::span<const double> signal, std::size_t factor) {
  double sum = 0;
  std::size_t known = 0;
  for (const double value : signal)
    if (!std::isnan(value)) sum += value, ++known;
  std::size_t n = 1;
  while (n < factor * signal.size()) n *= 2;
  std::vector<Complex> data(n);
  for (std::size_t i = 0; i < signal.size(); ++i)
    if (!std::isnan(signal[i])) data[i] = signal[i] - sum / static_cast<double>(known);
  transform(data);
  std::vector<double> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = std::norm(data[i]);
  return all;
}

/// Where between its neighbours a peak has its top, from -0.5 to 0.5.
double top_of(double left, double middle, double right) {
  const double bend = left - 2 * middle + right;
  return bend < 0 ? std::clamp((left - right) / (2 * bend), -0.5, 0.5) : 0;
}

}  // namespace

std::vector<double> autocorrelation(std::span<const double> signal) {
  const std::vector<double> spectrum = power(signal, 2);
  std::vector<Complex> data(spectrum.begin(), spectrum.end());
  transform(data);  // forth is as good as back: the spectrum is even
  std::vector<double> coefficients;
  if (signal.size() < 4 || !(data[0].real() > 0)) return coefficients;
  for (std::size_t lag = 0; lag <= signal.size() / 2; ++lag)  // fewer pairs have a long lag
    coefficients.push_back(data[lag].real() / data[0].real() * static_cast<double>(signal.size()) /
                           static_cast<double>(signal.size() - lag));
  return coefficients;
}

std::optional<Peak> correlation_peak(std::span<const double> signal) {
  const std::vector<double> c = autocorrelation(signal);
  std::size_t fallen = 0;
  while (fallen < c.size() && c[fallen] > 0) ++fallen;
  double highest = 0;
  for (std::size_t lag = std::max<std::size_t>(fallen, 2); lag + 1 < c.size(); ++lag) highest = std::max(highest, c[lag]);
  for (std::size_t lag = std::max<std::size_t>(fallen, 2); lag + 1 < c.size(); ++lag) {
    if (c[lag] < 0.8 * highest || c[lag] < c[lag - 1] || c[lag] < c[lag + 1] || c[lag] <= 0) continue;
    return Peak{static_cast<double>(lag) + top_of(c[lag - 1], c[lag], c[lag + 1]), c[lag]};
  }
  return std::nullopt;
}

std::optional<Peak> spectral_peak(std::span<const double> signal) {
  constexpr std::size_t overtones = 4;
  const std::vector<double> p = power(signal, 4);
  const std::size_t half = p.size() / 2;
  double total = 0;
  for (std::size_t i = 1; i < half; ++i) total += p[i];
  // At least three periods in the signal, and a period of two slots or more.
  const auto lowest =
      static_cast<std::size_t>(3 * static_cast<double>(p.size()) / static_cast<double>(std::max<std::size_t>(signal.size(), 1)));
  if (!(total > 0) || signal.size() < 8) return std::nullopt;
  std::size_t best = 0;
  double most = 0;
  const auto together = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t k = 1; k <= overtones && k * i < half; ++k) {
      // A multiple of a frequency between two places is up to k / 2 places away.
      double near = 0;
      for (std::size_t at = k * i - k / 2; at <= std::min(k * i + k / 2, half - 1); ++at) near = std::max(near, p[at]);
      sum += near;
    }
    return sum;
  };
  for (std::size_t i = std::max<std::size_t>(lowest, 1); i < half; ++i)
    if (const double sum = together(i); sum > most) most = sum, best = i;
  if (best == 0) return std::nullopt;
  const double frequency = static_cast<double>(best) + (best + 1 < half ? top_of(p[best - 1], p[best], p[best + 1]) : 0);
  const double places = static_cast<double>(p.size()) / static_cast<double>(signal.size());  // of one independent frequency
  return Peak{static_cast<double>(p.size()) / frequency, std::min(1.0, most * places / total)};
}

}  // namespace fathom
