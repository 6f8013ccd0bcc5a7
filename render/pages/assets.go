package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/site"
)

// assetRoot is the route below which the assets lie; each name holds the hash
// of its bytes, so a copy is good for ever.
const assetRoot = "/assets/"

// asset is one file of the site with its published name.
type asset struct {
	name  string
	route string
	body  []byte
}

// assets are the files of site/assets and what scripts say in other languages,
// by name. Scripts name each other by plain names, which become the
// hashed ones, so a script comes after those it needs.
var assets = sync.OnceValue(func() map[string]*asset {
	all := map[string]*asset{}
	names, err := fs.Glob(site.Files, "assets/*")
	if err != nil {
		panic(err)
	}
	for len(names) > 0 {
		before := len(names)
		names = slices.DeleteFunc(names, func(name string) bool {
			body, err := fs.ReadFile(site.Files, name)
			if err != nil {
				panic(err)
			}
			if !ready(all, body) {
				return false
			}
			add(all, path.Base(name), body)
			return true
		})
		if len(names) == before {
			panic(fmt.Sprintf("pages: these scripts import each other, or what is not there: %v", names))
		}
	}
	scripts := said(all)
	for _, code := range languages[1:] {
		words := byEnglish(code)
		maps.DeleteFunc(words, func(text, _ string) bool { return !bytes.Contains(scripts, []byte(`"`+text+`"`)) })
		add(all, "words-"+code+".json", marshalled(words))
	}
	return all
})

// imported is how scripts name those that they need.
var imported = regexp.MustCompile(`"\./([a-z]+\.lib\.js)"`)

// ready tells that all scripts which a script names have their routes.
func ready(all map[string]*asset, body []byte) bool {
	for _, m := range imported.FindAllSubmatch(body, -1) {
		if all[string(m[1])] == nil {
			return false
		}
	}
	return true
}

// What a style sheet holds for its author only: comments, and space around
// what parts its words.
var (
	comment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	spacing = regexp.MustCompile(`\s*([{};,>])\s*|(:)[ \t]+`)
)

// compact leaves out of a style sheet what browsers do not need.
func compact(style []byte) []byte {
	return spacing.ReplaceAll(comment.ReplaceAll(style, nil), []byte("$1$2"))
}

func add(all map[string]*asset, name string, body []byte) {
	if strings.HasSuffix(name, ".css") {
		body = compact(body)
	}
	if strings.HasSuffix(name, ".js") {
		for other, a := range all {
			body = bytes.ReplaceAll(body, []byte(`"./`+other+`"`), []byte(`"./`+path.Base(a.route)+`"`))
		}
	}
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	base := strings.TrimSuffix(strings.TrimSuffix(name, ext), ".lib")
	all[name] = &asset{name: name, body: body, route: assetRoot + base + "." + hex.EncodeToString(sum[:5]) + ext}
}

// byEnglish maps the English strings to those of a language. Where two keys share an English text, the
// first one's translation stands for both.
func byEnglish(code string) map[string]string {
	words := map[string]string{}
	english, other := locales()["en"], locales()[code]
	for _, key := range slices.Sorted(maps.Keys(english.plain)) {
		text := english.plain[key]
		if _, known := words[text]; known || strings.Contains(text, "{") || other.plain[key] == text {
			continue
		}
		words[text] = other.plain[key]
	}
	return words
}

func marshalled(words map[string]string) []byte {
	b, err := json.Marshal(words) // keys in order
	if err != nil {
		panic(err)
	}
	return b
}

// said are the scripts, which name strings of the interface by their English form.
func said(all map[string]*asset) []byte {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if path.Ext(name) == ".js" {
			b = append(b, all[name].body...)
		}
	}
	return b
}

// assetFiles are the assets as files of a site, in the order of their names.
func assetFiles(s snapshot.Site) []artifact.File {
	var files []artifact.File
	if f := theme(s); f.Route != "" {
		files = append(files, f)
	}
	for _, a := range assets() {
		files = append(files, artifact.File{Route: a.route, Type: artifact.TypeOf(a.route), Class: Class, Cache: artifact.Hashed, Body: a.body})
	}
	slices.SortFunc(files, func(a, b artifact.File) int { return strings.Compare(a.Route, b.Route) })
	return files
}

// assetRoute is where an asset lies. A name that does not exist is a mistake of
// this package, found by any test that renders the page.
func assetRoute(name string) string {
	a, ok := assets()[name]
	if !ok {
		panic(fmt.Sprintf("pages: no asset %s", name))
	}
	return a.route
}

// Asset is the file of the site at a route, as this program has it. A service
// that is newer than the snapshot it serves gives its own pages their style by it.
func Asset(route string) (body []byte, media string, ok bool) {
	for _, a := range assets() {
		if a.route == route {
			return a.body, artifact.TypeOf(route), true
		}
	}
	return nil, "", false
}
