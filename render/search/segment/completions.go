package segment

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// Kind says what a completion is.
type Kind byte

// Kinds of completions.
const (
	KindTitle       Kind = 't'
	KindInstitution Kind = 'i'
	KindTag         Kind = 'g'
)

// Completion is a text that a reader may mean by its beginning.
type Completion struct {
	Kind Kind
	// Text is shown, Key is what is compared: search.Key of it.
	Text, Key string
	// Weight orders completions of the same beginning, the heaviest first.
	Weight uint16
	// Count is how many entries the completion leads to.
	Count uint32
}

// Completions collects the completions of a segment. Those of the same kind
// and key are one, with the text and weight of the heaviest; their counts add
// up.
type Completions struct {
	list  []Completion
	known map[name]int32
}

// name tells completions apart.
type name struct {
	kind Kind
	key  string
}

// beginMax is how many words of a text a completion may begin at.
const beginMax = 8

// blockSize is how many beginnings share one maximum of their weights.
const blockSize = 64

// Add notes a completion; one without a key is left out.
func (c *Completions) Add(one Completion) {
	if one.Key == "" {
		return
	}
	if c.known == nil {
		c.known = map[name]int32{}
	}
	n := name{one.Kind, one.Key}
	i, ok := c.known[n]
	if !ok {
		c.known[n] = int32(len(c.list))
		c.list = append(c.list, one)
		return
	}
	have := &c.list[i]
	if one.Weight > have.Weight {
		have.Weight, have.Text = one.Weight, one.Text
	}
	have.Count += one.Count
}

// begin is one place where a completion may begin.
type begin struct {
	item   uint32
	at     uint16
	weight uint16
}

func (c *Completions) write(w *Writer) {
	if c == nil {
		c = &Completions{}
	}
	c.known = nil
	texts, keys := make([]string, len(c.list)), make([]string, len(c.list))
	for i := range c.list {
		texts[i], keys[i] = c.list[i].Text, c.list[i].Key
	}
	w.strings(texts)
	w.strings(keys)
	for i := range c.list {
		w.number(c.list[i].Count)
	}
	for i := range c.list {
		w.write([]byte{byte(c.list[i].Kind)})
	}
	begins := c.begins()
	w.number(uint32(len(begins)))
	buf := make([]byte, 0, 8*blockSize)
	var maxima []byte
	for block := range slices.Chunk(begins, blockSize) {
		buf = buf[:0]
		highest := uint16(0)
		for _, b := range block {
			buf = binary.LittleEndian.AppendUint32(buf, b.item)
			buf = binary.LittleEndian.AppendUint16(buf, b.at)
			buf = binary.LittleEndian.AppendUint16(buf, b.weight)
			highest = max(highest, b.weight)
		}
		w.write(buf)
		maxima = binary.LittleEndian.AppendUint16(maxima, highest)
	}
	w.write(maxima)
}

// begins are the places in the order of what follows them.
func (c *Completions) begins() []begin {
	var out []begin
	for i := range c.list {
		key := c.list[i].Key
		for at, n := 0, 0; n < beginMax && at < 1<<15; n++ {
			out = append(out, begin{uint32(i), uint16(at), c.list[i].Weight})
			next := strings.IndexByte(key[at:], ' ')
			if next < 0 {
				break
			}
			at += next + 1
		}
	}
	slices.SortFunc(out, func(a, b begin) int {
		return cmp.Or(strings.Compare(c.list[a.item].Key[a.at:], c.list[b.item].Key[b.at:]),
			cmp.Compare(a.item, b.item), cmp.Compare(a.at, b.at))
	})
	return out
}
