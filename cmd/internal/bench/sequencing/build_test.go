package sequencing

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
)

// share is what the log may take of a build's processor time, in percent.
const share = 3.0

func long() bool { return os.Getenv("ASSAY_SOAK") != "" }

func newKey(t *testing.T) translog.Key {
	t.Helper()
	private, err := translog.SeedKey("register.example/log", sha256.Sum256([]byte("sequencing")))
	if err != nil {
		t.Fatal(err)
	}
	list, err := translog.ParseKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// processor is the time that cores worked for this process while something ran.
func processor(t *testing.T, run func()) time.Duration {
	t.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	runtime.GC()
	began := used()
	run()
	return used() - began
}

// register is one with a site and a log.
type register struct {
	*buildtest.Register
	t   *testing.T
	key translog.Key
	dir string
}

func newRegister(t *testing.T, st catalog.Store, entries int) *register {
	t.Helper()
	r, err := buildtest.New(t.Context(), st, entries, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &register{r, t, newKey(t), filepath.Join(t.TempDir(), "site")}
}

func (r *register) build() {
	r.t.Helper()
	_, err := build.Build(r.t.Context(), r.Store, build.Options{Out: r.dir, At: r.Now, Now: time.Now(), Workers: 2, Keep: 3, KeepFor: time.Hour, Record: true, Program: "this one",
		Site: snapshot.Site{BaseURL: "https://register.example", Name: "Test", License: "CC0-1.0"}}, time.Now)
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *register) sequence() (report sequence.Report) {
	r.t.Helper()
	head, closed, err := sequence.Present(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	defer closed()
	report, err = sequence.Run(r.t.Context(), r.Store, filepath.Join(r.dir, translog.Dir), sequence.Options{Keys: []translog.Key{r.key}, Rubric: score.RubricVersion, Head: head, Now: r.Now})
	if err != nil {
		r.t.Fatal(err)
	}
	return report
}

// TestBuild: what happens after a build to log what it shows takes little of what the build
// takes, of the first one, of which every event is new, and of one after a day's changes. With
// ASSAY_SOAK=1 the register has 10,000 entries.
func TestBuild(t *testing.T) {
	entries := 400
	if long() {
		entries = 10_000
	}
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r := newRegister(t, st, entries)
	measure := func(name string, bound bool) {
		building := processor(t, r.build)
		var report sequence.Report
		logging := processor(t, func() { report = r.sequence() })
		percent := 100 * float64(logging) / float64(building)
		t.Logf("%s of %d entries: build %v, log of %d events in %d leaves %v: %.2f %%", name, entries, building, report.Events, report.Leaves, logging, percent)
		if report.Leaves == 0 {
			t.Errorf("%s: nothing was logged", name)
		}
		if bound && percent > share {
			t.Errorf("%s: logging takes %.2f %% of the build, want at most %v", name, percent, share)
		}
	}
	measure("first build", true)
	if err := r.Some(t.Context(), entries/100); err != nil {
		t.Fatal(err)
	}
	measure("after changes of one entry in a hundred", long())
	// What a build does that has nothing to do is no measure; the log must have nothing, too.
	if report := r.sequence(); report.Leaves != 0 || report.Events != 0 {
		t.Errorf("logged again: %+v", report)
	}
}
