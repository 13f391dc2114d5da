// SPDX-License-Identifier: Apache-2.0
/// Applications that make mining hard, each in one way: run lengths, two patterns, drift, I/O off, somebody else's pattern, few runs,
/// silence, reading.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/spider_applications.h"

namespace fathom::titan {

/// `others` are the applications of the machine without them: hosts and models of some cases, named by their places there.
/// Their runs always complete, so that each is hard in its own way alone; the name's beginning says which way, docs/synthetic-spider.md
/// why.
std::vector<Application> case_applications(const std::vector<Application>& others);

}  // namespace fathom::titan
