// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader.h"

namespace fathom {
extern const Reader gpfs_mmpmon;
constinit const Reader gpfs_mmpmon{
    .name = "gpfs_mmpmon", .summary = "GPFS / Storage Scale mmpmon output", .details = "", .example = "",
    .recognises = [](std::string_view first, std::string_view) { return first.starts_with("_fs_io_s_"); },
    .read = [](LineInput&, const ReadOptions&, Harvest&) -> Result<void> { return {}; }};
}  // namespace fathom
