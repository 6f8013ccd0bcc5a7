package card

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var titles = map[string]Card{
	"short":    {Titles: []string{"Weather observations"}, By: "Met Office", Kind: "API", Register: "Assay", Host: "register.example"},
	"long":     {Titles: []string{strings.Repeat("Zones vertes à haute valeur biologique ", 30)}, By: strings.Repeat("Ministère ", 40), Kind: "Dataset", Register: "Assay", Host: "register.example/in"},
	"named":    {Titles: []string{"A"}, Register: strings.Repeat("空 Register of all ", 20)},
	"greek":    {Titles: []string{"Παρατηρήσεις καιρού"}, By: "Ψηφιακή Διακυβέρνηση", Register: "Assay"},
	"one word": {Titles: []string{strings.Repeat("Donau", 60)}},
	"nothing":  {},
}

func TestPNG(t *testing.T) {
	for name, c := range titles {
		b, err := c.PNG()
		if err != nil {
			t.Fatal(err)
		}
		again, _ := c.PNG()
		if !bytes.Equal(b, again) {
			t.Errorf("%s: two drawings differ", name)
		}
		im, err := png.Decode(bytes.NewReader(b))
		if err != nil || im.Bounds().Dx() != Width || im.Bounds().Dy() != Height || len(b) > 60<<10 {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
		if dir := os.Getenv("ASSAY_CARDS"); dir != "" {
			_ = os.WriteFile(filepath.Join(dir, name+".png"), b, 0o600)
		}
	}
}

// What cannot be drawn gives way to what can.
func TestDrawable(t *testing.T) {
	p, err := newPainter()
	if err != nil {
		t.Fatal(err)
	}
	defer p.free()
	for want, texts := range map[string][]string{"Air quality": {"", "空気質", "Air  quality\n"}, "": {"空気質", "جودة الهواء"}, "Ποιότητα": {"Ποιότητα", "Quality"}} {
		if got := p.drawable(texts); got != want {
			t.Errorf("%q: %q", texts, got)
		}
	}
	if got := p.fit(bold, nameSize, strings.Repeat("Register ", 60), 900); p.width(bold, nameSize, got) > 900 || !strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
	lines := p.wrap(bold, titleSize, strings.Repeat("word ", 100), 600, 3)
	if len(lines) != 3 || !strings.HasSuffix(lines[2], "…") || p.width(bold, titleSize, lines[2]) > 600 {
		t.Errorf("%q", lines)
	}
}

func TestEntry(t *testing.T) {
	b, err := Entry([]byte(`{"name":"空気質","name_en":"Air quality","type":"DATASET","institution":{"name":"City"}}`), "https://register.example/in", "Assay")
	c := Card{Titles: []string{"Air quality"}, By: "City", Kind: "Dataset", Register: "Assay", Host: "register.example/in"}
	want, _ := c.PNG()
	if err != nil || !bytes.Equal(b, want) {
		t.Errorf("%d bytes, want %d: %v", len(b), len(want), err)
	}
	if _, err := Entry([]byte("<"), "", ""); err == nil {
		t.Error("what is no answer has a card")
	}
}

func BenchmarkPNG(b *testing.B) {
	c := titles["short"]
	for b.Loop() {
		if _, err := c.PNG(); err != nil {
			b.Fatal(err)
		}
	}
}
