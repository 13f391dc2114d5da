// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader_fuzz.h"
FATHOM_FUZZ_READER(darshan_dxt)
