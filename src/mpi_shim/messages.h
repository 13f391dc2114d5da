/* SPDX-License-Identifier: Apache-2.0 */
/** Messages of any length between ranks, on top of MPI's int counts. */
#ifndef FATHOM_MPI_SHIM_MESSAGES_H
#define FATHOM_MPI_SHIM_MESSAGES_H

#include <stdint.h>

int shim_broadcast(void* memory, uint64_t bytes, int root);
int shim_all_lengths(uint64_t mine, uint64_t* lengths);
int shim_gather(const void* mine, const uint64_t* lengths, void* const* parts);
int shim_all_gather(const void* mine, const uint64_t* lengths, void* const* parts);
int shim_sum(uint64_t* numbers, uint64_t count);
int shim_maximum(double* number);

#endif
