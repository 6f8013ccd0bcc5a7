//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Goals of the two batches.
const (
	// buildGoal is how many times the time of the plain program a build may take.
	buildGoal = 1.5
	// importGoal is the share of the plain program's rate that an import reaches.
	importGoal = 0.5
	// memoryGoal is the peak memory of a build, in MiB.
	memoryGoal = 700
)

// config says what to measure.
type config struct {
	sizes        []int
	runs, checks int
	seed         uint64
	dir, out, pg string
	// sites is the folder for the sites, renew the command that empties it.
	sites, renew    string
	builds, imports bool
	// again adds a build after one change.
	again bool
}

// comparison is one program of ours against the plain one.
type comparison struct {
	Name  string  `json:"name"`
	N     int     `json:"entries"`
	Ours  []usage `json:"ours"`
	Plain []usage `json:"plain,omitempty"`
}

// result is what the runner writes.
type result struct {
	At          time.Time        `json:"at"`
	Go          string           `json:"go"`
	CPUs        int              `json:"cpus"`
	Checks      int              `json:"checks_per_entry"`
	Sites       map[int]treeSums `json:"sites"`
	Comparisons []comparison     `json:"comparisons"`
}

func runVerb(flags *flag.FlagSet) func(context.Context) error {
	c := config{}
	sizes := flags.String("n", "10000,100000", "numbers of entries, in order")
	only := flags.String("only", "build,import", "what to measure")
	flags.IntVar(&c.runs, "runs", 5, "runs of each program; the table shows their medians")
	flags.IntVar(&c.checks, "checks", 0, "checks per entry of the register that is built")
	flags.Uint64Var(&c.seed, "seed", 1, "seed of the register")
	flags.StringVar(&c.dir, "dir", "", "folder on the disk to measure (default: a temporary one)")
	flags.StringVar(&c.sites, "sites", "", "folder for the sites (default: that of -dir)")
	flags.BoolVar(&c.again, "again", true, "build once more after one entry changed, which reads the whole site")
	flags.StringVar(&c.renew, "renew", "", "command that empties -sites faster than by removing files, such as one that makes a new file system there")
	flags.StringVar(&c.out, "out", "", "write the figures as JSON to this file")
	flags.StringVar(&c.pg, "pg", "", "URL of a PostgreSQL database to measure the import in too; its schema public is DROPPED")
	return func(ctx context.Context) error {
		var err error
		if c.sizes, err = numbers(*sizes); err != nil {
			return err
		}
		c.builds, c.imports = strings.Contains(*only, "build"), strings.Contains(*only, "import")
		dir, err := os.MkdirTemp(c.dir, "assay-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		c.dir = dir
		if c.sites == "" {
			c.sites = dir
		}
		return c.run(ctx)
	}
}

// numbers reads numbers of entries.
func numbers(sizes string) (list []int, err error) {
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-n %s: write numbers such as 10000,100000", sizes)
		}
		list = append(list, n)
	}
	return list, nil
}

