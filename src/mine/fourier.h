// SPDX-License-Identifier: Apache-2.0
/// The autocorrelation and the spectrum of a signal, and the period that each shows.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace fathom {

struct Peak {
  double lag = 0;       // in slots, interpolated between them
  double strength = 0;  // autocorrelation: the coefficient there; spectrum: the share of all power at this frequency and its multiples
};

/// The coefficients of lags 0 to size / 2; empty for a signal that does not vary. NaN counts as the mean.
std::vector<double> autocorrelation(std::span<const double> signal);

/// The first lag whose peak is nearly the highest, after the correlation has first fallen below zero; a parabola through its neighbours
/// gives fractions of a slot.
std::optional<Peak> correlation_peak(std::span<const double> signal);

/// The frequency that has most power together with its multiples: bursts are short, and their overtones as strong as the tone.
std::optional<Peak> spectral_peak(std::span<const double> signal);

}  // namespace fathom
