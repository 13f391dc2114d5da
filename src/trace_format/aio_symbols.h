// SPDX-License-Identifier: Apache-2.0
/// Symbols of asynchronous input and output: POSIX (aio_*) and libaio (io_*); columns as in posix_symbols.h. All are written by hand in
/// tracer/aio.cpp: what is queued must be remembered until it completes.
#pragma once

// A table, a line each:
// clang-format off
#define FATHOM_AIO_SYMBOLS(SYMBOL, SAME, OWN) \
  OWN(aio_read) SAME(aio_read64, aio_read) OWN(aio_write) SAME(aio_write64, aio_write) \
  OWN(aio_fsync) SAME(aio_fsync64, aio_fsync) OWN(aio_return) SAME(aio_return64, aio_return) \
  OWN(aio_suspend) SAME(aio_suspend64, aio_suspend) OWN(aio_cancel) SAME(aio_cancel64, aio_cancel) \
  OWN(lio_listio) SAME(lio_listio64, lio_listio)

/// Of a library that a program may not have.
#define FATHOM_LIBAIO_SYMBOLS(SYMBOL, SAME, OWN) \
  OWN(io_submit) OWN(io_getevents) OWN(io_pgetevents)
// clang-format on
