// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr std::string_view drains[] = {"immediate", "idle", "threshold"};
constexpr Parameter parameters[] = {
    {"size", "burst_buffer", Unit::bytes, &Architecture::burst_buffer, 0, 1024 * TiB,
     "of each I/O node; 0: none. Otherwise at least the CIOD buffer"},
    {"bandwidth", "burst_buffer_bandwidth", Unit::bytes_per_second, &Architecture::burst_buffer_bandwidth, 1, 1'000'000 * GiB,
     "of the internal link into it, and of the one out of it"},
    {"shared_by", "burst_buffer_shared_by", Unit::count, &Architecture::burst_buffer_shared_by, 1, 100'000,
     "so many neighbouring I/O nodes put their buffers together; 1: each has its own", true},
    {"drain", "drain", Unit::choice, &Architecture::drain, 0, 2,
     "\"immediate\"; \"idle\": while its I/O node has no request under way, or a write finds no room; \"threshold\": as idle, and from a "
     "filling level on",
     true, drains},
    {"threshold", "drain_threshold", Unit::count, &Architecture::drain_threshold, 0, 100,
     "percent; from there on a buffer is drained until it is empty", true},
    {"prefetch", "prefetch", Unit::bytes, &Architecture::prefetch, 0, 1024 * TiB,
     "so much of what a job will read comes into the buffer from the job's start on; 0: nothing", true},
    {"read_hits", "read_hits", Unit::count, &Architecture::read_hits, 0, 100,
     "percent of the reads find their data among what was written and is still there", true},
};
}  // namespace
namespace components {
extern const Component burst_buffer;
constinit const Component burst_buffer{
    .name = "burst_buffer",
    .summary =
        R"(Stands behind the page pool: writes reach it over its internal link, are acknowledged when they are in it (unless the page pool did that), and leave it in order over the external link. When it is full, writes wait for room, and what was prefetched is given up. Reads pass by, unless their data was prefetched or is said to be there.)",
    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
