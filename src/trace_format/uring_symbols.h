// SPDX-License-Identifier: Apache-2.0
/// Symbols of liburing that lead to traced calls. Their first argument is the ring.
#pragma once

// A table, a line each:
// clang-format off
/// RING(symbol, call)
#define FATHOM_URING_SYMBOLS(RING) \
  RING(io_uring_submit, uring_submit) RING(io_uring_submit_and_wait, uring_submit) RING(io_uring_submit_and_wait_timeout, uring_submit) \
  RING(io_uring_submit_and_get_events, uring_submit) RING(io_uring_get_events, uring_wait) RING(__io_uring_get_cqe, uring_wait) \
  RING(io_uring_wait_cqes, uring_wait) RING(io_uring_wait_cqe_timeout, uring_wait) RING(io_uring_peek_batch_cqe, uring_wait) \
  RING(io_uring_queue_exit, uring_wait)
// clang-format on
