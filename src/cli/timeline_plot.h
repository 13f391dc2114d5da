// SPDX-License-Identifier: Apache-2.0
/// A job's timeline as a picture of block characters (D Figs. 4.36 ff.).
#pragma once

#include <string>

#include "characterise/job_view.h"

namespace fathom {

/// `step` in seconds; 0: as many slots as fit the width.
std::string timeline_plot(const Study& study, const JobView& view, double step, std::size_t width = 96);

}  // namespace fathom
