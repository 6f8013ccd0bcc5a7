//go:build linux

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search/segment"
)

// Goals of a register that grows, as shares of a full build.
const (
	againGoal   = 0.03
	changedGoal = 0.06
	// liveGoal is how many documents of an entry move on a live day while its state stays: its
	// JSON, its checks and its page in each of four languages, once; liveChanges is the share of the
	// entries whose state changes on it.
	liveGoal    = 6
	liveChanges = "0.005"
)

// step is a part of a register's life and what it took.
type step struct {
	Name    string `json:"name"`
	Entries int    `json:"entries"`
	usage
	// Written are the documents that were made anew, of Documents.
	Written   int64 `json:"written"`
	Documents int64 `json:"documents"`
	// Moved are the documents that the snapshot before does not have under their route.
	Moved int64 `json:"moved"`
	// Kinds are these by their kind.
	Kinds map[string]int64 `json:"kinds,omitempty"`
	// Bytes and Files are those of the folder of snapshots afterwards.
	Bytes int64 `json:"bytes"`
	Files int   `json:"files"`
	// Share is the part of the time of the full build, 0 for an import.
	Share float64 `json:"share"`
	// Served tells how long answers took, of a step that serves.
	Served *served `json:"served,omitempty"`
	// Index are the seconds of a build's search index, which is made beside other stages.
	Index float64 `json:"index,omitempty"`
}

