package catalog

import (
	"testing"
)

// The expected ids come from another implementation of UUIDv5 (RFC 9562, 5.5),
// namespace 610ed040-90c6-5e55-8f4b-cbac68cfbb6e.
func TestNewID(t *testing.T) {
	if got := formatUUID(namespace); got != "610ed040-90c6-5e55-8f4b-cbac68cfbb6e" {
		t.Fatalf("namespace is %s", got)
	}
	for _, c := range []struct{ kind, key, want string }{
		{"institution", "gr-elstat", "9cd40779-e622-54dc-a303-f67ffc27f626"},
		{"institution", "", "e466f14e-f5f4-5e9d-90ee-3a8c59259a73"},
		{"entry", "Κτίρια", "65c38281-25bd-5d6b-b43d-57bddd10b054"},
		{"", "", "f7824878-eca8-5a64-8e07-45ea6f7e310f"},
	} {
		if got := NewID(c.kind, c.key); got != c.want {
			t.Errorf("NewID(%q, %q) = %s, want %s", c.kind, c.key, got, c.want)
		}
		if !IsID(NewID(c.kind, c.key)) {
			t.Errorf("NewID(%q, %q) is not an id", c.kind, c.key)
		}
	}
}

func TestEntryID(t *testing.T) {
	const ref, key = "example.org:dataset:1", "API|https://api.example.org|weather"
	for _, c := range []struct {
		ref, key string
		try      int
		want     string
	}{
		{ref, key, 1, "830fd9eb-23d5-5e9f-ac2b-c7e59d8c68f8"},
		{ref, key, 2, "c29f3bd0-513f-5a94-8c2e-ec259d7f6082"},
		{ref, "another key", 1, "830fd9eb-23d5-5e9f-ac2b-c7e59d8c68f8"},
		{"", key, 1, "4583b291-6cd5-5d01-88f0-136a17c185b9"},
		{"", key, 2, "a7e64957-3672-5219-908e-68f47f5447bd"},
		{"", key, 3, "4de1ea1e-11a2-5b3e-afc0-d2e9c5f16ea3"},
	} {
		if got := EntryID(c.ref, c.key, c.try); got != c.want {
			t.Errorf("EntryID(%q, %q, %d) = %s, want %s", c.ref, c.key, c.try, got, c.want)
		}
	}
}

func TestIsID(t *testing.T) {
	for s, want := range map[string]bool{
		"830fd9eb-23d5-5e9f-ac2b-c7e59d8c68f8":   true,
		"830FD9EB-23d5-5e9f-ac2b-c7e59d8c68f8":   false,
		"830fd9eb-23d5-5e9f-ac2b-c7e59d8c68f":    false,
		"830fd9eb-23d5-5e9f-ac2b-c7e59d8c68f80":  false,
		"830fd9eb023d5-5e9f-ac2b-c7e59d8c68f8":   false,
		"830fd9eb-23d5-5e9f-ac2b-c7e59d8c68fg":   false,
		"830fd9eb-23d5-5e9f-ac2b-c7e59d8c6-f8":   false,
		"{30fd9eb-23d5-5e9f-ac2b-c7e59d8c68f8":   false,
		"":                                       false,
		"------------------------------------":   false,
		"00000000-0000-0000-0000-000000000000":   true,
		"830fd9eb-23d5-5e9f-ac2b-c7e59d8c68f8\n": false,
	} {
		if IsID(s) != want {
			t.Errorf("IsID(%q) = %t", s, !want)
		}
	}
}

func TestNormalURL(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"https://example.org", "example.org"},
		{"http://example.org", "example.org"},
		{"https://example.org/", "example.org"},
		{"https://example.org//", "example.org"},
		{"HTTPS://EXAMPLE.org/", "example.org"},
		{"https://www.example.org", "example.org"},
		{"https://WWW.Example.Org", "example.org"},
		{"https://www2.example.org", "www2.example.org"},
		{"https://example.org.", "example.org"},
		{"https://www.example.org./", "example.org"},
		{"https://example.org:443", "example.org"},
		{"http://example.org:80/", "example.org"},
		{"http://example.org:8080", "example.org:8080"},
		{"https://example.org:8443/a", "example.org:8443/a"},
		{"https://example.org/Path/To", "example.org/Path/To"},
		{"https://example.org/path/", "example.org/path"},
		{"https://example.org/path#top", "example.org/path"},
		{"https://example.org/#", "example.org"},
		{"https://example.org/a/#/metadata/1", "example.org/a#/metadata/1"},
		{"https://example.org/a#!b=1", "example.org/a#!b=1"},
		{"https://example.org/?a=1#/b/%CE%BA", "example.org?a=1#/b/%CE%BA"},
		{"https://example.org/?a=1", "example.org?a=1"},
		{"https://example.org?a=1", "example.org?a=1"},
		{"https://example.org/path/?a=1&b=2", "example.org/path?a=1&b=2"},
		{"https://example.org/?", "example.org"},
		{"https://example.org/a?b=/", "example.org/a?b=/"},
		{"https://example.org/a%20b", "example.org/a%20b"},
		{"https://example.org/%CE%BA", "example.org/%CE%BA"},
		{"  https://example.org/a \n", "example.org/a"},
		{"https://user:secret@example.org/a", "example.org/a"},
		{"example.org/a", "example.org/a"},
		{"", ""},
		{" not a url ", "not a url"},
		{"https://", "https://"},
		{"https://exa mple.org", "https://exa mple.org"},
		{"https://ΔΉΜΟΣ.gr/", "δήμοσ.gr"},
		{"mailto:info@example.org", "mailto:info@example.org"},
	} {
		if got := NormalURL(c.in); got != c.want {
			t.Errorf("NormalURL(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestHost(t *testing.T) {
	for in, want := range map[string]string{
		"https://WWW.Example.org:8443/a": "www.example.org",
		"https://example.org.":           "example.org",
		" https://example.org ":          "example.org",
		"example.org":                    "",
		"":                               "",
		"https://exa mple.org":           "",
		"http://[::1]:80/":               "::1",
	} {
		if got := Host(in); got != want {
			t.Errorf("Host(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestKeys(t *testing.T) {
	if got, want := IdentityKey(TypeMCPServer, "https://WWW.Example.org/", "Open DATA Κτίρια"), "MCP_SERVER|https://WWW.Example.org/|open data κτίρια"; got != want {
		t.Errorf("IdentityKey = %q, want %q", got, want)
	}
	if got, want := MatchKey(TypeAPI, "https://WWW.Example.org/v1/", "open data"), "API|example.org|open data"; got != want {
		t.Errorf("MatchKey = %q, want %q", got, want)
	}
	if got, want := MatchKey(TypeDataset, "", "x"), "DATASET||x"; got != want {
		t.Errorf("MatchKey without a URL = %q, want %q", got, want)
	}
}

func TestSkolem(t *testing.T) {
	for iri, want := range map[string]bool{
		"http://data.example/.well-known/genid/75459c-1": true, "https://data.example/a/.well-known/genid/x": true, "_:b1": true, "\u0020nodeID://b10\u0020": true,
		"https://data.example/genid/1": false, "https://data.example/.well-known/void": false, "": false, "urn:uuid:1": false,
	} {
		if Skolem(iri) != want || SkolemRef("data.example:dataset:"+iri) != want {
			t.Errorf("Skolem(%q) is %v", iri, !want)
		}
	}
}
