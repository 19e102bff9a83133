# The front door: each target installs what it lacks (tools/bootstrap), builds, and never asks.
# The build itself is CMakeLists.txt with the presets of CMakePresets.json.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
JOBS ?= 100000
SEED ?= 1
BUILD = cmake --build --preset

.PHONY: build debug demo test bench bench-engine bench-instructions fuzz soak load format lint valgrind msan install clean help
.PHONY: extremes quality schemas papers papers-kgen papers-tabu papers-kab papers-pbg papers-peers papers-quick
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

# LONG=1: more cases, and the thread sanitizer, clang, libFuzzer, browsers and another processor.
test:
	@tools/bootstrap test
	@$(if $(filter-out 0,$(LONG)),tools/bootstrap long || echo "what is missing is skipped" >&2)
	@tests/run $(if $(filter-out 0,$(LONG)),--long)

bench: build
	@tools/bench

# QUICK=1: a minute instead of minutes.
bench-engine: build
	@tools/bootstrap bench
	@bench/engine_report $(if $(QUICK),--quick)

bench-instructions: build
	@tools/bootstrap instructions
	@bench/engine_instructions

# The papers' experiments; DATA names the folder of the data sets. What has a row already is not run again.
papers: build
	@tools/bootstrap bench
	@papers/run $(if $(DATA),--data $(DATA))

papers-kgen papers-tabu papers-kab papers-pbg papers-peers: build
	@tools/bootstrap bench
	@papers/run $(@:papers-%=%) $(if $(DATA),--data $(DATA))

papers-quick: build
	@tools/bootstrap bench
	@papers/run --quick $(if $(DATA),--data $(DATA))

# What init and every algorithm answer, as tracked files: what changed is shown, and quality/*.csv written.
quality: build
	@quality/recognition
	@quality/run $(if $(DATA),--shared $(DATA))

fuzz:
	@tools/bootstrap fuzz
	@cmake --preset fuzz >/dev/null
	@$(BUILD) fuzz
	@tools/fuzz $(FUZZ_SECONDS)

# Input that is far too much, also what takes gigabytes and minutes.
extremes: build
	@KANON=build/release/kanon tests/bad/run_extremes.py --full

# JOBS=N random small jobs through the whole tool, each judged by an independent oracle; SEED=S gives others.
soak: build
	@build/release/tests/soak/soak --jobs $(JOBS) --seed $(SEED) --processes $$(nproc)

# Four jobs at once, 48 columns, 50 million rows, cancelling: some 15 minutes and 8 GB of disk.
load: build
	@tools/bootstrap bench
	@bench/load

format:
	@tools/bootstrap format
	@tools/format

lint:
	@tools/bootstrap lint
	@tools/lint

# The JSON Schemas of the reports, from the descriptions in src/result/describe_*.c.
schemas: build
	@build/release/tools/schemas docs

# On demand, they take long. ONLY="test_csv test_job" names programs.
valgrind:
	@tools/bootstrap valgrind
	@tools/memory valgrind $(ONLY)

msan:
	@tools/bootstrap msan
	@tools/memory msan $(ONLY)

install: build
	@cmake --install build/release --prefix "$(PREFIX)"

clean:
	rm -rf build out

help:
	@echo "make build | demo | test [LONG=1] | bench | bench-engine [QUICK=1] | bench-instructions | papers[-kgen|-tabu|-kab|-pbg|-peers|-quick] [DATA=...] | quality [DATA=...] | fuzz | extremes | soak [JOBS=N] [SEED=S] | load | format | lint | schemas | valgrind | msan | install PREFIX=... | clean"
