// SPDX-License-Identifier: Apache-2.0
/// Whole numbers of 128 bits, for sums and products that must not overflow.
#pragma once

namespace fathom {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

}  // namespace fathom
