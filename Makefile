# The shell of every recipe stops at the first failure, also inside a pipe.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# build, site and render are folders as well as targets or words.
.PHONY: help run test check-format vet unit race race-short openapi outside judges containers judged clients judge-browser judge-mcp judge-files build release vulnerabilities site render templates bench soak month large truth truth-sample lint fmt update clean

# One set of flags for everything that is compiled, so that vet, tests and the
# program share what the first of them compiled; only the race detector needs C.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath
# The judges start node some hundred times; it keeps what it compiled.
export NODE_COMPILE_CACHE := $(CURDIR)/.cache/compiled

FOLDERS := $(wildcard build cmd dynamic migrations render site templates)
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# What assay version tells; in a tree without git it is read from cmd/assay/archived.txt.
ORIGIN  := $(shell git log -1 --format='-X main.commit=%H -X main.committed=%cI' 2>/dev/null) \
	-X main.modified=$(if $(filter %-dirty,$(VERSION)),true,false)
RELEASE  = go run ./cmd/internal/release -version '$(VERSION)' -commit "$$(git rev-parse HEAD)" -committed "$$(git log -1 --format=%cI)"
# What shares memory between goroutines, and the tests in which it does where most ask one thing after
# the other; make race, a job of CI beside this one, takes all.
RACE    := ./dynamic/lru ./dynamic/query ./dynamic/web ./dynamic/store/sqlite ./render/snapshot
AT_ONCE := Torn|UnderLoad|UnderWrites|InFlight|Run|Follows|BeforeTheFirst|Slow|Memory|Damaged
# The binary for the tests that run the program, so that none links one of its own.
SHIPPED := ASSAY_PROGRAM=$(CURDIR)/bin/assay
LINTER  := .cache/bin/golangci-lint

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## load the sample register, build its site and serve it
	bin/assay demo

test: ## install what the tests need, then run everything CI runs
	.ci/install.sh
	.ci/dcat/install.sh
	.ci/edge/install.sh
	.ci/samples/install.sh
	.ci/protocols/install.sh
	TMPDIR=$$(.ci/memory.sh) $(MAKE) check-format vet unit
	TMPDIR=$$(.ci/memory.sh) $(MAKE) -j2 --output-sync=target judges race-short openapi outside containers truth-sample

check-format:
	@files=$$(gofmt -l $(FOLDERS)); [ -z "$$files" ] || { echo "run make fmt, these are not formatted:" $$files; exit 1; }

templates: ## compile the components of templates/ to Go, which is checked in
	go run ./cmd/internal/components

vet:
	go vet ./...

unit: build
	$(SHIPPED) go test -vet=off -timeout 30m ./...

race-short:
	CGO_ENABLED=1 go test -race -short -vet=off -timeout 20m $(RACE)
	@[ "$$(go test -vet=off -list '$(AT_ONCE)' ./dynamic | grep -c ^Test)" = 13 ] || { echo 'AT_ONCE names another number of tests than 13: is one renamed?'; exit 1; }
	CGO_ENABLED=1 go test -race -short -vet=off -timeout 20m -run '$(AT_ONCE)' ./dynamic
	CGO_ENABLED=1 go test -race -short -vet=off -timeout 20m -run 'Pipeline|Readers' ./build

race: ## run all tests under the race detector
	CGO_ENABLED=1 go test -race -timeout 60m ./...

openapi:
	.ci/lint-openapi.sh render/discovery/testdata/openapi.json

