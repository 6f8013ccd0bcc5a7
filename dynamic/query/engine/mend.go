package engine

import (
	"runtime"
	"strings"
)

// Mend replaces the words of a folded text that no document has, and that begin
// none, by the nearest terms.
func (e *Engine) Mend(text string) string {
	defer runtime.KeepAlive(e.segment)
	words := strings.Fields(text)
	for i, w := range words {
		if from, to := e.segment.Range(w); from < to {
			continue
		}
		f := forms{m: &matcher{engine: e}, weights: map[int]float32{}}
		if t := f.near(w); t >= 0 {
			words[i] = e.segment.Term(t)
		}
	}
	return strings.Join(words, " ")
}
