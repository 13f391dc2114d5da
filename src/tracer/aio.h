// SPDX-License-Identifier: Apache-2.0
/// Requests that programs queue with system calls by number instead of libaio's functions.
#pragma once

namespace fathom::trace {

bool is_queue_call(long number);
/// Makes the call with `real`, which is syscall() itself.
long queue_call(long number, const long (&a)[6], long (*real)(long, ...));

}  // namespace fathom::trace
