package okf

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/render/catalog"
)

// TestShuffledInputGivesTheSameBytes builds the same rows in other orders.
func TestShuffledInputGivesTheSameBytes(t *testing.T) {
	want := render(t, freeze(t, noon, rows()...))
	for seed := range uint64(5) {
		list := rows()
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		sameTree(t, want, render(t, freeze(t, noon, list...)))
	}
}

func sameTree(t *testing.T, want, got fstest.MapFS) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for name, f := range want {
		if got[name] == nil || !bytes.Equal(f.Data, got[name].Data) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestChecksChangeNothing judges the same sources on later days with more
// checks, as a build would see them: scores recorded by the build before.
func TestChecksChangeNothing(t *testing.T) {
	recorded := func(day string, mqa float64) catalog.ScoreDay {
		return catalog.ScoreDay{Day: day, MQA: mqa, Trust: mqa}
	}
	first := rows()
	for _, r := range first {
		today := recorded("2026-11-20", 61.5)
		r.Today = &today
	}
	want := render(t, freeze(t, noon, first...))
	for days := range 40 {
		later := rows()
		for i, r := range later {
			r.Scores = []catalog.ScoreDay{recorded("2026-11-05", 10), recorded("2026-11-20", 61.5), recorded("2026-11-21", float64(days))}
			at := noon.AddDate(0, 0, days)
			r.State = &catalog.CheckState{State: catalog.StateFailing, LastCheckedAt: at, UpdatedAt: at}
			r.Checks = []catalog.Check{{At: at, Up: i%2 == 0, LatencyMS: days}}
			r.Entry.UpdatedAt = at
			if r.Entry.MCP != nil {
				r.Entry.MCP.HandshakeAt = at
			}
		}
		sameTree(t, want, render(t, freeze(t, noon.AddDate(0, 0, 1+days), later...)))
	}
}

func TestVerdictOfTheFirstRecordedDay(t *testing.T) {
	r := rows()[0]
	changed := r.Entry.ContentChangedAt
	for _, c := range []struct {
		name   string
		scores []catalog.ScoreDay
		today  *catalog.ScoreDay
		day    string
	}{
		{"nothing recorded", nil, nil, "2026-11-20"},
		{"only before", []catalog.ScoreDay{{Day: "2026-11-09"}}, nil, "2026-11-20"},
		{"the day itself", []catalog.ScoreDay{{Day: "2026-11-09"}, {Day: "2026-11-10"}, {Day: "2026-11-12"}}, nil, "2026-11-10"},
		{"a day after", []catalog.ScoreDay{{Day: "2026-11-12"}, {Day: "2026-11-13"}}, &catalog.ScoreDay{Day: "2026-11-20"}, "2026-11-12"},
	} {
		r.Scores, r.Today = c.scores, c.today
		frame := freezeFrame(noon)
		if v := verdictOf(frame.Score(r, "x"), changed); v.day != c.day {
			t.Errorf("%s: %s, want %s", c.name, v.day, c.day)
		}
	}
}
