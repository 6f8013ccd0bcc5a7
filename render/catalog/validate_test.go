package catalog

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func filled(t testing.TB) *Entry {
	var e Entry
	n := 0
	fill(t, reflect.ValueOf(&e).Elem(), &n)
	return &e
}

func valid() Entry {
	return Entry{
		ID: NewID("entry", "x"), Slug: "weather", FormerSlugs: []string{"old-weather"}, Type: TypeAPI, Name: "Weather", NativeLang: "en",
		HomepageURL: "https://example.org", LogoURL: "https://example.org/logo.png", PrimarySourceURL: "https://api.example.org",
		Tags: []string{"a", "b"}, CountryCode: "GR", InstitutionID: NewID("institution", "x"), SourceID: NewID("source", "x"),
		FreeAccessClass: AccessFreeNoAuth, AuthType: AuthNone, IdentityKey: "k", MatchKey: "m", ExtractionConfidence: 100,
		Status: StatusActive, CreatedAt: day(1), UpdatedAt: day(1),
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func TestValidate(t *testing.T) {
	ok := valid()
	if err := ok.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field, name string
		breakIt     func(*Entry)
	}{
		{"id", "none", func(e *Entry) { e.ID = "" }},
		{"id", "upper case", func(e *Entry) { e.ID = strings.ToUpper(e.ID) }},
		{"institution_id", "no id", func(e *Entry) { e.InstitutionID = "gr-elstat" }},
		{"source_id", "no id", func(e *Entry) { e.SourceID = "x" }},
		{"successor_id", "no id", func(e *Entry) { e.SuccessorID = "x" }},
		{"merged_into_id", "no id", func(e *Entry) { e.MergedIntoID = "x" }},
		{"slug", "none", func(e *Entry) { e.Slug = "" }},
		{"slug", "reserved", func(e *Entry) { e.Slug = "index" }},
		{"slug", "former", func(e *Entry) { e.FormerSlugs = []string{"2024"} }},
		{"identity_key", "none", func(e *Entry) { e.IdentityKey = "" }},
		{"identity_key", "no match key", func(e *Entry) { e.MatchKey = "" }},
		{"status", "merged and active", func(e *Entry) { e.MergedIntoID = NewID("entry", "y") }},
		{"type", "unknown", func(e *Entry) { e.Type = "FILE" }},
		{"status", "unknown", func(e *Entry) { e.Status = "active" }},
		{"free_access_class", "none", func(e *Entry) { e.FreeAccessClass = "" }},
		{"auth_type", "unknown", func(e *Entry) { e.AuthType = "KEY" }},
		{"country_code", "lower case", func(e *Entry) { e.CountryCode = "gr" }},
		{"country_code", "three letters", func(e *Entry) { e.CountryCode = "GRC" }},
		{"extraction_confidence", "negative", func(e *Entry) { e.ExtractionConfidence = -1 }},
		{"extraction_confidence", "above one", func(e *Entry) { e.ExtractionConfidence = 101 }},
		{"name", "none", func(e *Entry) { e.Name = "" }},
		{"name", "white space", func(e *Entry) { e.Name = " \t\n" }},
		{"name", "too long", func(e *Entry) { e.Name = long(NameMax + 1) }},
		{"name", "control character", func(e *Entry) { e.Name = "a\x00b" }},
		{"name_en", "too long", func(e *Entry) { e.NameEn = long(NameMax + 1) }},
		{"description", "too long", func(e *Entry) { e.Description = long(DescriptionMax + 1) }},
		{"description", "not UTF-8", func(e *Entry) { e.Description = "a\xff" }},
		{"description_en", "too long", func(e *Entry) { e.DescriptionEn = long(DescriptionMax + 1) }},
		{"license_raw", "too long", func(e *Entry) { e.LicenseRaw = long(RawLicenceMax + 1) }},
		{"publisher_name", "too long", func(e *Entry) { e.PublisherName = long(NameMax + 1) }},
		{"upstream_ref", "too long", func(e *Entry) { e.UpstreamRef = long(URLMax + 1) }},
		{"native_lang", "too long", func(e *Entry) { e.NativeLang = long(36) }},
		{"homepage_url", "relative", func(e *Entry) { e.HomepageURL = "/home" }},
		{"docs_url", "ftp", func(e *Entry) { e.DocsURL = "ftp://example.org" }},
		{"repo_url", "script", func(e *Entry) { e.RepoURL = "javascript:alert(1)" }},
		{"primary_source_url", "credentials", func(e *Entry) { e.PrimarySourceURL = "https://u:p@example.org" }},
		{"source_seed_url", "space", func(e *Entry) { e.SourceSeedURL = "https://example.org/a b" }},
		{"logo_url", "too large", func(e *Entry) { e.LogoURL = "data:image/png;base64," + long(LogoMax) }},
		{"logo_url", "no image", func(e *Entry) { e.LogoURL = "data:text/html,<script>" }},
		{"tags", "unsorted", func(e *Entry) { e.Tags = []string{"b", "a"} }},
		{"tags", "twice", func(e *Entry) { e.Tags = []string{"a", "a"} }},
		{"tags", "empty", func(e *Entry) { e.Tags = []string{"", "a"} }},
		{"tags", "comma", func(e *Entry) { e.Tags = []string{"a,b"} }},
		{"tags", "too long", func(e *Entry) { e.Tags = []string{long(TagMax + 1)} }},
		{"tags", "too many", func(e *Entry) { e.Tags = make([]string, TagsMax+1) }},
		{"formats", "too many", func(e *Entry) { e.Formats = make([]string, ListMax+1) }},
		{"members", "too many", func(e *Entry) { e.Members = make([]Member, ListMax+1) }},
		{"limits", "too many", func(e *Entry) { e.Limits = make([]Limit, ListMax+1) }},
		{"created_at", "none", func(e *Entry) { e.CreatedAt = time.Time{} }},
		{"created_at", "no update", func(e *Entry) { e.UpdatedAt = time.Time{} }},
		{"updated_at", "before creation", func(e *Entry) { e.UpdatedAt = e.CreatedAt.Add(-1) }},
	} {
		e := valid()
		c.breakIt(&e)
		err := e.Validate()
		var fe *FieldError
		if !errors.As(err, &fe) || !errors.Is(err, ErrInvalid) {
			t.Errorf("%s, %s: %v", c.field, c.name, err)
			continue
		}
		if fe.Field != c.field || fe.Remedy == "" {
			t.Errorf("%s, %s: the error names %q with remedy %q", c.field, c.name, fe.Field, fe.Remedy)
		}
	}
}

func TestValidateAccepts(t *testing.T) {
	for name, change := range map[string]func(*Entry){
		"a merged entry":   func(e *Entry) { e.MergedIntoID, e.Status = NewID("entry", "y"), StatusRemoved },
		"a data URI":       func(e *Entry) { e.LogoURL = "data:image/svg+xml;base64,AAAA" },
		"texts at bounds":  func(e *Entry) { e.Name, e.Description = long(NameMax), long(DescriptionMax) },
		"no optional ones": func(e *Entry) { e.HomepageURL, e.CountryCode, e.Tags, e.InstitutionID = "", "", nil, "" },
		"lists at bounds":  func(e *Entry) { e.Formats = make([]string, ListMax) },
		"any script":       func(e *Entry) { e.Name = "Κτίρια \u200f🏛\u2028" },
	} {
		e := valid()
		change(&e)
		if err := e.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for raw, ok := range map[string]bool{
		"https://example.org": true, "http://example.org:8080/a?b=c#d": true, "https://example.org/%20": true, "HTTPS://EXAMPLE.ORG": true,
		"https://δήμος.gr/κτίρια": true, "http://[::1]/": true, "https://example.org/a'b(c)": true,
		"": false, "example.org": false, "//example.org": false, "https://": false, "https:///a": false, "mailto:a@b": false,
		"https://u@example.org": false, "https://u:p@example.org": false, "https://example.org/a b": false, "https://example.org/\n": false,
		"https://example.org/\"": false, "https://example.org/<a>": false, "https://example.org/{id}": false, "https://example.org/a|b": false,
		"https://example.org/%zz": false, "https://example.org/\\": false, "https://example.org/\xff": false, "https://example.org/\u0085": false,
		"https://:80/": false, "https://example.org/" + long(URLMax): false,
	} {
		err := CheckURL("docs_url", raw)
		if (err == nil) != ok {
			t.Errorf("CheckURL(%q) = %v", raw, err)
		}
		var fe *FieldError
		if err != nil && (!errors.As(err, &fe) || fe.Field != "docs_url") {
			t.Errorf("CheckURL(%q) names no field: %v", raw, err)
		}
	}
}

func TestCheckText(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "a\tb\nc": true, "Κτίρια 🏛": true, "\u2028\u200f": true, "0123456789": true, "\u00a0": true,
		"01234567890": false, "a\rb": false, "\x00": false, "\x1b": false, "\x7f": false, "\u0080": false, "\u009f": false, "a\xff": false,
	} {
		err := CheckText("name", text, 20)
		if len(text) == 11 {
			err = CheckText("name", text, 10)
		}
		if (err == nil) != ok {
			t.Errorf("CheckText(%q) = %v", text, err)
		}
	}
	err := CheckText("name", strings.Repeat("é", 100)+"\x00", 1000)
	if err == nil || len(err.Error()) > 200 || strings.Contains(err.Error(), "\x00") {
		t.Errorf("the message of a long value is %q", err)
	}
}

func TestOneOf(t *testing.T) {
	err := OneOf("type", EntryType("FILE"), EntryTypes())
	var fe *FieldError
	if !errors.As(err, &fe) || fe.Field != "type" || fe.Value != "FILE" {
		t.Fatalf("OneOf: %v", err)
	}
	for _, word := range EntryTypes() {
		if OneOf("type", word, EntryTypes()) != nil || !strings.Contains(err.Error(), string(word)) {
			t.Errorf("%s is refused or not named in %q", word, err)
		}
	}
}

func TestVocabularies(t *testing.T) {
	check := func(name string, words []string, want int) {
		t.Helper()
		seen := map[string]bool{}
		for _, w := range words {
			if w == "" || seen[w] {
				t.Errorf("%s holds %q twice or empty", name, w)
			}
			seen[w] = true
		}
		if len(words) != want {
			t.Errorf("%s has %d words, want %d", name, len(words), want)
		}
	}
	check("types", texts(EntryTypes()), 3)
	check("statuses", texts(Statuses()), 4)
	check("states", texts(VerificationStates()), 4)
	check("access classes", texts(FreeAccessClasses()), 6)
	check("auth types", texts(AuthTypes()), 7)
	check("institution types", texts(InstitutionTypes()), 11)
	check("maturities", texts(Maturities()), 7)
	check("tiers", texts(MQATiers()), 5)
	check("bases", texts(Bases()), 7)
	check("events", texts(EventKinds()), 23)
	check("error classes", texts(ErrorClasses()), 9)
	check("job states", texts(JobStates()), 5)
}

func texts[T ~string](words []T) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return out
}

func TestCheckTextOfEveryLetter(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		bad := r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		for text, plain := range map[string]string{string(r): "", "é" + string(r) + "é": "éé"} {
			if err := CheckText("name", text, 10); (err != nil) != bad {
				t.Errorf("%q: %v", text, err)
			}
			if !bad {
				plain = text
			}
			if got := Plain(text); got != plain {
				t.Errorf("%q is plainly %q", text, got)
			}
		}
	}
}
