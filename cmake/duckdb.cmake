# SPDX-License-Identifier: Apache-2.0
# The DuckDB shared library: an installed one (-DDUCKDB_ROOT=, with include/ and lib/), or the pinned one of deps/.
set(DUCKDB_ROOT "$ENV{DUCKDB_ROOT}" CACHE PATH "An installed DuckDB 1.4: include/duckdb.h and lib/libduckdb.so")
if(DUCKDB_ROOT)
  set(duckdb_header_dir ${DUCKDB_ROOT}/include)
  set(duckdb_library ${DUCKDB_ROOT}/lib/libduckdb.so)
else()
  set(duckdb_modules ${PROJECT_SOURCE_DIR}/deps/node_modules)
  set(duckdb_header_dir ${duckdb_modules}/duckdb/src/duckdb/src/include)
  set(duckdb_library ${duckdb_modules}/@duckdb/node-bindings-linux-x64/libduckdb.so)
endif()
foreach(file ${duckdb_header_dir}/duckdb.h ${duckdb_library})
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${file} is missing: run 'make setup', or name an installed DuckDB with -DDUCKDB_ROOT=")
  endif()
endforeach()

# Beside the program, so that an installed tree finds its own copy; the header alone, so that nothing else of DuckDB leaks in.
configure_file(${duckdb_library} ${CMAKE_BINARY_DIR}/lib/libduckdb.so COPYONLY)
configure_file(${duckdb_header_dir}/duckdb.h ${CMAKE_BINARY_DIR}/duckdb/duckdb.h COPYONLY)
add_library(duckdb SHARED IMPORTED)
set_target_properties(duckdb PROPERTIES IMPORTED_LOCATION ${CMAKE_BINARY_DIR}/lib/libduckdb.so IMPORTED_NO_SONAME OFF)
target_include_directories(duckdb SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/duckdb)
install(FILES ${CMAKE_BINARY_DIR}/lib/libduckdb.so DESTINATION lib/fathom)
