//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render"
)

// protocolsGoal is the share of a full build's processor time that the documents of protocols may take.
const protocolsGoal = 0.15

// left is a build that leaves formats out, beside the one that has all that it is compared with. A build of
// named formats has no dumps; with DCAT-AP go its graphs of each entry and the event stream. The other
// protocols are answered from the snapshot and have no documents.
type left struct {
	name    string
	without []string
	beside  string
}

const whole, undumped, every = "the whole build", "Parquet and SQLite", "all of these"

var builds = []left{
	{undumped, []string{"nothing"}, whole},
	{"CSV, JSON, NDJSON", []string{"export"}, undumped},
	{"DCAT-US", []string{"dcat-us"}, undumped},
	{"DCAT-AP and its event stream", []string{"dcat"}, undumped},
	{every, []string{"dcat", "dcat-us", "export"}, whole},
}

// protocolsVerb measures which part of the processor time of a build goes into the documents of protocols:
// it builds with all formats and without some, and takes the least time of several runs each.
func protocolsVerb(flags *flag.FlagSet) func(context.Context) error {
	sizes := flags.String("n", "2000,10000", "numbers of entries")
	runs := flags.Int("runs", 2, "how often each build is made")
	dir := flags.String("dir", "", "folder on the disk to measure (default: a temporary one)")
	return func(ctx context.Context) error {
		list, err := numbers(*sizes)
		if err != nil {
			return err
		}
		folder, err := os.MkdirTemp(*dir, "assay-protocols-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		missed := 0
		for _, n := range list {
			share, err := protocols(ctx, folder, n, max(1, *runs))
			if err != nil {
				return err
			}
			if share >= protocolsGoal {
				missed++
			}
		}
		if missed > 0 {
			return fmt.Errorf("the documents of protocols take %.0f %% or more of the build at %d of %d sizes", 100*protocolsGoal, missed, len(list))
		}
		return nil
	}
}

// protocols measures one size and gives the share of all of them.
func protocols(ctx context.Context, dir string, n, runs int) (share float64, err error) {
	lines, db := filepath.Join(dir, "register.ndjson"), filepath.Join(dir, "register.db")
	if err := dropStore(db); err != nil {
		return 0, err
	}
	if _, err := child(ctx, nil, "generate", "-n", strconv.Itoa(n), "-out", lines); err != nil {
		return 0, err
	}
	if _, err := child(ctx, nil, "import", "-db", "sqlite:"+db, "-in", lines); err != nil {
		return 0, err
	}
	least := map[string]float64{}
	for range runs {
		for _, b := range slices.Concat([]left{{name: whole}}, builds) {
			cpu, err := leftOut(ctx, filepath.Join(dir, "site"), db, b.without)
			if err != nil {
				return 0, err
			}
			if before, ok := least[b.name]; !ok || cpu < before {
				least[b.name] = cpu
			}
		}
	}
	fmt.Printf("%d entries: %s takes %.1f s of processors\n", n, whole, least[whole])
	for _, b := range builds {
		cost := least[b.beside] - least[b.name]
		share = cost / least[whole]
		fmt.Printf("  %-30s %6.1f s  %5.1f %%\n", b.name, cost, 100*share)
	}
	if share <= 0 {
		return 0, fmt.Errorf("a build of %d entries with less took more: the machine was too busy to tell, give it rest or more -runs", n)
	}
	return share, nil
}

// leftOut builds anew without formats, and gives the processor time in seconds. Nothing is recorded, so that each build
// finds the same store.
func leftOut(ctx context.Context, site, db string, without []string) (float64, error) {
	if err := os.RemoveAll(site); err != nil {
		return 0, err
	}
	report, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer report.Close()
	u, err := child(ctx, report, "build", "-db", "sqlite:"+db, "-out", site, "-record=false", "-without", strings.Join(without, ","))
	return u.CPU, err
}

// remaining are the formats that are not among those.
func remaining(without []string) []render.Format {
	return slices.DeleteFunc(render.Formats(), func(f render.Format) bool { return slices.Contains(without, f.Name) })
}
