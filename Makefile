# Shortcuts over CMake's presets; `make help` lists them. Each installs the packages that it needs and that are missing.
BUILD := build
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
FAULT_TIMES ?= 10
MUTATED ?= 100000
PREFIX ?= /usr/local
DRAFTGAUGE_WERROR ?= OFF
DRAFTGAUGE_CUDA ?= AUTO
PACKAGES := cmake/packages/install
RENDERER := cmake/renderer
SOURCES = git ls-files -- '*.h' '*.inl' '*.cc' '*.cu'

.DEFAULT_GOAL := all
.PHONY: all demo record test check check-audits check-headers check-consumer check-kills check-faults check-names check-mutated check-statistics gpu-check sanitize fuzz install test-python wheel deb tarball release docs golden format tidy clean help FORCE

all:  ## build the program, build/draftgauge (release)
	@$(PACKAGES) build
	@$(RENDERER) $(BUILD)/renderer
	@[ -f $(BUILD)/build.ninja ] || cmake --preset release -DDRAFTGAUGE_CUDA=$(DRAFTGAUGE_CUDA)
	@cmake --build $(BUILD) -j $(JOBS) --target draftgauge

demo: all  ## verify the theorems on synthetic laws, a Markov pair and a real recording
	@apps/demo.sh $(BUILD)/draftgauge

test:  ## build everything and run every test
	@$(PACKAGES) build test
	@$(RENDERER) $(BUILD)/renderer
	@cmake --preset release -DDRAFTGAUGE_TESTS=ON -DDRAFTGAUGE_WERROR=$(DRAFTGAUGE_WERROR) \
	  -DDRAFTGAUGE_CUDA=$(DRAFTGAUGE_CUDA)
	@cmake --build $(BUILD) -j $(JOBS)
	@ctest --preset release -j $$(($(JOBS) + 1))  # some wait longer than they play

# One further build folder, build-NAME, for each preset NAME; the tests of the tree itself run once, in `make test`.
check-%: FORCE
	@$(PACKAGES) build test check
	@cmake --preset $*
	@cmake --build --preset $* -j $(JOBS)
	@ctest --preset $* -j $(JOBS)

check-headers: test
	@cmake --build $(BUILD) -j $(JOBS) --target headers_alone

check-consumer: test
	@ctest --preset release -C whole -R '^tree: consumer by add_subdirectory$$'

check-kills: test
	@python3 tests/apps/store_kill_test.py $(BUILD)/draftgauge 200

check-faults: test  ## play while processes are killed, disks fill up and folders vanish, FAULT_TIMES (10) of each: what is lost or counted twice
	@python3 tests/apps/faults_test.py $(BUILD)/draftgauge $(CURDIR) $(FAULT_TIMES)

check-names: test
	@python3 tests/apps/hostile_names_test.py $(BUILD)/draftgauge $(CURDIR) 1000

check-mutated: all  ## mutate every input of the tests MUTATED (100000) times in all, and read each: no crash, no flood, no name printed raw
	@python3 tests/apps/mutated_inputs_test.py $(BUILD)/draftgauge $(CURDIR) --count $(MUTATED) --keep $(BUILD)/mutated-inputs

check-statistics: all  ## count how often intervals and tests are wrong, beside the rates that they promise (an hour)
	@$(PACKAGES) build test
	@tests/statistics/run $(BUILD)/draftgauge

check: test test-python check-audits check-headers check-consumer check-kills check-faults check-names check-mutated check-statistics check-O0 check-O3 check-clang check-sanitize check-tsan  ## other projects' verifiers, each header by itself, then all tests again: g++ -O0 and -O3, clang++, sanitizers, 200 kills of a store, other faults, 1000 hostile names, 100000 mutated inputs, rates of errors

gpu-check:  ## build for sm_90 and pack what checks a CUDA device: build-gpu/gpu-check.tar.gz
	@$(PACKAGES) build test
	@cmake --preset gpu
	@cmake --build --preset gpu -j $(JOBS) --target draftgauge test_gpu
	@gpu/check/pack $(BUILD)-gpu

sanitize: check-sanitize check-tsan  ## all tests under the address, undefined and thread sanitizers (the last with OpenMP on one thread)

fuzz:  ## run each fuzz target for FUZZ_SECONDS (60)
	@$(PACKAGES) build check
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@fuzz/run $(BUILD)-fuzz $(FUZZ_SECONDS)

record:  ## record real models with llama.cpp into out/record (the first time 200 MB are downloaded and llama.cpp compiled)
	@$(PACKAGES) record
	@data/record/try out/record $(RECORD_PYTHON)

test-python:  ## install the Python package from this folder into build/python-env and test it
	@$(PACKAGES) build python
	@python/check $(BUILD) $(JOBS) || [ $$? = 77 ]

check-audits: test-python  ## audit verifiers of other projects from PyPI (3 GB are downloaded) and hold the table of docs/audits.md against them
	@python/audits/run $(BUILD)

wheel:  ## make the Python package's wheel for this Python, with the program, repaired for other Linux systems: out/wheels
	@$(PACKAGES) build python
	@$(RENDERER) $(BUILD)/renderer
	@python/wheel $(BUILD) out/wheels

deb:  ## make the Debian packages draftgauge and libdraftgauge-dev: out/packages
	@$(PACKAGES) build package
	@$(RENDERER) $(BUILD)-packages/renderer
	@cmake/release/deb $(BUILD)-packages out/packages $(JOBS)

tarball:  ## make a tarball of the program for any Linux, linked statically: out/packages
	@$(PACKAGES) build package
	@$(RENDERER) $(BUILD)-packages/renderer
	@cmake/release/tarball $(BUILD)-packages out/packages $(JOBS)

release:  ## make all that docs/packages.md lists: out/release
	@$(PACKAGES) build package python
	@$(RENDERER) $(BUILD)/renderer
	@$(RENDERER) $(BUILD)-packages/renderer
	@cmake/release/all out/release $(JOBS)

install: all  ## install program, headers, libraries and CMake package under PREFIX (/usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

docs: all  ## write the generated pages of docs/ anew
	@$(BUILD)/draftgauge help --docs docs/commands
	@$(BUILD)/draftgauge help --results docs/schema/results.json
	@$(BUILD)/draftgauge help --results python/draftgauge/_described.py
	@python3 python/cards
	@$(BUILD)/draftgauge figure all -o docs/gallery/ --formats svg,vl.json --index docs/gallery.md
	@$(BUILD)/draftgauge table all --format md >> docs/gallery.md

golden: all  ## write tests/golden anew: what the program prints for every example, and its refusals
	@python3 tests/golden/golden.py $(BUILD)/draftgauge . --rewrite

format:  ## lay the sources out by .clang-format
	@$(PACKAGES) check
	@$(SOURCES) | xargs clang-format-19 -i

tidy:  ## lint the sources by .clang-tidy
	@$(PACKAGES) build test check
	@cmake --preset dev
	@run-clang-tidy-19 -quiet -p $(BUILD)-dev "$$PWD/(sim|analysis|gpu|apps)/.*\.cc$$"

clean:  ## remove all build folders
	@rm -rf build build-*/

help:  ## this list
	@sed -n '/^[a-z-]*:.*##/{s/:.*##/ /;p}' Makefile | awk '{name = $$1; $$1 = ""; printf "  make %-11s%s\n", name, $$0}'
