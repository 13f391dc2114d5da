# SPDX-License-Identifier: Apache-2.0
# make demo, make check: everything else is a step of these two.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# One more than cores: those with a browser wait much.
TESTS_AT_ONCE ?= $(shell expr $(JOBS) + 1)

.PHONY: help setup build demo check check-full live soak test asan tsan fuzz fuzz-long tidy format bench package package-check docs install clean

help:
	@sed -n 's/^## //p' Makefile

## make demo        install what is missing, build, run the main job on made-up data
demo: build
	@build/release/fathom demo demo --no-serve

## make check       install what is missing, build, run every test (about a quarter of an hour once everything is compiled)
check: build test asan fuzz

## make build       the program, at build/release/fathom
build: setup build/release/build.ninja
	@cmake --build build/release -j $(JOBS)

setup:
	@tools/setup

build/%/build.ninja: CMakeLists.txt CMakePresets.json | setup
	@cmake --preset $* >/dev/null

## make test        the end-to-end tests of the release build
test: build
	@ctest --test-dir build/release --output-on-failure -j $(TESTS_AT_ONCE) -LE 'slow|live|package|soak'
	@grep -h '^left out here: ' build/release/Testing/Temporary/LastTest.log | sort -u || true

## make live        tests with a real Slurm and a slow disk, where the machine can have them (about 12 minutes)
live: build
	@tools/setup live
	@timeout 1200 ctest --test-dir build/release --verbose -L live

## make soak        collector, advice and dashboard beside a Slurm for half an hour, killed at random
soak: build
	@tools/setup live
	@ctest --test-dir build/release --verbose -L soak

## make asan        the unit tests under AddressSanitizer and UBSan
asan: setup build/asan/build.ninja
	@cmake --build build/asan -j $(JOBS) --target unit_tests
	@ctest --test-dir build/asan --output-on-failure -j $(JOBS) -L unit

## make tsan        the unit tests under ThreadSanitizer
tsan: setup build/tsan/build.ninja
	@cmake --build build/tsan -j $(JOBS) --target unit_tests
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tools/tsan.supp" ctest --test-dir build/tsan --output-on-failure -j $(JOBS) -L unit

## make fuzz        every reader's fuzz target, its kept corpus and FUZZ_SECONDS of chance (default 1)
fuzz: setup build/asan/build.ninja
	@cmake --build build/asan -j $(JOBS) --target fuzz_targets
	@ctest --test-dir build/asan --output-on-failure -j $(JOBS) -L '^fuzz$$'

## make fuzz-long   every fuzz target for ten minutes of processor time, one more after each change; can be ended and started again
fuzz-long: setup build/asan/build.ninja
	@cmake --build build/asan -j $(JOBS) --target fuzz_targets api_fuzz
	@tools/fuzz_long
	@tools/fuzz_long api_fuzz

## make tidy        clang-tidy's checks of .clang-tidy over src/ (up to half an hour; can be ended and started again)
tidy: setup build/asan/build.ninja
	@tools/tidy

## make format      format the C++ files that are to be (tools/format)
format:
	@tools/format

## make check-full  make check, ThreadSanitizer, clang-tidy, long fuzzing, the soak, the packages (hours)
check-full: check tsan tidy soak package-check
	@ctest --test-dir build/release --output-on-failure -L slow
	@cmake --build build/asan -j $(JOBS)
	@ctest --test-dir build/asan --output-on-failure -L slow -E '_long|_heavy'
	@$(MAKE) fuzz-long

## make bench       one table of ratios measured in one run, and how cost grows with size; written to docs/benchmarks.md (hours; BENCH=--quick: a quarter of one)
bench: build
	@tools/bench --write $(BENCH)

## make package     a Debian package and a tarball, in build/release/packages
package: build
	@tools/package

## make package-check  the packages on a fresh Debian 12, made by debootstrap
package-check: package
	@tools/setup package
	@ctest --test-dir build/release --verbose -L package

## make docs        write docs/ pages that come from descriptors
docs: build
	@build/release/fathom docs docs

## make install     into PREFIX (default /usr/local)
install: build
	@cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build demo
