package badge

import (
	_ "embed" // widths.txt
	"strconv"
	"strings"
	"sync"
	"unicode"
)

//go:embed widths.txt
var widthsText string

// Widths of characters that the table does not hold, in hundredths of a pixel.
// For the size of the badge each counts as one "m", the widest letter of an
// alphabet, as in badge-maker. For the length of the text it counts as what
// fonts draw on average, as stretching would tear joined letters apart.
const (
	widest   = 1070
	fullEm   = 1100
	narrow   = 680
	joined   = 520
	unlisted = 0xffff
)

const (
	pageBits = 8
	pages    = 0x20000 >> pageBits
)

// table holds the measured widths by page of code points.
type table [pages]*[1 << pageBits]uint16

// widths reads the table once; the text is part of the program, so an error in
// it is a slip that TestWidthTable finds.
var widths = sync.OnceValue(func() *table {
	t := &table{}
	for line := range strings.Lines(widthsText) {
		if !strings.HasPrefix(line, "#") {
			t.read(strings.Fields(line))
		}
	}
	return t
})

// read takes one line: a code point and the widths from there on.
func (t *table) read(fields []string) {
	at, _ := strconv.ParseInt(fields[0], 16, 32)
	for _, f := range fields[1:] {
		count, width, repeated := strings.Cut(f, "*")
		n := 1
		if repeated {
			n, _ = strconv.Atoi(count)
		} else {
			width = count
		}
		w, _ := strconv.Atoi(width)
		for range n {
			t.set(rune(at), uint16(w))
			at++
		}
	}
}

func (t *table) set(r rune, w uint16) {
	page := t[r>>pageBits]
	if page == nil {
		page = new([1 << pageBits]uint16)
		for i := range page {
			page[i] = unlisted
		}
		t[r>>pageBits] = page
	}
	page[r&(1<<pageBits-1)] = w
}

func (t *table) of(r rune) uint16 {
	if r >= pages<<pageBits || t[r>>pageBits] == nil {
		return unlisted
	}
	return t[r>>pageBits][r&(1<<pageBits-1)]
}

// measure returns the room that a text takes in a badge, in whole pixels, and
// the length at which it is drawn. They differ only for scripts that the table
// does not hold. The room is rounded up to an odd number, which puts the middle
// of the text on the grid of the screen. The sum is one of floats, term by
// term, because badge-maker's is: whole hundredths would round differently.
func measure(text string) (room, length int) {
	t := widths()
	var boxed, drawn float64
	guessed := false
	for _, r := range text {
		w := t.of(r)
		if w != unlisted {
			boxed += float64(w) / 100
			drawn += float64(w) / 100
			continue
		}
		boxed += float64(widest) / 100
		drawn += float64(guess(r)) / 100
		guessed = true
	}
	room = odd(boxed)
	if !guessed {
		return room, room
	}
	return room, min(odd(drawn), room)
}

func odd(width float64) int {
	n := int(width)
	if n%2 == 0 {
		n++
	}
	return n
}

// guess is about what fonts draw for a character that was not measured.
func guess(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && unicode.In(r, unicode.Hangul, unicode.Han, unicode.So):
		return fullEm
	case unicode.In(r, unicode.Arabic, unicode.Syriac):
		return joined
	}
	return narrow
}
