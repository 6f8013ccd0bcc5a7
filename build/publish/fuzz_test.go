package publish

import (
	"bytes"
	"compress/gzip"
	"maps"
	"strings"
	"testing"
)

// books are those of a bucket, as somebody may have written them.
func books(t testing.TB, state, manifest, plan, progress string) map[string]stored {
	t.Helper()
	zip := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	out := map[string]stored{}
	for key, body := range map[string]string{stateKey: state, genKey(1, indexFile): zip(manifest), genKey(2, planFile): zip(plan), genKey(2, progressFile): progress} {
		out[key] = stored{body: body}
	}
	return out
}

// FuzzBooks: whatever the books of a target hold, a publish ends with a site
// that is whole or with an error, and never takes away what the site has, or
// what is no page of it.
func FuzzBooks(f *testing.F) {
	root := f.TempDir()
	makeSite(f, root, 1, 2)
	live := newMemory()
	if _, err := Publish(f.Context(), live, Site{Root: root}, hour(1)); err != nil {
		f.Fatal(err)
	}
	state := `{"generations":[{"n":1,"snapshot":"20261121-000000000001","published_at":"2026-11-21T09:00:00Z"}]}`
	f.Add(state, `{"key":"api/v1/entries","version":"x","rank":3}`+"\n"+`{"key":"zzz","version":"y","gone":1}`, `{"plan":"P","snapshot":"20261121-000000000002"}`+"\n"+`{"key":"api/v1/entries/e1","version":"v"}`, `{"plan":"P","done":1}`)
	f.Add(`{}`, ``, ``, ``)
	f.Add(`{"generations":[{"n":-4},{"n":9223372036854775807}]}`, `{`, `[]`, `null`)
	f.Add(state, `{"key":"z"}`+"\n"+`{"key":"a"}`, `{"key":".assay/state.json","delete":true}`, `{"done":-9}`)
	f.Add(state, `{"key":"../../outside","version":"x","gone":1}`, `{"key":"a/../b"}`, `{"plan":"","done":99999999999}`)
	f.Fuzz(func(t *testing.T, state, manifest, plan, progress string) {
		b := newMemory()
		b.objects = live.pages()
		maps.Copy(b.objects, books(t, state, manifest, plan, progress))
		b.objects["foreign/file"] = stored{body: "no page of the site"}
		before := maps.Clone(b.objects)
		_, err := Publish(t.Context(), b, Site{Root: root}, hour(2))
		for key := range b.objects {
			if err := checkKey("", key); err != nil && !strings.HasPrefix(key, hidden) {
				t.Errorf("%q was written", key)
			}
		}
		if err != nil {
			if b.objects[stateKey].body != before[stateKey].body {
				t.Errorf("a publish that failed (%v) says that it ended", err)
			}
			return
		}
		if _, err := Publish(t.Context(), b, Site{Root: root}, hour(3)); err != nil {
			t.Errorf("the next publish: %v", err)
		}
		if b.objects["snapshot.json"].body == "" && !strings.Contains(manifest, "snapshot.json") && !strings.Contains(plan, "snapshot.json") {
			t.Error("the publish that ended wrote no snapshot.json")
		}
		if b.objects["foreign/file"].body == "" && !strings.Contains(manifest+plan, "foreign") && !strings.Contains(manifest+plan, `\u`) {
			t.Error("a file that is no page of the site is gone")
		}
	})
}

// TestDamagedBooks: books that would lead a publish astray stop it, and the error
// names the book.
func TestDamagedBooks(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	makeSite(t, root, 1, 2)
	good := `{"generations":[{"n":1,"snapshot":"20261121-000000000001","published_at":"2026-11-21T09:00:00Z"}]}`
	for name, c := range map[string]struct{ state, manifest, plan, names string }{
		"keys in no order":              {good, `{"key":"z"}` + "\n" + `{"key":"llms.txt","version":"x"}`, "", "gen/1/manifest"},
		"a key twice":                   {good, `{"key":"z"}` + "\n" + `{"key":"z"}`, "", "gen/1/manifest"},
		"a key of the books":            {good, `{"key":".assay/state.json","gone":1}`, "", "gen/1/manifest"},
		"a key that leads out":          {good, `{"key":"../x","gone":1}`, "", "gen/1/manifest"},
		"no key":                        {good, `{}`, "", "gen/1/manifest"},
		"a line without an end":         {good, strings.Repeat(" ", 1<<20), "", "gen/1/manifest"},
		"no JSON":                       {good, "{", "", "line 1"},
		"a plan for the books":          {good, "", `{"key":".assay/gen/1/manifest.ndjson.gz","delete":true}`, "gen/2/plan"},
		"generations that count down":   {`{"generations":[{"n":2},{"n":1}]}`, "", "", "state.json"},
		"a generation before the first": {`{"generations":[{"n":0}]}`, "", "", "state.json"},
		"a state that is no JSON":       {"<html>", "", "", "state.json"},
	} {
		b := newMemory()
		mustPublish(t, b, root, hour(1))
		maps.Copy(b.objects, books(t, c.state, c.manifest, c.plan, "{}"))
		_, err := Publish(t.Context(), b, Site{Root: root}, Options{Workers: 1, Keep: 2, Now: at})
		if err == nil || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
