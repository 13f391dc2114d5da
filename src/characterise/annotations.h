// SPDX-License-Identifier: Apache-2.0
/// What people declared about applications (category 4), as the store keeps it.
#pragma once

#include <map>
#include <string>

#include "characterise/job_view.h"
#include "store/store.h"

namespace fathom {

/// By application, then by key.
using AnnotationBook = std::map<std::string, std::map<std::string, std::string>>;

Result<AnnotationBook> read_annotations(const Snapshot& snapshot, Database& database);
/// Those of a job's application.
Result<Annotations> declared_for(const Study& study, const Job& job);
/// Writes changes: an empty value takes a key out.
Result<void> change_annotations(const Store& store, const std::string& application, const std::map<std::string, std::string>& changes);

}  // namespace fathom
