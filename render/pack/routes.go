package pack

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// Routes appends what the list of all documents (/routes.ndjson, wire.RouteLine) says of those
// of a group: a line for each, and one for its alias. Names without a slash are no routes. Routes
// and types need no escaping.
func (g *Group) Routes(b []byte) []byte {
	for i := range g.Documents {
		d := &g.Documents[i]
		if !strings.HasPrefix(d.Route, "/") {
			continue
		}
		b = d.line(b, d.Route, "")
		if d.Alias != "" {
			b = d.line(b, d.Alias, d.Route)
		}
	}
	return b
}

func (d *Document) line(b []byte, route, sameAs string) []byte {
	b = append(b, `{"route":"`...)
	b = append(b, route...)
	b = append(b, `","type":"`...)
	b = append(b, d.Type...)
	b = append(b, `","class":"`...)
	b = append(b, d.Class...)
	b = append(b, `","sha256":"`...)
	b = hex.AppendEncode(b, d.Sum[:])
	b = append(b, `","bytes":`...)
	b = strconv.AppendInt(b, d.Size, 10)
	if sameAs != "" {
		b = append(b, `,"same_as":"`...)
		b = append(b, sameAs...)
		b = append(b, '"')
	}
	return append(b, '}', '\n')
}
