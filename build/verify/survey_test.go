package verify_test

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
)

// surveyor notes which entries it was given, and asks each source once.
type surveyor struct {
	b *bubble

	mu     sync.Mutex
	inside int
	most   int
	looks  map[string]int
	result string
}

func (s *surveyor) Survey(ctx context.Context, client *http.Client, entryID string, o *verify.Outcome) string {
	s.mu.Lock()
	s.inside++
	s.most = max(s.most, s.inside)
	s.looks[entryID]++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.inside--
		s.mu.Unlock()
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.Check.URL, nil)
	if err != nil {
		s.b.Error(err)
		return verify.SurveyFailed
	}
	resp, err := client.Do(r)
	if err != nil {
		return verify.SurveyFailed
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return verify.SurveyFailed
	}
	return s.result
}

// TestSurveys: sources that answer openly are looked at once in each period, a
// look that failed is taken again earlier, and the servers never see two
// requests at once or within the gap.
func TestSurveys(t *testing.T) {
	inBubble(t, func(b *bubble) {
		s := &surveyor{b: b, looks: map[string]int{}, result: "first"}
		b.r.Surveyor, b.r.SurveyEvery, b.r.Concurrency = s, 4*cadence, 5000
		up, shut, down := b.first(healthy), b.first(credentials), b.first(missing)
		counted := 0
		for range 12 { // three periods
			sum := b.run(verify.Selection{})
			for _, n := range sum.Surveys {
				counted += n
			}
			time.Sleep(cadence)
		}
		if n := s.looks[up]; n < 3 || n > 4 {
			t.Errorf("%d looks in three periods", n)
		}
		if s.looks[shut] > 0 || s.looks[down] > 0 {
			t.Errorf("what is shut or down was looked at: %v", s.looks)
		}
		all := 0
		for _, n := range s.looks {
			all += n
		}
		if counted != all || s.most > 2 {
			t.Errorf("%d looks are counted of %d, %d at once", counted, all, s.most)
		}
		s.result, s.looks = verify.SurveyFailed, map[string]int{}
		for range 12 { // the first look of the three periods is due within one
			b.run(verify.Selection{})
			time.Sleep(cadence)
		}
		if n := s.looks[up]; n < 5 {
			t.Errorf("a look that fails was repeated %d times in three periods", n)
		}
	})
}
