// SPDX-License-Identifier: Apache-2.0
/// One application as a page: fathom apps --app ... -o FILE.html.
#pragma once

#include "cli/output.h"
#include "mine/dossier.h"

namespace fathom {

Result<void> write_application_page(const mine::Dossier& dossier, const OutputOptions& output);

}  // namespace fathom
