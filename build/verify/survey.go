package verify

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

// Bounds of the closer looks at sources.
const (
	// DefaultSurveyEvery is how often a source that answers is looked at.
	DefaultSurveyEvery = 7 * 24 * time.Hour
	// SurveyTime bounds one look.
	SurveyTime = 45 * time.Second
	// SurveyBytes bounds each answer that is read for one.
	SurveyBytes = 6 << 20
	// surveysAtOnce is how many are under way at a time, because each holds a
	// sample in memory.
	surveysAtOnce = 2
	// surveyWait is how long a session waits for its turn, and one in
	// surveyShare of the slots is how many may wait at a time; a source that
	// finds no place is looked at after its next check.
	surveyWait  = SurveyTime
	surveyShare = 8
	// surveyAgain is the part of SurveyEvery after which a look that failed is
	// taken again.
	surveyAgain = 7
)

// SurveyFailed is the result of a look that could not be taken or stored.
const SurveyFailed = "failed"

// Surveyor takes a closer look at a source that has just answered: it samples
// its data, reads its description, and stores what it finds. client waits for
// the gates of the hosts and is good for this look only. The result is a word
// that is counted; SurveyFailed asks for an earlier repetition.
type Surveyor interface {
	Survey(ctx context.Context, client *http.Client, entryID string, o *Outcome) (result string)
}

// survey takes a closer look if it is due and there is room for it.
func (s *session) survey(ctx context.Context, n *note) {
	now := s.now()
	if s.Surveyor == nil || n.probe.SurveyAt.After(now) || n.check.RequiresAuth {
		return
	}
	if !s.surveyTurn(ctx) {
		return
	}
	defer func() { <-s.surveys }()
	looking, cancel := context.WithTimeout(ctx, SurveyTime)
	defer cancel()
	n.surveyed = s.Surveyor.Survey(looking, s.Prober.Client(looking, SurveyBytes), n.probe.EntryID, n.outcome)
	every := cmp.Or(s.SurveyEvery, DefaultSurveyEvery)
	if n.surveyed == SurveyFailed {
		every /= surveyAgain
	}
	if ctx.Err() != nil {
		n.surveyed = ""
		return
	}
	now = s.now()
	n.probe.SurveyAt = NextSlot(n.probe.EntryID, every, now)
	s.freeAt = later(s.freeAt, now.Add(s.Prober.Gap()))
}

// surveyTurn takes one of the places for a closer look. Sources of which many
// are due at once wait for each other, so that chance leaves none behind.
func (s *session) surveyTurn(ctx context.Context) bool {
	select {
	case s.surveys <- struct{}{}:
		return true
	default:
	}
	select {
	case s.waiting <- struct{}{}:
	default:
		return false
	}
	defer func() { <-s.waiting }()
	t := time.NewTimer(surveyWait)
	defer t.Stop()
	select {
	case s.surveys <- struct{}{}:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// Client is a client for one visit whose requests wait for the gates of the
// hosts, as those of probes do. limit bounds each answer in bytes.
func (p *Prober) Client(ctx context.Context, limit int64) *http.Client {
	return &http.Client{CheckRedirect: p.client.CheckRedirect,
		Transport: &visit{ctx: ctx, next: p.client.Transport, gates: p.gates, limit: limit}}
}
