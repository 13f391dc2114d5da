// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_logs.h"

namespace fathom {
namespace {

constexpr titan::SpiderVariant heavy{.background = 3, .cases = true};

}  // namespace

extern const SynthPreset spider_heavy;
constinit const SynthPreset spider_heavy{
    .name = "spider-heavy",
    .summary = "The machine spider-cases with three times as much other traffic",
    .details =
        "The preset spider-cases with three times as much traffic that belongs to no periodic application: people start three times as "
        "many copies and analyses, backups have three "
        "times as many streams, small requests three times as many bytes on every OST, and irregular applications have bursts at gaps a "
        "third as long. What periodic applications "
        "move is the same, but they meet more of the others, and their bursts take longer. No published machine is imitated by the factor: "
        "it is there to see what mining stands.",
    .write_logs = [](const SynthOptions& options, const std::string& directory) { return titan::write_logs(heavy, options, directory); },
    .deliver = [](const SynthOptions& options, Harvest& harvest) { return titan::deliver(heavy, options, harvest); }};

}  // namespace fathom
