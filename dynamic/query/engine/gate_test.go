package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/assay-register/assay/render/search"
)

// TestTheQueueIsBounded fills a gate and the queue before it: the next one is
// refused at once, and who leaves lets another one in.
func TestTheQueueIsBounded(t *testing.T) {
	t.Parallel()
	g := NewGate(1)
	leave, err := g.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, give := context.WithCancel(t.Context())
	var waiters sync.WaitGroup
	for range queueMax {
		waiters.Go(func() {
			if _, err := g.Enter(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("a waiter that gave up: %v", err)
			}
		})
	}
	for g.waiting.Load() < queueMax {
		runtime.Gosched()
	}
	if _, err := g.Enter(t.Context()); !errors.Is(err, errBusy) || errBusy.(busyError).Problem().Status != 503 {
		t.Errorf("beyond the queue: %v", err)
	}
	give()
	waiters.Wait()
	leave()
	if leave, err = g.Enter(t.Context()); err != nil {
		t.Fatalf("after all left: %v", err)
	}
	leave()
}

// worst are queries that cost much: beginnings of many words with many others
// taken away, and words that are written in no entry.
func worst() []string {
	list := []string{"a* b* c* d* e* " + strings.Repeat("-zq* ", 20)}
	for n := range 4 {
		words := make([]string, search.TermsMax)
		for i := range words {
			words[i] = fmt.Sprintf("qua%dnti%ctat", n, 'a'+i%26)
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

// TestManyWordsWaitForTheirTurn: a query with many words is expensive however
// few entries have them, and waits; one that nobody waits for ends.
func TestManyWordsWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	e := index(t, doc{title: "Water levels", lang: "en"})
	e.heavy = NewGate(1)
	leave, err := e.heavy.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if hits, err := e.Find(t.Context(), query(t, "water")); err != nil || len(hits.Documents) != 1 {
		t.Errorf("a cheap query waits: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range append(worst(), "water") {
		if _, err := e.Find(gone, query(t, q)); !errors.Is(err, context.Canceled) {
			t.Errorf("%.40q goes on for nobody: %v", q, err)
		}
	}
}

func query(t *testing.T, text string) *search.Query {
	t.Helper()
	q, err := search.Parse(text, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestManyTermsAreWeighedAlike finds the same by going through postings once as
// by going through the documents for each term.
func TestManyTermsAreWeighedAlike(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	docs := make([]doc, 300)
	for i := range docs {
		var words []string
		for range 12 {
			words = append(words, fmt.Sprintf("%c%c%d", 'a'+random.IntN(4), 'a'+random.IntN(20), random.IntN(30)))
		}
		docs[i] = doc{title: strings.Join(words, " "), lang: "en"}
	}
	e := index(t, docs...)
	m := &matcher{engine: e, ctx: t.Context(), scratch: &scratch{}}
	m.scratch.grow(e.segment.Documents())
	terms := query(t, "a*").Terms
	g := m.groups([]*search.Term{&terms[0]}, false)[0]
	if len(g.sources) <= manySources {
		t.Fatalf("only %d terms", len(g.sources))
	}
	s := m.scratch
	for d := range uint32(e.segment.Documents()) {
		s.documents = append(s.documents, d)
	}
	s.best = make([]float32, len(s.documents))
	const weight = float32(1.0 / 255)
	for _, src := range g.sources {
		m.overlay(src.term, weight*src.weight)
	}
	one := s.best
	s.best = make([]float32, len(s.documents))
	m.overlayAll(&g, weight)
	for i := range one {
		if one[i] != s.best[i] {
			t.Fatalf("document %d: %g and %g", i, one[i], s.best[i])
		}
		if s.dense[i] != 0 {
			t.Fatalf("document %d leaves a score behind", i)
		}
	}
}
