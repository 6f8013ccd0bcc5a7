package build

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/assay-register/assay/render/catalog"
)

// append writes a claim: a build writes and reads one for each entry, so they are no JSON.
func (c *claim) append(b []byte) []byte {
	for _, s := range []string{c.Institution, c.Licence, c.Source, c.Scores.EntryID, c.Scores.Day} {
		b = appendPart(b, []byte(s))
	}
	for _, n := range []uint64{c.Refs, c.Name, c.Seen, c.Shown, c.Days, math.Float64bits(c.Scores.MQA), math.Float64bits(c.Scores.Trust)} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	for _, n := range []int{c.Day, c.Until, c.Stored, int(c.Checked), c.Trace.Changes, c.Trace.Failing, c.Trace.FalseFailing} {
		b = binary.AppendVarint(b, int64(n))
	}
	for _, s := range scoresOf(&c.Scores) {
		if *s == nil {
			b = append(b, 0)
			continue
		}
		b = binary.BigEndian.AppendUint64(append(b, 1), math.Float64bits(**s))
	}
	return b
}

// scoresOf are those that may be unknown.
func scoresOf(d *catalog.ScoreDay) []**float64 {
	list := []**float64{&d.Ranking}
	for i := range d.Axes {
		list = append(list, &d.Axes[i])
	}
	return list
}

// readClaim reads what append wrote.
func readClaim(b []byte, c *claim) error {
	p := thawing{rest: b}
	for _, s := range []*string{&c.Institution, &c.Licence, &c.Source, &c.Scores.EntryID, &c.Scores.Day} {
		*s = string(p.part())
	}
	var mqa, trust uint64
	for _, n := range []*uint64{&c.Refs, &c.Name, &c.Seen, &c.Shown, &c.Days, &mqa, &trust} {
		*n = p.fixed()
	}
	c.Scores.MQA, c.Scores.Trust = math.Float64frombits(mqa), math.Float64frombits(trust)
	var checked int
	for _, n := range []*int{&c.Day, &c.Until, &c.Stored, &checked, &c.Trace.Changes, &c.Trace.Failing, &c.Trace.FalseFailing} {
		*n = p.signed()
	}
	c.Checked = int64(checked)
	for _, s := range scoresOf(&c.Scores) {
		if known := p.bytes(1); len(known) == 1 && known[0] == 1 {
			v := math.Float64frombits(p.fixed())
			*s = &v
		}
	}
	if p.short || len(p.rest) > 0 {
		return errors.New("a claim that is none")
	}
	return nil
}

func (p *thawing) fixed() uint64 {
	b := p.bytes(8)
	if len(b) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

func (p *thawing) signed() int {
	n, k := binary.Varint(p.rest)
	if k <= 0 {
		p.short, p.rest = true, nil
		return 0
	}
	p.rest = p.rest[k:]
	return int(n)
}
