package tree

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
)

// Bounds of what is remembered of the answers with one file: how many they are,
// and the bytes of the fields that chose one.
const (
	againMax = 4
	fieldMax = 512
)

// Again is an answer with a file that can be given again.
type Again struct {
	// Fields are the header fields with their line ends, Body is the content.
	Fields, Body []byte
	route        string
	// accept and coding are the fields of the request that chose the answer.
	accept, coding chosen
	seen           seen
}

// chosen is the value of a field of the request, where the answer varies by it.
type chosen struct {
	by    bool
	value string
}

func (c chosen) suits(value string) bool { return !c.by || c.value == value }

// seen is what an answer depends on besides its file: the snapshot that was
// current, by its name, and the one that files belonged to.
type seen struct {
	current string
	present query.Present
}

func (t *Tree) see() seen {
	_, id := t.library.Site()
	return seen{id, t.library.Present()}
}

// suits tells whether the answer is that to a request (RFC 9111, section 4.1).
func (a *Again) suits(route, accept, coding string) bool {
	return a.route == route && a.accept.suits(accept) && a.coding.suits(coding)
}

// Recall returns the 200 that Serve gave for a route before, if it would give it
// again for a request with these values of Accept and Accept-Encoding: the file
// is the same, and so is the snapshot.
func (t *Tree) Recall(route, accept, coding string) *Again {
	f, ok := t.files.Get(likely(route))
	if !ok {
		return nil
	}
	list := f.again.Load()
	if list == nil {
		return nil
	}
	at := slices.IndexFunc(*list, func(a *Again) bool { return a.suits(route, accept, coding) })
	if at < 0 || (*list)[at].seen != t.see() {
		return nil
	}
	if _, info := t.stat(f.path); info == nil || !same(f.info, info) {
		return nil
	}
	return (*list)[at]
}

// likely is the file that answers a route whenever it is there.
func likely(route string) string {
	if !artifact.HasExtension(route) {
		route += indexes(route)[0]
	}
	return strings.TrimLeft(route, "/")
}

// remember keeps an answer that was given with the likely file of its route, of
// a request that began when before was seen. What is asked for once may never be
// asked for again: the second answer is kept.
func (t *Tree) remember(f *file, r *http.Request, route string, h http.Header, body []byte, before seen) {
	if !f.asked.Swap(true) || f.charged.Load() == 0 || f.path != likely(route) || strings.HasSuffix(route, web.Gzip.Extension()) ||
		h.Get("Assay-Snapshot") == query.Pending || before != t.see() {
		return
	}
	a := &Again{Body: body, route: route, seen: before}
	for _, name := range strings.FieldsFunc(strings.Join(h.Values("Vary"), ","), func(c rune) bool { return c == ',' || c == ' ' }) {
		values := r.Header.Values(name)
		c := chosen{true, strings.Join(values, "")}
		if len(values) > 1 || len(c.value) > fieldMax {
			return
		}
		switch name {
		case "Accept":
			a.accept = c
		case "Accept-Encoding":
			a.coding = c
		default: // the lane does not know by what else an answer is chosen
			return
		}
	}
	var text bytes.Buffer
	h.WriteSubset(&text, perRequest) //nolint:errcheck // a buffer takes everything
	a.Fields = bytes.Clone(text.Bytes())
	f.again.Store(f.with(a))
	t.keep(f)
}

// perRequest are the fields that no two answers share.
var perRequest = map[string]bool{"X-Request-Id": true}

// with are the answers with a file and a new one, which comes first.
func (f *file) with(a *Again) *[]*Again {
	list := []*Again{a}
	if old := f.again.Load(); old != nil {
		for _, o := range *old {
			if len(list) < againMax && o.seen == a.seen && !o.suits(a.route, a.accept.value, a.coding.value) {
				list = append(list, o)
			}
		}
	}
	return &list
}

// sizeOf is how many bytes the answers take besides the content of the file.
func sizeOf(list *[]*Again) (n int64) {
	if list == nil {
		return 0
	}
	for _, a := range *list {
		n += int64(len(a.Fields)+len(a.accept.value)+len(a.coding.value)) + 256
	}
	return n
}
