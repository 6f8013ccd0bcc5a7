package verify

import (
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TestBring: times of a clock that ran ahead are put right before they are stored;
// those of the right clock, and a pause that a host asked for, stay.
func TestBring(t *testing.T) {
	now := time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)
	r := &Runner{Prober: NewProber(ProberOptions{}), Surveyor: noLook{}}
	at := now.Add
	for name, c := range map[string]struct{ is, want note }{
		"right": {
			note{probe: catalog.Probe{DueAt: at(DefaultCadence), SurveyAt: at(DefaultSurveyEvery)}, freeAt: at(maxRetryAfter), downSince: at(-time.Hour), failingAt: at(-time.Minute)},
			note{probe: catalog.Probe{DueAt: at(DefaultCadence), SurveyAt: at(DefaultSurveyEvery)}, freeAt: at(maxRetryAfter), downSince: at(-time.Hour), failingAt: at(-time.Minute)}},
		"ahead": {
			note{probe: catalog.Probe{DueAt: at(72 * time.Hour), SurveyAt: at(30 * 24 * time.Hour)}, freeAt: at(72 * time.Hour), downSince: at(71 * time.Hour), failingAt: at(71 * time.Hour)},
			note{probe: catalog.Probe{DueAt: now, SurveyAt: now}, freeAt: at(DefaultGap)}},
		"a failure to be confirmed": {
			note{probe: catalog.Probe{FailedAt: at(72 * time.Hour), DueAt: at(72*time.Hour + DefaultConfirm)}},
			note{probe: catalog.Probe{DueAt: now}}},
	} {
		got := c.is
		r.bring(&got, now)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// noLook is a surveyor that finds nothing.
type noLook struct{ Surveyor }
