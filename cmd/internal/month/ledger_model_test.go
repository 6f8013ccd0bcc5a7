package month

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Ledger is what happened to a register, by simulated day: what was told of its
// entries and hosts, by the change feed, the webhook and mail, and how its entries
// stood in the end. Two rehearsals of one seed have the same ledger, whatever the
// store and whichever processes were killed.
type Ledger struct {
	days map[int][]string
}

// Note enters what happened on a day, which is counted from 1.
func (l *Ledger) Note(day int, format string, args ...any) {
	if l.days == nil {
		l.days = map[int][]string{}
	}
	l.days[day] = append(l.days[day], fmt.Sprintf(format, args...))
}

// Lines are all notes, by day and then by their text.
func (l *Ledger) Lines() []string {
	var list []string
	for _, day := range slices.Sorted(maps.Keys(l.days)) {
		for _, text := range slices.Sorted(slices.Values(l.days[day])) {
			list = append(list, fmt.Sprintf("day %02d %s", day, text))
		}
	}
	return list
}

func (l *Ledger) String() string { return strings.Join(l.Lines(), "\n") + "\n" }

// Unlike are the lines that one of two ledgers has more often than the other.
func Unlike(one, other *Ledger) []string {
	count := map[string]int{}
	for _, line := range one.Lines() {
		count[line]++
	}
	for _, line := range other.Lines() {
		count[line]--
	}
	var list []string
	for _, line := range slices.Sorted(maps.Keys(count)) {
		switch n := count[line]; {
		case n > 0:
			list = append(list, fmt.Sprintf("%s: %d more in the first", line, n))
		case n < 0:
			list = append(list, fmt.Sprintf("%s: %d more in the second", line, -n))
		}
	}
	return list
}
