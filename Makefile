# The two commands of a newcomer are `make demo` and `make test`.

SWIFT := ./scripts/swift
LIBRARIES := libuv1-dev libsodium-dev libsqlite3-dev libyaml-dev libssl-dev libpsl-dev libqrencode-dev pkg-config
# What the tests of TLS set against ours.
PEERS := nginx-light openssl
RESULTS := .build/tests.xml
# They start programs, two or more for each test: beside them the others would wait for the processor.
PROGRAMS := EndToEndTests
PROGRAM_RESULTS := .build/programs.xml
# They take the whole machine for a while, so that they come when the others are through.
MATRICES := MatrixTests
# What reads openapi.yaml as others do.
TOOLS := .build/venv/bin
MATRIX_RESULTS := .build/matrices.xml
ALL_RESULTS := $(RESULTS) $(PROGRAM_RESULTS) $(MATRIX_RESULTS)
# On a crash the runtime's backtracer can hang; it must not hang a test run with it.
export SWIFT_BACKTRACE = enable=no

.DEFAULT_GOAL := help
.PHONY: help demo test kill-matrix build lint lines fuzz differential contract codes soak packages tools

help:
	@echo "make demo         build, and show the whole way on this machine (ONCE=1: end after one ask)"
	@echo "make test         build, and run every test"
	@echo "make kill-matrix  kill the gateway again and again at each fault point (KILLS=200)"
	@echo "make build        a release build with the Swift library linked in: .build/release/countersign"
	@echo "make lint         check the format of the code, and the arrows between the targets"
	@echo "make lines        show which test holds which promised line of behaviour"
	@echo "make fuzz         give every reader of foreign bytes a minute of made-up input (SECONDS=10, TARGET=json)"
	@echo "make differential compare what our server reads with nginx, haproxy and Node (DAMAGED=2000)"
	@echo "make contract     hold every answer of a running gateway against openapi.yaml (EXAMPLES=100, SEED=1)"
	@echo "make codes        reach every error code with curl, and compare with docs/errors.md"
	@echo "make soak         use the release build well and badly, and watch whether it stays as it was (MIN=5)"

packages:
	@./scripts/install-packages $(LIBRARIES) curl python3

demo: packages
	$(SWIFT) build --product countersign
	.build/debug/countersign demo $(if $(ONCE),--once)

test:
	@./scripts/install-packages $(LIBRARIES) curl python3 $(PEERS)
	@rm -f $(ALL_RESULTS) $(ALL_RESULTS:.xml=-swift-testing.xml)
	$(SWIFT) test --skip $(MATRICES) --skip $(PROGRAMS) --xunit-output $(RESULTS)
	$(SWIFT) test --skip-build --filter $(PROGRAMS) --skip $(MATRICES) --xunit-output $(PROGRAM_RESULTS)
	$(SWIFT) test --skip-build --no-parallel --filter $(MATRICES) --xunit-output $(MATRIX_RESULTS)

kill-matrix: packages
	KILLS=$(or $(KILLS),200) $(SWIFT) test --filter KillMatrixTests

build: packages
	$(SWIFT) build --configuration release --static-swift-stdlib --product countersign

lint:
	@./scripts/install-packages python3
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Fuzz
	./.ci/imports

lines:
	@./scripts/install-packages python3
	./.ci/lines $(wildcard $(ALL_RESULTS:.xml=-swift-testing.xml))

fuzz:
	@./scripts/install-packages python3
	./Fuzz/run --seconds $(or $(SECONDS),60) $(if $(TARGET),--target $(TARGET))

differential: packages
	$(SWIFT) build --product EchoServer
	./Tests/Differential/run .build/debug/EchoServer
	$(if $(DAMAGED),./Tests/Differential/run .build/debug/EchoServer --damaged $(DAMAGED))

contract: packages tools
	$(SWIFT) build --product countersign
	$(TOOLS)/python Tests/Contract/run .build/debug/countersign $(if $(EXAMPLES),--examples $(EXAMPLES)) $(if $(SEED),--seed $(SEED))
	$(TOOLS)/python Tests/Contract/client .build/debug/countersign

codes: packages
	$(SWIFT) build --product countersign
	./Tests/Codes/run .build/debug/countersign --check

tools:
	@./scripts/install-packages python3 python3-venv
	@[ -x $(TOOLS)/python ] || python3 -m venv .build/venv
	@$(TOOLS)/pip install --quiet --disable-pip-version-check -r Tests/Contract/requirements.txt

soak: build
	./Tests/Soak/run .build/release/countersign --minutes $(or $(MIN),5)
