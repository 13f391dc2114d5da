// SPDX-License-Identifier: Apache-2.0
/// A job slot by slot as a table: the columns of `fathom timeline --format csv`.
#pragma once

#include <vector>

#include "report/table.h"
#include "timeline/slots.h"

namespace fathom {

Table slot_rows(const std::vector<Slot>& slots);

}  // namespace fathom
