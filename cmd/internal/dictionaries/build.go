package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/assay-register/assay/build/output"
)

// catalogues are the captures that are harvested, by the kinds of their sources.
var catalogues = [][2]string{
	{"dcat", "dcatap/testdata/catalogue.ttl"}, {"ckan", "ckan/testdata/packages.jsonl"}, {"ods", "ods/testdata/datasets.json"},
	{"udata", "udata/testdata/datasets.json"}, {"csw", "csw/testdata/records.xml"}, {"socrata", "socrata/testdata/results.json"},
	{"ogc-records", "ogcrecords/testdata/items.json"},
}

// harvested is when the catalogues are, soon after the checks of the sample register.
// Whatever second it takes, instants within that hour are shown as its beginning, and
// the hashes of what shows them, which no document shares with another, as zeros.
var (
	harvested = time.Date(2026, 11, 21, 1, 10, 30, 0, time.UTC)
	instants  = regexp.MustCompile(`(2026-?11-?21T01):?\d\d:?\d\d(?:\.\d+)?`)
	hashes    = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	zeros     = bytes.Repeat([]byte("0"), 64)
)

// build makes a snapshot file of the sample register, and one of it with the catalogues.
func build(ctx context.Context, folder string) (sites [2]*output.SnapshotFile, err error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return sites, err
	}
	captures := filepath.Join(string(root[:len(root)-1]), "build", "harvest")
	program, store := filepath.Join(folder, "assay"), "sqlite:"+filepath.Join(folder, "sample.db")
	run := func(name string, args ...string) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir, cmd.Stderr = string(root[:len(root)-1]), os.Stderr
		err = errors.Join(err, cmd.Run())
	}
	run("go", "build", "-o", program, "./cmd/assay")
	before, after := filepath.Join(folder, "before"), filepath.Join(folder, "after")
	run(program, "demo", "--build-only", "--site", before, "--db", store)
	clock := filepath.Join(folder, "clock")
	// A minute for each: what follows what does not depend on how long it takes.
	at := harvested
	for _, c := range catalogues {
		err = errors.Join(err, set(clock, at))
		run(program, "harvest", "--clock", clock, "--db", store, "--kind", c[0], "--file", filepath.Join(captures, c[1]), "--source", c[0],
			"--url", "https://"+c[0]+".example.gov", "--country", "FR", "--official", "It is the portal of the state.")
		at = at.Add(time.Minute)
	}
	err = errors.Join(err, set(clock, at))
	run(program, "build", "--clock", clock, "--db", store, "--site", after)
	if err != nil {
		return sites, err
	}
	for i, path := range []string{before, after} {
		if sites[i], err = output.OpenPresent(path); err != nil {
			return sites, err
		}
	}
	return sites, nil
}

// set moves the clock of the programs that read its file.
func set(clock string, at time.Time) error {
	return os.WriteFile(clock, []byte(time.Until(at).Round(time.Second).String()), 0o644)
}
