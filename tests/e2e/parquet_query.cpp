// SPDX-License-Identifier: Apache-2.0
// parquet_query SQL: any reader of Parquet must find what the program wrote. This one knows DuckDB's SQL and nothing of
// fathom; it prints the result as comma-separated values, nulls as nothing, text with a comma or a quote in quotes.
#include <duckdb.h>

#include <cstdio>
#include <string>

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

void print(duckdb_result& result) {
  const idx_t columns = duckdb_column_count(&result);
  std::string line;
  for (idx_t c = 0; c < columns; ++c) line += (c == 0 ? "" : ",") + quoted(duckdb_column_name(&result, c));
  std::puts(line.c_str());
  for (idx_t r = 0; r < duckdb_row_count(&result); ++r) {
    line.clear();
    for (idx_t c = 0; c < columns; ++c) {
      char* text = duckdb_value_varchar(&result, c, r);
      line += (c == 0 ? "" : ",") + quoted(text != nullptr ? text : "");
      duckdb_free(text);
    }
    std::puts(line.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: parquet_query SQL\n");
    return 2;
  }
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  if (duckdb_open(nullptr, &database) == DuckDBError || duckdb_connect(database, &connection) == DuckDBError) {
    std::fprintf(stderr, "parquet_query: DuckDB does not start\n");
    return 1;
  }
  duckdb_result result{};
  const bool done = duckdb_query(connection, argv[1], &result) == DuckDBSuccess;
  if (done)
    print(result);
  else
    std::fprintf(stderr, "parquet_query: %s\n", duckdb_result_error(&result));
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return done ? 0 : 1;
}
