package badge

import "strconv"

// Type is the media type of a badge.
const Type = "image/svg+xml; charset=utf-8"

// padding stands on both sides of each text, in pixels (badge-maker, flat
// style; its height of 20 and radius of 3 stand in the shapes below).
const padding = 5

// Badge is what a badge says.
type Badge struct {
	// Label says what is told about, Message what is told.
	Label, Message string
	Colour         Colour
	// Subject is the name of the thing that the badge stands for, "" for none;
	// only the tooltip shows it.
	Subject string
}

// draw draws the badge behind what d holds (SVG 1.1; names after WAI-ARIA 1.2, role img). It
// has no ids, so several can stand in one HTML page.
func (b *Badge) draw(d drawing) drawing {
	label, message, subject := clean(b.Label), clean(b.Message), clean(b.Subject)
	spoken, left, right := message, box{}, boxOf(message)
	if label != "" {
		spoken, left = label+": "+message, boxOf(label)
	}
	p := paints[b.Colour.known()]
	d.raw(`<svg xmlns="http://www.w3.org/2000/svg" width="`).number(left.outer + right.outer)
	d.raw(`" height="20" role="img" aria-label="`).escaped(spoken).raw(`"><title>`).escaped(spoken)
	if subject != "" {
		d.raw(" – ").escaped(subject)
	}
	d.raw(`</title>`).fills(left.outer, right.outer, p.fill)
	d.raw(`<g text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" ` +
		`text-rendering="geometricPrecision" font-size="110">`)
	// Beside a label both texts move one pixel towards the line between them.
	if label != "" {
		d.text(label, left, 1, light).text(message, right, left.outer-1, p.text)
	} else {
		d.text(message, right, 0, p.text)
	}
	d.raw(`</g></svg>`)
	return d
}

// box is the room of one text without and with its padding, and the length at
// which it is drawn, in pixels.
type box struct{ room, length, outer int }

func boxOf(text string) box {
	room, length := measure(text)
	return box{room, length, room + 2*padding}
}

// drawing is an SVG document in the making.
type drawing []byte

func (d *drawing) raw(s string) *drawing {
	*d = append(*d, s...)
	return d
}

func (d *drawing) number(n int) *drawing {
	*d = strconv.AppendInt(*d, int64(n), 10)
	return d
}

func (d *drawing) escaped(s string) *drawing {
	*d = appendEscaped(*d, s)
	return d
}

// fills draws a rounded bar, its left part in the fill of labels.
func (d *drawing) fills(left, right int, fill string) *drawing {
	if left == 0 {
		return d.raw(`<rect fill="`).raw(fill).raw(`" width="`).number(right).raw(`" height="20" rx="3"/>`)
	}
	d.raw(`<path fill="`).raw(labelFill).raw(`" d="M`).number(left).raw(` 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3h`).number(left - 3)
	d.raw(`z"/><path fill="`).raw(fill).raw(`" d="M`).number(left).raw(` 0v20h`).number(right - 3)
	return d.raw(`a3 3 0 0 0 3-3V3a3 3 0 0 0-3-3z"/>`)
}

// text draws one text in its box, which begins at an offset. Sizes are ten
// times too large and scaled down, so that browsers do not round each letter.
func (d *drawing) text(s string, b box, offset int, fill string) *drawing {
	d.raw(`<text x="`).number(10*(offset+padding) + 5*b.room).raw(`" y="140" transform="scale(.1)" fill="`).raw(fill)
	return d.raw(`" textLength="`).number(10 * b.length).raw(`">`).escaped(s).raw(`</text>`)
}

// SVG is the badge as an SVG document.
func (b *Badge) SVG() []byte { return b.draw(nil) }
