package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"no words", "-- !?", nil},
		{"sorted and distinct", "Water, water; AIR", []string{"air", "water"}},
		{"digits", "CO2 PM2.5 2024-05", []string{"05", "2024", "5", "co2", "pm2"}},
		{"apostrophe splits", "L’eau d'ici", []string{"d", "eau", "ici", "l"}},
		{"mixed scripts", "Κτίρια Łódź Москва", []string{"lodz", "κτιρια", "москва"}},
		{"marks belong to words", "हिन्दी ไทย", []string{"हिन्दी", "ไทย"}},
		{"Chinese runs", "北京市，统计局", []string{"北京市", "统计局"}},
		{"underscore splits", "air_quality", []string{"air", "quality"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Terms(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("Terms(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestVector(t *testing.T) {
	if got, want := Vector("Bank Holidays", "holidays in England", ""), "bank england holidays in"; got != want {
		t.Errorf("Vector = %q, want %q", got, want)
	}
	if got := Vector(); got != "" {
		t.Errorf("Vector() = %q, want nothing", got)
	}
}

func TestVectorBound(t *testing.T) {
	var words []string
	for i := range 2000 {
		words = append(words, fmt.Sprintf("w%04d", i))
	}
	long := strings.Repeat("y", 5000)
	got := Vector("zebra", long, "ЯБЛОКО", strings.Join(words, " "), strings.Join(words, " "))
	terms := strings.Fields(got)
	if len(got) > maxVector || len(got) < maxVector-6 {
		t.Errorf("vector has %d bytes, want just below %d", len(got), maxVector)
	}
	if !slices.IsSorted(terms) || len(slices.Compact(terms)) != len(terms) {
		t.Error("vector is not sorted and distinct")
	}
	for _, want := range []string{"zebra", "яблоко", "w0000"} {
		if !slices.Contains(terms, want) {
			t.Errorf("vector lost %q, which came early", want)
		}
	}
	for _, word := range terms {
		if word != "zebra" && word != "яблоко" && len(word) != 5 {
			t.Errorf("vector holds %q, a cut word", word)
		}
	}
}

func FuzzVector(f *testing.F) {
	f.Add("Air Quality", "Été")
	f.Add(strings.Repeat("ab c", 40), "\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := Vector(a, b)
		if len(got) > maxVector {
			t.Fatalf("vector has %d bytes", len(got))
		}
		if again := Vector(got); again != got {
			t.Fatalf("Vector is not stable: %q, then %q", got, again)
		}
	})
}

// One document is about 1 kB; 100,000 of them should take a few seconds.
func BenchmarkVector(b *testing.B) {
	const sentence = "The Air Quality dataset of the Environment Agency lists hourly measurements of 2,300 stations. "
	for _, bench := range []struct{ name, text string }{
		{"english", strings.Repeat(sentence, 11)},
		{"french", strings.Repeat("Les données de la qualité de l’air mesurées chaque heure à Évreux, Nîmes et Orléans. ", 11)},
		{"greek", strings.Repeat("Υπουργείο Ψηφιακής Διακυβέρνησης, μητρώο κτιρίων ", 11)},
		{"arabic", strings.Repeat("الهيئة العامة للإحصاء، قاعدة البيانات المفتوحة ", 12)},
		{"thai", strings.Repeat("กรมอุตุนิยมวิทยา ข้อมูลเปิด ", 13)},
		{"chinese", strings.Repeat("北京市统计局，开放数据目录。", 25)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				Vector("Air Quality", bench.text)
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"folded", "the air quality dataset of the environment agency"},
		{"ascii", "The Air Quality Dataset of the Environment Agency"},
		{"latin", "Données de la qualité de l’air à Nîmes et Évreux."},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Fold(bench.text)
			}
		})
	}
}
