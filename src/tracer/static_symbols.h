// SPDX-License-Identifier: Apache-2.0
/// Every symbol of the C library that is wrapped, as one list: for --wrap, for the symbol check, for finding the real ones in a static program.
#pragma once

#include "trace_format/aio_symbols.h"
#include "trace_format/posix_symbols.h"
#include "trace_format/stdio_symbols.h"

/// NAME(symbol) for each.
#define FATHOM_NAME_OF_SYMBOL(name, type, parameters, arguments, shape) FATHOM_NAME(name)
#define FATHOM_NAME_OF_ALIAS(name, old) FATHOM_NAME(name)
#define FATHOM_NAME_OF_OWN(name) FATHOM_NAME(name)
#define FATHOM_WRAPPED_SYMBOLS                                                                  \
  FATHOM_POSIX_SYMBOLS(FATHOM_NAME_OF_SYMBOL, FATHOM_NAME_OF_ALIAS, FATHOM_NAME_OF_OWN)         \
  FATHOM_STDIO_SYMBOLS(FATHOM_NAME_OF_SYMBOL, FATHOM_NAME_OF_ALIAS, FATHOM_NAME_OF_OWN)         \
  FATHOM_AIO_SYMBOLS(FATHOM_NAME_OF_SYMBOL, FATHOM_NAME_OF_ALIAS, FATHOM_NAME_OF_OWN)

/// Not wrapped, but called by wrappers.
#define FATHOM_HELPING_SYMBOLS FATHOM_NAME(vfscanf) FATHOM_NAME(__isoc99_vfscanf) FATHOM_NAME(__vdprintf_chk)
