/* SPDX-License-Identifier: Apache-2.0 */
/* Buffered streams. Characters that only move inside a buffer are recorded together, before the next call on the stream. */
#include "truth.h"

#include <stdarg.h>

static FILE* opened(const char* path, const char* mode) {
  FILE* const stream = fopen(path, mode);
  told("fopen", path, NONE, NONE, stream ? fileno(stream) : -errno, 0);
  return stream;
}

static int say(FILE* stream, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vfprintf(stream, format, list);
  va_end(list);
  return result;
}

int main(void) {
  static char data[20000];
  memset(data, 'x', sizeof data);
  FILE* f = opened("s.txt", "w");
  DID("fwrite", "s.txt", 0, 100, fwrite(data, 1, 100, f));
  DID("fprintf", "s.txt", 100, 11, fprintf(f, "%s %d\n", "number", 123));
  DID("fprintf", "s.txt", 111, 2, say(f, "%d", 42));
  DID("fwrite", "s.txt", 113, 5, fputs("line\n", f) < 0 ? -1 : 5);
  for (int i = 0; i < 10; ++i) fputc('a', f);
  for (int i = 0; i < 10; ++i) putc_unlocked('b', f);
  told("fwrite", "s.txt", 118, 20, 20, 0);
  DID("fflush", "s.txt", NONE, NONE, fflush(f));
  DID("fwrite", "s.txt", 138, 16000, fwrite(data, 1600, 10, f) * 1600); /* more than the buffer */
  DID("fwrite", "s.txt", 16138, 50, fwrite(data, 50, 1, f) * 50);
  putc('c', f);
  told("fwrite", "s.txt", 16188, 1, 1, 0);
  errno = 7777;
  told("fseek", "s.txt", 10, NONE, fseek(f, 10, SEEK_SET) == 0 ? 10 : -1, errno);
  DID("fwrite", "s.txt", 10, 10, fwrite(data, 1, 10, f));
  DID("fclose", "s.txt", NONE, NONE, fclose(f));

  f = opened("s.txt", "r+");
  DID("fread", "s.txt", 0, 100, fread(data, 1, 100, f));
  char line[64], *text = NULL;
  size_t room = 0;
  told("fread", "s.txt", 100, 63, fgets(line, sizeof line, f) ? (long)strlen(line) : 0, 0); /* "number 123\n" */
  told("fread", "s.txt", 111, 7, getline(&text, &room, f), 0);                             /* "42line\n" */
  for (int i = 0; i < 5; ++i) getc(f);
  for (int i = 0; i < 5; ++i) getc_unlocked(f);
  told("fread", "s.txt", 118, 10, 10, 0);
  told("fread", "s.txt", 128, 1, getdelim(&text, &room, 'b', f), 0);
  ungetc('Q', f);
  told("fread", "s.txt", 128, 2, (long)fread(data, 1, 2, f), 0);
  told("fseek", "s.txt", -50, NONE, fseek(f, -50, SEEK_END) == 0 ? 16139 : -1, 0);
  DID("fread", "s.txt", 16139, 100, fread(data, 1, 100, f)); /* 50 are there */
  DID("fread", "s.txt", 16189, 100, fread(data, 1, 100, f)); /* none is */
  rewind(f);
  told("fseek", "s.txt", 0, NONE, 0, 0);
  int first = 0;
  while (getc_unlocked(f) != EOF) ++first;
  /* one call of the system for each buffer: 4096 characters come from inside it, the first of each through the library */
  for (long at = 0; at < 16189; at += 4096) {
    const long left = 16189 - at < 4096 ? 16189 - at : 4096;
    told("fread", "s.txt", at, 1, 1, 0);
    told("fread", "s.txt", at + 1, left - 1, left - 1, 0);
  }
  told("fread", "s.txt", 16189, 1, 0, 0);
  DID("fclose", "s.txt", NONE, NONE, fclose(f));

  f = opened("numbers.txt", "w+");
  DID("fprintf", "numbers.txt", 0, 8, fprintf(f, "12 34 56"));
  rewind(f);
  told("fseek", "numbers.txt", 0, NONE, 0, 0);
  int a, b;
  if (fscanf(f, "%d %d", &a, &b) != 2) return 1;
  told("fscanf", "numbers.txt", 0, 5, 5, 0);
  DID("fread", "numbers.txt", 5, 3, fread(data, 1, 3, f));
  DID("fclose", "numbers.txt", NONE, NONE, fclose(f));

  /* Appending, by a stream and behind its back. */
  f = opened("numbers.txt", "a");
  DID("fwrite", "numbers.txt", 8, 10, fwrite(data, 1, 10, f));
  DID("fwrite", "numbers.txt", 18, 10, fwrite(data, 1, 10, f));
  DID("fflush", "numbers.txt", NONE, NONE, fflush(f));
  DID("fwrite", "numbers.txt", 28, 1, fputs("!", f) < 0 ? -1 : 1);
  DID("fclose", "numbers.txt", NONE, NONE, fclose(f));

  /* A stream and its descriptor. */
  int fd = (int)DID("open", "both.dat", NONE, NONE, open("both.dat", O_CREAT | O_RDWR | O_TRUNC, 0600));
  DID("write", "both.dat", 0, 100, write(fd, data, 100));
  f = fdopen(fd, "r+");
  told("fopen", "both.dat", NONE, NONE, fd, 0);
  DID("fwrite", "both.dat", 100, 20, fwrite(data, 1, 20, f));
  DID("fflush", "both.dat", NONE, NONE, fflush(f));
  DID("write", "both.dat", 120, 5, write(fd, data, 5));
  DID("fwrite", "both.dat", 125, 20, fwrite(data, 1, 20, f));
  DID("fflush", "both.dat", NONE, NONE, fflush(f));
  DID("lseek", "both.dat", 40, NONE, lseek(fd, 40, SEEK_SET));
  DID("read", "both.dat", 40, 5, read(fd, data, 5));
  DID("fprintf", "both.dat", 45, 3, dprintf(fd, "abc"));
  DID("fclose", "both.dat", NONE, NONE, fclose(f));

  /* Another file in the same stream; a file without a name; memory, which is no file. */
  f = opened("one.txt", "w");
  putc('1', f);
  f = freopen("two.txt", "w", f);
  told("fwrite", "one.txt", 0, 1, 1, 0);
  told("fclose", "one.txt", NONE, NONE, 0, 0);
  told("fopen", "two.txt", NONE, NONE, fileno(f), 0);
  DID("fwrite", "two.txt", 0, 3, fputs("two", f) < 0 ? -1 : 3);
  DID("fclose", "two.txt", NONE, NONE, fclose(f));
  f = tmpfile();
  told("fopen", "/tmp/(deleted)", NONE, NONE, fileno(f), 0);
  DID("fwrite", "/tmp/(deleted)", 0, 10, fwrite(data, 1, 10, f));
  DID("fclose", "/tmp/(deleted)", NONE, NONE, fclose(f));
  char memory[100];
  f = fmemopen(memory, sizeof memory, "w");
  errno = 7777;
  fprintf(f, "not a file");
  fflush(f);
  fclose(f);
  if (errno != 7777) return 2;
  DID_POINTER("fopen", "missing.txt", 0, fopen("missing.txt", "r"));
  f = opened("s.txt", "r");
  DID("fwrite", "s.txt", 0, 10, fwrite(data, 1, 10, f) == 0 ? -1 : 0); /* refused */
  DID("fclose", "s.txt", NONE, NONE, fclose(f));

  /* Whatever is in a buffer at the end is written by the C library; it was put there by these. */
  DID("fwrite", getenv("HAS_STDOUT"), NONE, 6, puts("hello") < 0 ? -1 : 6);
  DID("fprintf", getenv("HAS_STDOUT"), NONE, 4, printf("%d\n", 123));
  putchar('x');
  putchar('\n');
  f = opened("last.txt", "w");
  DID("fwrite", "last.txt", 0, 10, fwrite(data, 1, 10, f));
  for (int i = 0; i < 5; ++i) putc('z', f);
  told("fwrite", getenv("HAS_STDOUT"), NONE, 2, 2, 0);
  told("fwrite", "last.txt", 10, 5, 5, 0);
  free(text);
  return 0;
}