// scaleVerb measures what a register costs that grows: importing it, building its
// snapshot file, building again when nothing, little or the day changed, its search index,
// publishing the file, and answering searches from it.
func scaleVerb(flags *flag.FlagSet) func(context.Context) error {
	sizes := flags.String("n", "10000,100000", "numbers of entries, in order")
	dir := flags.String("dir", "", "folder on the disk to measure (default: a temporary one)")
	seed := flags.Uint64("seed", 1, "seed of the register")
	out := flags.String("out", "", "write the figures as JSON to this file")
	return func(ctx context.Context) error {
		list, err := numbers(*sizes)
		if err != nil {
			return err
		}
		folder, err := os.MkdirTemp(*dir, "assay-scale-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		var all []step
		for _, n := range list {
			steps, err := scale(ctx, folder, n, *seed)
			if err != nil {
				return err
			}
			all = append(all, steps...)
		}
		printSteps(all)
		if *out == "" {
			return nil
		}
		b, err := json.MarshalIndent(all, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(*out, append(b, '\n'), 0o644)
	}
}

// scale lives through one size.
func scale(ctx context.Context, dir string, n int, seed uint64) ([]step, error) {
	lines, db, site := filepath.Join(dir, "register.ndjson"), filepath.Join(dir, "register.db"), filepath.Join(dir, "site")
	if err := dropStore(db); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(site); err != nil {
		return nil, err
	}
	say("%d entries: making the register", n)
	if _, err := child(ctx, nil, "generate", "-n", strconv.Itoa(n), "-seed", strconv.FormatUint(seed, 10), "-out", lines); err != nil {
		return nil, err
	}
	store, file := "sqlite:"+db, []string{"build", "-db", "sqlite:" + db, "-out", site}
	first, err := live(ctx, site, step{Name: "import", Entries: n}, "import", "-db", store, "-in", lines)
	if err != nil {
		return nil, err
	}
	var index step
	steps := []step{first}
	for _, s := range []struct {
		name   string
		before []string
		late   string
	}{
		{"build", nil, "0s"}, {"again, nothing changed", nil, "0s"},
		{"again, 1 % changed", []string{"change", "-db", store, "-share", "0.01"}, "1h"},
		{"the next day, nothing changed", nil, "24h"},
	} {
		if s.before != nil {
			if _, err := child(ctx, nil, s.before...); err != nil {
				return nil, err
			}
		}
		next, err := live(ctx, site, step{Name: s.name, Entries: n}, append(file, "-late", s.late)...)
		if err != nil {
			return nil, err
		}
		steps = append(steps, next)
		if s.name == "build" {
			if index, err = searchIndexOf(site, next); err != nil {
				return nil, err
			}
		}
	}
	steps = append(steps, index)
	day, err := liveDay(ctx, site, store, n, file)
	if err != nil {
		return nil, err
	}
	steps = append(steps, day)
	out, err := outside(ctx, dir, site, lines, n)
	if err != nil {
		return nil, err
	}
	steps = append(steps, out...)
	for i := 1; i < len(steps); i++ {
		steps[i].Share = steps[i].Wall / steps[1].Wall
	}
	return steps, nil
}

// searchIndexOf is what the search index of the present snapshot file took, beside other work of
// the build that made it.
func searchIndexOf(site string, built step) (step, error) {
	s := step{Name: "of it, the search index", Entries: built.Entries, Files: 1}
	file, err := output.OpenPresent(site)
	if err != nil {
		return s, err
	}
	defer file.Close()
	s.Wall, s.PeakMiB, s.Load = built.Index, built.PeakMiB, built.Load
	s.Bytes = file.Pack.Section(segment.File).Size()
	return s, nil
}

// outside publishes the present snapshot file and answers searches from it.
func outside(ctx context.Context, dir, site, lines string, n int) ([]step, error) {
	to := filepath.Join(dir, "published")
	defer os.RemoveAll(to)
	published := step{Name: "publish the file", Entries: n}
	var err error
	if published.usage, err = child(ctx, nil, "publish", "-site", site, "-to", to); err != nil {
		return nil, err
	}
	if published.Files, published.Bytes, err = weigh(to); err != nil {
		return nil, err
	}
	answers, err := os.CreateTemp(dir, "served-")
	if err != nil {
		return nil, err
	}
	defer answers.Close()
	serving := step{Name: "serve, 1,000 searches", Entries: n, Served: &served{}}
	if serving.usage, err = child(ctx, answers, "serve", "-site", site, "-in", lines); err != nil {
		return nil, err
	}
	if _, err := answers.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	err = json.NewDecoder(answers).Decode(serving.Served)
	serving.Files, serving.Bytes = published.Files, published.Bytes
	return []step{published, serving}, err
}

// liveDay checks every entry in four rounds and builds after each, when a day of checks has
// given each its rhythm; the state of some changes. What moves is summed over the day.
func liveDay(ctx context.Context, site, store string, n int, file []string) (step, error) {
	const rounds = 4
	var sum step
	for k := range 2 * rounds {
		begins := 48*time.Hour + time.Duration(k)*verify.DefaultCadence
		down := "0"
		if k >= rounds-1 { // the third failure in a row, on the day, changes the state
			down = liveChanges
		}
		if _, err := child(ctx, nil, "check", "-db", store, "-late", begins.String(), "-down", down); err != nil {
			return sum, err
		}
		if k < rounds-1 {
			continue
		}
		s, err := live(ctx, site, step{Name: "a live day, four builds", Entries: n}, append(slices.Clone(file), "-late", (begins+verify.DefaultCadence).String())...)
		if err != nil || k == rounds-1 {
			if err != nil {
				return s, err
			}
			continue
		}
		s.Wall, s.CPU, s.Written, s.Moved, s.PeakMiB = s.Wall+sum.Wall, s.CPU+sum.CPU, s.Written+sum.Written, s.Moved+sum.Moved, max(s.PeakMiB, sum.PeakMiB)
		if sum.Kinds == nil {
			sum.Kinds = map[string]int64{}
		}
		for kind, n := range s.Kinds {
			sum.Kinds[kind] += n
		}
		s.Kinds = sum.Kinds
		sum = s
	}
	return sum, nil
}

// live takes one step, a program of its own.
func live(ctx context.Context, site string, s step, args ...string) (step, error) {
	settle()
	say("%d entries: %s", s.Entries, s.Name)
	report, err := os.CreateTemp("", "assay-scale-*.json")
	if err != nil {
		return s, err
	}
	defer os.Remove(report.Name())
	defer report.Close()
	var before *output.SnapshotFile
	if args[0] == "build" {
		if before, err = output.OpenPresent(site); err != nil {
			return s, err
		}
		if before != nil {
			defer before.Close()
		}
	}
	if s.usage, err = child(ctx, report, args...); err != nil {
		return s, err
	}
	if before != nil {
		if s.Kinds, err = moved(before, site); err != nil {
			return s, fmt.Errorf("%s: %w", s.Name, err)
		}
		for kind, n := range s.Kinds {
			s.Moved += n
			if n >= int64(s.Entries)/20 {
				say("    %d others of %s", n, kind)
			}
		}
	}
	say("    %.2f s, %.2f s of processors, %.0f MiB (load %.1f)", s.Wall, s.CPU, s.PeakMiB, s.Load)
	if args[0] == "build" {
		var r build.Report
		b, err := os.ReadFile(report.Name())
		if err == nil {
			err = json.Unmarshal(b, &r)
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", s.Name, err)
		}
		for _, part := range r.Stages {
			say("    %s %.2f s", part.Name, part.Seconds)
		}
		s.Index = r.SearchIndex
		s.Written, s.Documents = r.Written, r.Written+r.Unchanged
	}
	s.Files, s.Bytes, err = weigh(site)
	return s, err
}

// moved counts the documents of the present snapshot file of a folder that are others than
// in the one before, or new, by their kind: the kind of the group, and the route with a star for
// what names an entry, a page or a snapshot.
func moved(before *output.SnapshotFile, site string) (kinds map[string]int64, err error) {
	after, err := output.OpenPresent(site)
	if err != nil {
		return nil, err
	}
	defer after.Close()
	kinds = map[string]int64{}
	was, key := map[string][32]byte{}, ""
	err = after.Pack.Each(func(f *pack.Found) error {
		if f.Key() != key {
			key = f.Key()
			clear(was)
			_, list, err := before.Pack.Documents(key)
			if err != nil {
				return err
			}
			for i := range list {
				was[list[i].Route] = list[i].Sum
			}
		}
		if was[f.Document.Route] != f.Document.Sum && strings.HasPrefix(f.Document.Route, "/") {
			group, _, _ := strings.Cut(key, " ")
			kinds[group+" "+named.ReplaceAllString(f.Document.Route, "*")]++
		}
		return nil
	})
	return kinds, err
}

// named are ids, slugs, numbers and names of snapshots in a route.
var named = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]+|[a-z0-9]+(?:-[a-z0-9]+)+|\d+`)

// weigh counts the files of a folder, and their bytes.
func weigh(dir string) (files int, size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files, size = files+1, size+info.Size()
		}
		return err
	})
	return files, size, err
}

func printSteps(all []step) {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "entries\tstep\ts\tCPU s\tMiB\tmade anew\tothers\tdocuments\tfiles\tMB\tkB an entry\tof the build\tgoal\t")
	for _, s := range all {
		fmt.Fprintf(t, "%d\t%s\t%.2f\t%.2f\t%.0f\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%s\t%s\t\n", s.Entries, s.Name, s.Wall, s.CPU, s.PeakMiB, s.Written, s.Moved, s.Documents,
			s.Files, float64(s.Bytes)/1e6, float64(s.Bytes)/1e3/float64(s.Entries), percent(s.Share), scaleVerdict(&s))
	}
	t.Flush()
}

func percent(share float64) string {
	if share == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

func scaleVerdict(s *step) string {
	within := func(value, goal float64) string {
		if value <= goal {
			return "met"
		}
		return fmt.Sprintf("≤ %g %%: NOT MET", 100*goal)
	}
	switch s.Name {
	case "again, nothing changed":
		return within(s.Share, againGoal)
	case "again, 1 % changed":
		return within(s.Share, changedGoal)
	case "the next day, nothing changed":
		return "documents " + within(float64(s.Moved)/float64(s.Documents), 0.01)
	case "serve, 1,000 searches":
		return fmt.Sprintf("half within %.1f ms, 95 %% within %.1f", s.Served.Median, s.Served.P95) + ", " + map[bool]string{true: "met", false: "≤ 60 ms: NOT MET"}[s.Served.P95 <= 60]
	case "a live day, four builds":
		own := int64(0)
		for kind, n := range s.Kinds {
			if strings.HasPrefix(kind, "entry ") || strings.HasPrefix(kind, "linked ") && strings.Contains(kind, "/entr") {
				own += n
			}
		}
		return fmt.Sprintf("%.2f of an entry itself, about %d", float64(own)/float64(s.Entries), liveGoal)
	}
	return ""
}