func (c *config) run(ctx context.Context) error {
	if err := c.room(); err != nil {
		return err
	}
	r := &result{At: time.Now().UTC(), Go: runtime.Version(), CPUs: runtime.NumCPU(), Checks: c.checks, Sites: map[int]treeSums{}}
	for _, n := range c.sizes {
		if err := c.size(ctx, n, r); err != nil {
			return err
		}
	}
	table(os.Stdout, r)
	if c.out == "" {
		return nil
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(c.out, append(b, '\n'), 0o644)
}

// room makes sure that the disk can take the largest site.
func (c *config) room() error {
	free, err := freeAt(c.sites)
	if err != nil {
		return err
	}
	if need := int64(slices.Max(c.sizes)) * sitePerEntry; free < need {
		return fmt.Errorf("%s has %d MiB free, %d entries need %d MiB: choose another folder with -sites",
			c.sites, free>>20, slices.Max(c.sizes), need>>20)
	}
	return nil
}

func (c *config) path(name string) string { return filepath.Join(c.dir, name) }

// size measures one size of register.
func (c *config) size(ctx context.Context, n int, r *result) error {
	lines, base := c.path("register.ndjson"), c.path("base.db")
	say("%d entries: making the register", n)
	if _, err := child(ctx, nil, "generate", "-n", strconv.Itoa(n), "-seed", strconv.FormatUint(c.seed, 10), "-out", lines); err != nil {
		return err
	}
	if c.imports {
		stores := []string{"sqlite:" + c.path("import.db")}
		if c.pg != "" {
			stores = append(stores, c.pg)
		}
		for _, db := range stores {
			if err := c.measureImport(ctx, n, db, lines, r); err != nil {
				return err
			}
		}
	}
	if !c.builds {
		return nil
	}
	if c.checks > 0 {
		if _, err := child(ctx, nil, "generate", "-n", strconv.Itoa(n), "-checks", strconv.Itoa(c.checks), "-out", lines); err != nil {
			return err
		}
	}
	if err := dropStore(base); err != nil {
		return err
	}
	if _, err := child(ctx, nil, "import", "-db", "sqlite:"+base, "-in", lines); err != nil {
		return err
	}
	return c.measureBuild(ctx, n, base, r)
}

// measureImport lets the import and the plain inserter take turns.
func (c *config) measureImport(ctx context.Context, n int, db, lines string, r *result) error {
	name, _, _ := strings.Cut(db, ":")
	rows := c.path("rows.dump")
	fresh := func() error {
		if path, isFile := strings.CutPrefix(db, "sqlite:"); isFile {
			return dropStore(path)
		}
		return wipe(ctx, db)
	}
	if err := fresh(); err != nil {
		return err
	}
	if _, err := child(ctx, nil, "import", "-db", db, "-in", lines); err != nil {
		return err
	}
	if _, err := child(ctx, nil, "dump", "-db", db, "-out", rows); err != nil {
		return err
	}
	x := comparison{Name: "import " + name, N: n}
	err := c.turns(x.Name, n, func(ours bool) (err error) {
		if err := fresh(); err != nil {
			return err
		}
		settle()
		if ours {
			return keep(&x.Ours)(child(ctx, nil, "import", "-db", db, "-in", lines))
		}
		return keep(&x.Plain)(child(ctx, nil, "insert", "-db", db, "-in", rows))
	})
	r.Comparisons = append(r.Comparisons, x)
	return errors.Join(err, fresh(), os.Remove(rows))
}

// measureBuild lets a build from scratch and the plain writer take turns. After
// the first build one entry is changed and the site is built again.
func (c *config) measureBuild(ctx context.Context, n int, base string, r *result) error {
	plan, db := c.path("site.plan"), c.path("build.db")
	sites := c.sitesOf(ctx, n)
	defer func() { _, _ = os.Remove(plan), os.Remove(bytesOf(plan)) }()
	full, again := comparison{Name: "build", N: n}, comparison{Name: "build after one change", N: n}
	err := c.turns("build", n, func(ours bool) error {
		site, done, err := sites.next()
		if err != nil {
			return err
		}
		defer done()
		settle()
		if !ours {
			return keep(&full.Plain)(child(ctx, nil, "write", "-plan", plan, "-out", site))
		}
		if err := copyStore(base, db); err != nil {
			return err
		}
		settle()
		if err := keep(&full.Ours)(child(ctx, nil, "build", "-db", "sqlite:"+db, "-out", site)); err != nil {
			return err
		}
		if len(full.Ours) > 1 {
			return nil
		}
		if r.Sites[n], err = c.plan(ctx, site, plan); err != nil || !c.again {
			return err
		}
		if _, err := child(ctx, nil, "change", "-db", "sqlite:"+db); err != nil {
			return err
		}
		settle()
		return keep(&again.Ours)(child(ctx, nil, "build", "-db", "sqlite:"+db, "-out", site, "-late", "1h"))
	})
	r.Comparisons = append(r.Comparisons, full, again)
	sites.clean()
	return errors.Join(err, dropStore(db))
}

func (c *config) plan(ctx context.Context, site, plan string) (sums treeSums, err error) {
	f, err := os.Create(c.path("sums.json"))
	if err != nil {
		return sums, err
	}
	defer f.Close()
	if _, err := child(ctx, f, "plan", "-site", site, "-out", plan); err != nil {
		return sums, err
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		return sums, err
	}
	return sums, json.Unmarshal(b, &sums)
}

// turns calls do for ours and the plain program, alternating also who is
// first; the very first one is ours, since the plain one repeats it.
func (c *config) turns(name string, n int, do func(ours bool) error) error {
	for i := range c.runs {
		for _, ours := range []bool{i%2 == 0, i%2 == 1} {
			say("%d entries: %s, run %d of %d, %s", n, name, i+1, c.runs, [...]string{"plain", "ours"}[bit(ours)])
			if err := do(ours); err != nil {
				return err
			}
		}
	}
	return nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func keep(list *[]usage) func(usage, error) error {
	return func(u usage, err error) error {
		if err == nil {
			*list = append(*list, u)
			say("    %.2f s, %.2f s of processors, %.0f MiB (load %.1f)", u.Wall, u.CPU, u.PeakMiB, u.Load)
		}
		return err
	}
}

// settle lets the disk finish what was written before, so that the next
// program does not pay for it.
func settle() { syscall.Sync() }

func copyStore(from, to string) error {
	if err := dropStore(to); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func dropStore(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
