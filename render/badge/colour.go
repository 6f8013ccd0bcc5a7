package badge

// Colour is the fill of a badge's message. The zero value is Grey.
type Colour uint8

// Colours, from nothing known over good to bad. Each reads well on its fill:
// TestContrast holds them to WCAG 2.2, 1.4.3.
const (
	Grey Colour = iota
	Blue
	Green
	Olive
	Yellow
	Orange
	Red
)

// labelFill is the fill of every label, which is written in light.
const labelFill = "#555555"

// Fills of text.
const (
	light = "#ffffff"
	dark  = "#1f1f1f"
)

// paints are the fill and the text of each colour.
var paints = [...]struct{ fill, text string }{
	Grey: {"#6b6b6b", light}, Blue: {"#0a5fb4", light}, Green: {"#1a7f37", light}, Olive: {"#4d7c0f", light},
	Yellow: {"#e3b341", dark}, Orange: {"#b45309", light}, Red: {"#b91c1c", light},
}

// Hex is the fill as a CSS colour.
func (c Colour) Hex() string { return paints[c.known()].fill }

// known is c, or Grey for a number that is no colour.
func (c Colour) known() Colour {
	if int(c) >= len(paints) {
		return Grey
	}
	return c
}
