// SPDX-License-Identifier: Apache-2.0
/// What may stand after an option, as far as its declaration says: for shells that complete words.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace fathom {

/// The words of CommandOption::one_of(), or of a type such as exclusive|shared; none: anything.
std::vector<std::string> choices_of(const CLI::Option& option);

bool takes_value(const CLI::Option& option);
/// A file, a folder, a store or a trace: what a shell completes by itself.
bool takes_path(const CLI::Option& option);

}  // namespace fathom
