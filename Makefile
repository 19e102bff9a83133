# The front door: each target installs what it lacks (tools/bootstrap), builds, and never asks.
# The build itself is CMakeLists.txt with the presets of CMakePresets.json.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
BUILD = cmake --build --preset

.PHONY: build debug demo test bench bench-engine bench-instructions fuzz format lint install clean help
build:
	@tools/bootstrap build
	@cmake --preset release >/dev/null
	@$(BUILD) release

debug:
	@tools/bootstrap build
	@cmake --preset debug >/dev/null
	@$(BUILD) debug

demo: build
	@tools/demo

test:
	@tools/bootstrap test
	@tests/run

bench: build
	@tools/bench

# QUICK=1: a minute instead of minutes.
bench-engine: build
	@tools/bootstrap bench
	@bench/engine_report $(if $(QUICK),--quick)

bench-instructions: build
	@tools/bootstrap instructions
	@bench/engine_instructions

fuzz:
	@tools/bootstrap fuzz
	@cmake --preset fuzz >/dev/null
	@$(BUILD) fuzz
	@tools/fuzz $(FUZZ_SECONDS)

format:
	@tools/bootstrap format
	@tools/format

lint:
	@tools/bootstrap lint
	@tools/lint

install: build
	@cmake --install build/release --prefix "$(PREFIX)"

clean:
	rm -rf build out

help:
	@echo "make build | demo | test | bench | bench-engine [QUICK=1] | bench-instructions | fuzz | format | lint | install PREFIX=... | clean"
