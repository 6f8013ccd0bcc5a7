package translit

import (
	"regexp"
	"testing"
)

func TestSlug(t *testing.T) {
	tests := []struct {
		name, lang, in string
		max            int
		want           string
	}{
		{"Greek", "", "Κτίρια", 80, "ktiria"},
		{"Ukrainian", "", "Реєстр державних підприємств", 80, "reiestr-derzhavnykh-pidpryiemstv"},
		{"Bulgarian", "", "Списък на училищата", 80, "spisak-na-uchilishtata"},
		{"punctuation", "", "HM Revenue & Customs — VAT (MTD) API!", 80, "hm-revenue-customs-vat-mtd-api"},
		{"typographic apostrophe", "fr", "Hub’eau", 80, "hub-eau"},
		{"plain apostrophe", "fr", "L'eau", 80, "l-eau"},
		{"Chinese", "", "北京市统计局", 80, "bei-jing-shi-tong-ji-ju"},
		{"outer punctuation", "", "--[Bank Holidays]--", 80, "bank-holidays"},
		{"superscript and ordinal", "", "CO₂ n° 5", 80, "co2-n-5"},
		{"fits exactly", "", "air quality", 11, "air-quality"},
		{"cut at a word", "", "air quality data", 13, "air-quality"},
		{"cut just before the hyphen", "", "air quality data", 11, "air-quality"},
		{"first word too long", "", "Geodateninfrastruktur", 7, "geodate"},
		{"no limit, no slug", "", "air", 0, ""},
		{"negative limit", "", "air", -1, ""},
		{"empty", "", "", 80, ""},
		{"only punctuation", "", "…!?", 80, ""},
		{"emoji", "", "🚲🚲", 80, ""},
		{"digits only", "", "2024", 80, ""},
		{"digits and hyphens only", "", "2023/2024", 80, ""},
		{"only digits fit", "", "2024 population", 6, ""},
		{"digits with letters", "", "2024 population", 80, "2024-population"},
		{"control characters", "", "a\x00b\tc\r\nd", 80, "a-b-c-d"},
		{"invalid UTF-8", "", "a\xff\xc3b", 80, "ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Slug(tt.in, tt.lang, tt.max); got != tt.want {
				t.Errorf("Slug(%q, %q, %d) = %q, want %q", tt.in, tt.lang, tt.max, got, tt.want)
			}
		})
	}
}

func FuzzSlug(f *testing.F) {
	shape := regexp.MustCompile(`^([a-z0-9]+(-[a-z0-9]+)*)?$`)
	f.Add("Κτίρια", "el", 80)
	f.Add("Знам’янка", "uk", 5)
	f.Add("\xff\xfe-2024-", "", 3)
	f.Add("İstanbul ﬁ ǅ", "tr", 10)
	f.Fuzz(func(t *testing.T, name, lang string, max int) {
		got := Slug(name, lang, max)
		if !shape.MatchString(got) {
			t.Fatalf("Slug(%q) = %q has the wrong shape", name, got)
		}
		if got != "" && len(got) > max {
			t.Fatalf("Slug(%q, max %d) = %q is too long", name, max, got)
		}
		if again := Slug(got, lang, max); again != got {
			t.Fatalf("Slug is not idempotent: %q, then %q", got, again)
		}
	})
}