outside:
	node --test .ci/node/*.test.mjs

# A module of its own: what the snapshot file is compared with is no dependency of Assay.
containers:
	cd cmd/internal/containers && go vet ./... && go test -vet=off ./...

# The site of the sample register, judged by programs of others. Each judge waits
# or runs on one processor most of the time, so make -j2 runs two at once; the
# browser takes longest and begins.
judges: judge-browser judge-mcp judge-files

judged: build
	rm -rf out/judged && bin/assay demo --build-only --out out/judged

judge-browser: judged
	.ci/browser/judge.sh out/judged

judge-mcp: judged
	.ci/mcp/judge.sh out/judged

judge-files: judged
	node .ci/node/check-site.mjs out/judged
	node .ci/node/verify-log.mjs out/judged/log
	node .ci/node/check-entries.mjs out/judged
	go run ./cmd/internal/agree -all -forms render/usage/testdata/forms.json out/judged
	/usr/bin/python3 .ci/export/full.py out/judged
	/usr/bin/python3 .ci/truth/publisher.py out/judged
	.ci/dcat/judge.sh out/judged --publish
	bin/assay check out/judged
	.ci/feeds/judge.sh out/judged
	.ci/protocols/judge.sh out/judged
	.ci/badges/judge

build: ## compile bin/assay
	go build -ldflags '-s -w -X main.release=$(VERSION) $(ORIGIN)' -o bin/assay ./cmd/assay

release: ## make the files of a release in out/release, twice, and compare them
	@[ -z "$$(git status --porcelain)" ] || { echo "commit first: a release is made from a commit"; exit 1; }
	rm -rf out/release out/again && mkdir -p out/again/src
	$(RELEASE) -out out/release
	git ls-files -z | tar --null --files-from=- -c | tar -x -C out/again/src
	cd out/again/src && $(RELEASE) -out ../release
	diff -r out/release out/again/release && rm -rf out/again
	cat out/release/SHA256SUMS

clients: build ## generate clients for Go and npm in out/clients, and try them on the sample register
	.ci/clients/make.sh out/clients

vulnerabilities: ## compare the modules with the Go vulnerability database, over the network
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 $(if $(VULNDB),-db $(VULNDB)) ./...

bench: ## run the benchmarks, and the big batches beside plain programs
	go test -run '^$$' -bench . -benchmem ./...
	.ci/dcat/bench/run.sh
	.ci/rdf/bench.sh
	.ci/hugo/bench.sh
	go run ./cmd/internal/bench run
	go run ./cmd/internal/bench scale
	go run ./cmd/internal/bench protocols
	cd cmd/internal/containers && go test -run '^$$' -bench . -benchtime 3x
	go test -run '^$$' -bench Speed -benchtime 1x -timeout 60m ./cmd/internal/bench/search -entries 100000

soak: ## run the long tests too, and every fuzz target for ten minutes: many hours
	$(MAKE) large build
	$(SHIPPED) ASSAY_SOAK=1 go test -timeout 4h ./...
	rm -rf out/judged && bin/assay demo --build-only --out out/judged
	.ci/browser/lighthouse.sh out/judged
	.ci/browser/offline.sh 50
	$(SHIPPED) .ci/browser/walks.sh
	/usr/bin/python3 .ci/truth/truth.py --site --floor
	/usr/bin/python3 .ci/truth/truth.py --search belgium
	/usr/bin/python3 .ci/truth/twice.py belgium belgium-part
	go test -run '^$$' -bench Speed -benchtime 1x -timeout 4h ./cmd/internal/bench/search -entries 1000000 -beside=false -rate 20
	$(MAKE) clients
	.ci/mcp/clients/run.sh
	.ci/protocols/qgis.sh
	.ci/protocols/install.sh && .ci/mcp/install.sh && node .ci/protocols/belgium.mjs bin/assay
	.ci/fuzz.sh 10m

month: build ## rehearse 30 days of a deployed register against an oracle
	mkdir -p out
	$(SHIPPED) ASSAY_SOAK=1 go test -v -count=1 -timeout 3h -run TestMonth ./cmd/internal/month -args -report $(CURDIR)/out/month

truth: build ## compare captured catalogues with what the register makes of them
	.ci/dcat/install.sh
	/usr/bin/python3 .ci/truth/truth.py --site --page

# The same for the fixtures of this project, and the scores of the sample.
truth-sample: judged
	/usr/bin/python3 -m unittest discover -s .ci/truth -p '*_test.py'
	/usr/bin/python3 .ci/truth/page.py --check
	/usr/bin/python3 .ci/truth/truth.py --floor own
	/usr/bin/python3 .ci/truth/truth.py --site own-dcat own-apisguru own-packages
	/usr/bin/python3 .ci/truth/twice.py own-dcat
	/usr/bin/python3 .ci/truth/truth.py --search own-dcat
	/usr/bin/python3 .ci/truth/recompute.py out/judged

large: ## judge a register of 5,000 entries by the SHACL shapes
	.ci/dcat/large.sh 5000

lint: $(LINTER) ## run the linters of .golangci.yml
	$(LINTER) run ./...

$(LINTER):
	GOBIN=$(CURDIR)/.cache/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

fmt: ## format the Go sources
	gofmt -w $(FOLDERS)

update: ## rewrite the golden files
	go test $$(grep -rlE 'flag\.Bool\("update"|render/rendertest"' --include='*_test.go' $(FOLDERS) | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

clean: ## remove what was built, not what was installed
	rm -rf bin out
