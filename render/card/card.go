package card

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"strings"
	"sync"
)

// Type is the media type of a card.
const Type = "image/png"

// Width and Height are those that readers of og:image crop nothing of, in pixels.
const (
	Width  = 1200
	Height = 630
)

// Card is what a picture says.
type Card struct {
	// Titles are forms of one title, the best one first: the first that can be drawn is.
	Titles []string
	// By is who it is of, Kind what it is, Register the name of the register and Host where it is;
	// each "" for nothing.
	By, Kind, Register, Host string
}

// kinds are the types of entries in a word.
var kinds = map[string]string{"API": "API", "DATASET": "Dataset", "MCP_SERVER": "MCP server"}

// Entry draws the card of an entry from the answer about it; base is the address of the register, register
// its name.
func Entry(answer []byte, base, register string) ([]byte, error) {
	var e struct {
		Name          string  `json:"name"`
		NameEn        *string `json:"name_en"`
		Type          string  `json:"type"`
		PublisherName *string `json:"publisher_name"`
		Institution   *struct {
			Name   string  `json:"name"`
			NameEn *string `json:"name_en"`
		} `json:"institution"`
	}
	if err := json.Unmarshal(answer, &e); err != nil {
		return nil, fmt.Errorf("card: %w", err)
	}
	c := Card{Titles: []string{text(e.NameEn), e.Name}, By: text(e.PublisherName), Kind: kinds[e.Type], Register: register, Host: host(base)}
	if i := e.Institution; i != nil && c.By == "" {
		c.By = i.Name
	}
	return c.PNG()
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// host is the part of an address that people read.
func host(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Host+u.Path, "/")
}

// Places and sizes, in pixels.
const (
	side       = 84
	markSize   = 64
	titleSize  = 66
	titleLead  = 82
	titleLines = 3
	titleTop   = 250
	bySize     = 36
	nameSize   = 44
	footSize   = 30
)

// PNG draws the card. Equal cards are equal bytes.
func (c *Card) PNG() ([]byte, error) {
	p, err := newPainter()
	if err != nil {
		return nil, fmt.Errorf("card: %w", err)
	}
	defer p.free()
	p.bar(brass, 14)
	p.mark(side, 62)
	const name = side + markSize + 20
	p.line(ink, bold, nameSize, name, 110, p.fit(bold, nameSize, p.drawable([]string{c.Register}), Width-side-name))
	y := titleTop
	for _, line := range p.wrap(bold, titleSize, p.drawable(c.Titles), Width-2*side, titleLines) {
		p.line(ink, bold, titleSize, side, y, line)
		y += titleLead
	}
	p.line(soft, regular, bySize, side, y-10, p.fit(regular, bySize, p.drawable([]string{c.By}), Width-2*side))
	foot := p.drawable([]string{strings.Join(filled(c.Kind, c.Host), "  ·  ")})
	p.line(soft, regular, footSize, side, Height-54, p.fit(regular, footSize, foot, Width-2*side))
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &encoders}
	if err := encoder.Encode(&b, p.flat()); err != nil {
		return nil, fmt.Errorf("card: %w", err)
	}
	return b.Bytes(), nil
}

func filled(list ...string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// shades is how many steps there are from the ground to a colour.
const shades = 16

// The layers of a card, in the order of their colours in the palette.
const (
	ink = iota
	soft
	brass
	layers
)

var (
	ground = color.RGBA{0xfb, 0xfb, 0xf9, 0xff}
	inks   = [layers]color.RGBA{ink: {0x17, 0x1b, 0x1f, 0xff}, soft: {0x56, 0x5f, 0x69, 0xff}, brass: {0x8a, 0x5f, 0x0f, 0xff}}
)

// palette has the steps of each layer one after the other.
var palette = sync.OnceValue(func() color.Palette {
	list := make(color.Palette, 0, layers*shades)
	for _, c := range inks {
		for i := range shades {
			mix := func(from, to uint8) uint8 { return uint8((int(from)*(shades-1-i) + int(to)*i) / (shades - 1)) }
			list = append(list, color.RGBA{mix(ground.R, c.R), mix(ground.G, c.G), mix(ground.B, c.B), 0xff})
		}
	}
	return list
})

// word is how many pixels of a layer are looked at at once.
const word = 8

// flat puts the layers, which do not cover each other, into one picture.
func (p *painter) flat() *image.Paletted {
	out := image.NewPaletted(image.Rect(0, 0, Width, Height), palette())
	for k := range p.layers {
		for at, pix := 0, p.layers[k].Pix; at < len(pix); at += word {
			part := pix[at:min(at+word, len(pix))]
			if len(part) == word && binary.LittleEndian.Uint64(part) == 0 {
				continue // most of a layer is empty
			}
			for i, a := range part {
				if step := a / (256 / shades); step > 0 {
					out.Pix[at+i] = uint8(k*shades) + step
				}
			}
		}
	}
	return out
}

// encoders are kept, for each has a window of its own.
var encoders pool

type pool struct{ p sync.Pool }

func (p *pool) Get() *png.EncoderBuffer {
	b, _ := p.p.Get().(*png.EncoderBuffer)
	return b
}

func (p *pool) Put(b *png.EncoderBuffer) { p.p.Put(b) }
