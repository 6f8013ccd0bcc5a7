package pages

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"testing"
)

// The name of a file of strings is in every page, so its bytes must not depend
// on the order of a map.
func TestWordsAreTheSameEachTime(t *testing.T) {
	for _, code := range languages[1:] {
		first := marshalled(byEnglish(code))
		for range 20 {
			if !bytes.Equal(marshalled(byEnglish(code)), first) {
				t.Fatalf("%s: the strings differ from one call to the next", code)
			}
		}
	}
}

// What scripts say is in the small file that translated pages load, in every language.
func TestWordsOfScripts(t *testing.T) {
	literal := regexp.MustCompile(`say\("([^"]+)"\)`)
	for _, code := range languages[1:] {
		var words map[string]string
		a := assets()["words-"+code+".json"]
		if err := json.Unmarshal(a.body, &words); err != nil || len(a.body) > 12<<10 {
			t.Fatalf("%d bytes, %v", len(a.body), err)
		}
		for _, m := range literal.FindAllSubmatch(said(assets()), -1) {
			if text := string(m[1]); words[text] == "" && byEnglish(code)[text] == "" && !slices.Contains(slices.Collect(maps.Values(locales()["en"].plain)), text) {
				t.Errorf("%s: no string of the interface is %q", code, text)
			}
		}
		for _, text := range []string{"Suggestions", "Place", "Theme"} {
			if _, there := byEnglish(code)[text]; there && words[text] == "" {
				t.Errorf("%s: scripts say %q and cannot look it up", code, text)
			}
		}
	}
}
