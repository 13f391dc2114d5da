// SPDX-License-Identifier: Apache-2.0
/// What was mined of applications, as advice asks for it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "advise/known_pattern.h"
#include "mine/pattern.h"
#include "store/store.h"

namespace fathom {

/// User, job name, nodes.
using ApplicationKey = std::tuple<std::string, std::string, std::uint32_t>;
using KnownApplications = std::map<ApplicationKey, advise::KnownApplication>;

advise::KnownPattern as_advice_asks(const mine::Pattern& pattern);

/// Validated applications with a pattern of which the servers are known; their usual run time comes from the job log.
Result<KnownApplications> known_applications(const Snapshot& snapshot);

/// What the knowledge base has of an application; nothing: unknown, or not validated.
using FindApplication = std::function<Result<std::optional<advise::KnownApplication>>(const Snapshot& snapshot, const std::string& user,
                                                                                      const std::string& name, std::uint32_t nodes)>;

/// Looks them up in the store's knowledge base, which is read at the first question.
FindApplication find_in_knowledge_base();

}  // namespace fathom
