package build_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// recorded are the options of builds that follow each other.
func recorded(folder string, at time.Time) build.Options {
	o := options(folder, at)
	o.Program, o.Record = "test", true
	return o
}

// beside are the options of a build in another folder that renders everything anew; of
// the folder of o it knows the present file, because the feed of DCAT-AP goes on from it.
func beside(t *testing.T, o build.Options) build.Options {
	t.Helper()
	full := options(filepath.Join(tempDir(t), "full"), o.At)
	full.Full = true
	id, err := output.Present(o.Out)
	if err != nil || id == "" {
		return full
	}
	for _, name := range []string{snapshot.FileOf(id), snapshot.PresentFile} {
		body, err := os.ReadFile(filepath.Join(o.Out, name))
		if err == nil {
			err = errors.Join(os.MkdirAll(full.Out, 0o755), os.WriteFile(filepath.Join(full.Out, name), body, 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return full
}

// likeFromNothing builds, and from nothing beside it: the files are equal to the byte.
func likeFromNothing(t *testing.T, what string, st catalog.Store, o build.Options) build.Report {
	t.Helper()
	report := damagedLikeFromNothing(t, what, st, o)
	if len(report.Problems) > 0 {
		t.Fatalf("%s: %q", what, report.Problems)
	}
	return report
}

// damagedLikeFromNothing is the same where a build may tell problems of what it finds.
func damagedLikeFromNothing(t *testing.T, what string, st catalog.Store, o build.Options) build.Report {
	t.Helper()
	full := beside(t, o)
	report, err := build.Build(t.Context(), st, o, time.Now)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	_, got := openPack(t, o.Out)
	mustBuild(t, st, full)
	if _, want := openPack(t, full.Out); !bytes.Equal(got, want) {
		t.Errorf("%s: the file is another one than from nothing", what)
	}
	return report
}

// TestRecordsAreWhatRenderingGives changes the register in every way: what is taken from
// the records of the build before is what rendering it would give, and what others show of
// an entry moves them, too.
func TestRecordsAreWhatRenderingGives(t *testing.T) {
	t.Parallel()
	r := register(t, 26)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	first := likeFromNothing(t, "first", r.Store, o)
	for _, kind := range buildtest.Kinds() {
		mustChange(t, r, kind)
		o.At = r.Now
		if report := likeFromNothing(t, string(kind), r.Store, o); report.Unchanged < first.Written/3 {
			t.Errorf("%s: only %d of %d documents were kept", kind, report.Unchanged, first.Written)
		}
	}
	entries := visible(t, r)
	twin, other := entries[0], entries[1]
	put := func(tx catalog.Tx) error {
		e := twin
		return tx.Entries().Put(t.Context(), catalog.Write{Entry: &e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: r.Now}}})
	}
	for _, step := range []struct {
		what   string
		change func(tx catalog.Tx) error
	}{
		{"an institution", func(tx catalog.Tx) error {
			list, err := tx.Institutions().All(t.Context())
			if err != nil {
				return err
			}
			for i := range list {
				list[i].NameEn += " by another name"
			}
			return tx.Institutions().Put(t.Context(), list...)
		}},
		{"an equal name", func(tx catalog.Tx) error {
			twin.Name, twin.NameEn, twin.UpdatedAt, twin.Type = other.Name, other.NameEn, r.Now, other.Type
			twin.API, twin.Dataset, twin.MCP, twin.InstitutionID, twin.PublisherName, twin.CountryCode = other.API, other.Dataset, other.MCP, other.InstitutionID, other.PublisherName, other.CountryCode
			kind, rest, _ := strings.Cut(other.MatchKey, "|")
			_, name, _ := strings.Cut(rest, "|")
			twin.MatchKey = kind + "|elsewhere|" + name
			return put(tx)
		}},
		{"what tells them apart", func(tx catalog.Tx) error {
			twin.AlternativeTitles = []string{"What nobody else is called"}
			return put(tx)
		}},
	} {
		if err := r.Store.Update(t.Context(), step.change); err != nil {
			t.Fatal(err)
		}
		likeFromNothing(t, step.what, r.Store, o)
	}
	o.At = o.At.Add(24 * time.Hour)
	likeFromNothing(t, "the next day", r.Store, o)
}

// TestDamagedRecords are left out, and a build without them is as good.
func TestDamagedRecords(t *testing.T) {
	t.Parallel()
	r := register(t, 12)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	mustBuild(t, r.Store, o)
	for what, damage := range map[string]struct {
		file  string
		spoil func(b []byte) []byte
	}{
		"cut":                                   {"records", func(b []byte) []byte { return b[:len(b)/2] }},
		"a flipped bit":                         {"records", func(b []byte) []byte { b[len(b)/2] ^= 4; return b }},
		"empty":                                 {"records", func([]byte) []byte { return nil }},
		"bodies cut":                            {"bodies", func(b []byte) []byte { return b[:len(b)/2] }},
		"bodies of zeros":                       {"bodies", func(b []byte) []byte { clear(b[64:]); return b }},
		"bodies of others":                      {"bodies", func(b []byte) []byte { b[16] ^= 1; return b }},
		"bodies that are gone":                  {"bodies", nil},
		"bodies with what a killed build added": {"bodies", func(b []byte) []byte { return append(b, b...) }},
	} {
		path := filepath.Join(o.Out, ".assay", damage.file)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if damage.spoil == nil {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, damage.spoil(b), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		mustChange(t, r, buildtest.Edit)
		o.At = r.Now
		report := damagedLikeFromNothing(t, what, r.Store, o)
		damaged := what == "bodies cut" || what == "bodies of zeros"
		if told := strings.Contains(strings.Join(report.Problems, "\n"), "cannot be read"); told != damaged {
			t.Errorf("%s: %q", what, report.Problems)
		}
	}
}

// TestBodiesDoNotPileUp: what entries were before goes once it is most of what is kept.
func TestBodiesDoNotPileUp(t *testing.T) {
	t.Parallel()
	r := register(t, 6)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	mustBuild(t, r.Store, o)
	size := func() int64 {
		info, err := os.Stat(filepath.Join(o.Out, ".assay", "bodies"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	first, grown := size(), false
	for range 24 {
		mustChange(t, r, buildtest.Edit)
		o.At = r.Now
		before := size()
		mustBuild(t, r.Store, o)
		grown = grown || size() > before
		if size() > 3*first {
			t.Fatalf("%d bytes, %d at first", size(), first)
		}
	}
	if !grown {
		t.Error("no build added to the file")
	}
	likeFromNothing(t, "many edits", r.Store, o)
}

// TestChecksThatNobodySees checks every entry twice on a day: those whose pages do not move are not
// rendered for the second round, and the file is the one that rendering them would give.
func TestChecksThatNobodySees(t *testing.T) {
	t.Parallel()
	r := register(t, 30)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	day := r.Now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	failing, err := r.Pick(t.Context(), catalog.StatusActive)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		from := day.Add(time.Duration(i) * verify.DefaultCadence)
		round(t, r, from, failing.ID)
		if i < 4 { // until every entry has its rhythm
			continue
		}
		o.At = from.Add(verify.DefaultCadence - time.Second)
		report := likeFromNothing(t, from.Format(time.RFC3339), r.Store, o)
		if i > 4 && (report.Rendered == 0 || report.Rendered > report.Entries*2/3) {
			t.Errorf("%s: %d of %d entries were rendered", from.Format(time.RFC3339), report.Rendered, report.Entries)
		}
	}
}

// TestDamagedFragments: wherever a bit of what is kept is another one, such as in a fragment that is read only when the
// documents about all entries are made, the file is the one from nothing, and what was read of it is told.
func TestDamagedFragments(t *testing.T) {
	t.Parallel()
	r := register(t, 12)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	mustBuild(t, r.Store, o)
	const places = 8
	told := 0
	for k := range places {
		path := filepath.Join(o.Out, ".assay", "bodies")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := len(b) * (2*k + 1) / (2 * places)
		b[at] ^= 4
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		mustChange(t, r, buildtest.Edit)
		o.At = r.Now
		report := damagedLikeFromNothing(t, fmt.Sprintf("byte %d of %d", at, len(b)), r.Store, o)
		if strings.Contains(strings.Join(report.Problems, "\n"), "cannot be read") {
			told++
		}
	}
	if told < places/2 {
		t.Errorf("%d of %d were seen", told, places)
	}
}
