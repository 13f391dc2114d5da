// SPDX-License-Identifier: Apache-2.0
// 320 blocks of 4 KiB, one of every two (the last block is twice as long): 2.5 MiB from the first byte to the last, five times ROMIO's
// buffer of 512 KiB for writing alone. usage: data_sieving FILE [alone|together] [hint=value ...]
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { block = 4096, blocks = 320 };

int main(int argc, char** argv) {
  int rank, together = 0, lengths[blocks], starts[blocks];
  MPI_File file;
  MPI_Datatype every_second;
  MPI_Info hints;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Info_create(&hints);
  for (int i = 2; i < argc; ++i) {
    char* value = strchr(argv[i], '=');
    if (value) {
      *value = 0;
      MPI_Info_set(hints, argv[i], value + 1);
    } else {
      together = strcmp(argv[i], "together") == 0;
    }
  }
  char* data = malloc((blocks + 1) * block);
  memset(data, 'a' + rank, (blocks + 1) * block);
  for (int i = 0; i < blocks; ++i) {
    lengths[i] = i + 1 < blocks ? block : 2 * block;
    starts[i] = 2 * i * block;
  }
  MPI_Type_indexed(blocks, lengths, starts, MPI_CHAR, &every_second);
  MPI_Type_commit(&every_second);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file);
  MPI_File_set_size(file, 2 * block * blocks);
  MPI_File_set_view(file, (MPI_Offset)(rank % 2) * block, MPI_CHAR, every_second, "native", MPI_INFO_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  if (together) MPI_File_write_at_all(file, 0, data, (blocks + 1) * block, MPI_CHAR, MPI_STATUS_IGNORE);
  else MPI_File_write_at(file, 0, data, (blocks + 1) * block, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&every_second);
  MPI_Info_free(&hints);
  free(data);
  MPI_Finalize();
  return 0;
}
