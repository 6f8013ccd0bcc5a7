package contract

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/profile/format"
	"github.com/assay-register/assay/render/catalog"
)

// FromProfile takes the contract out of a sample of data: how it is written, and its
// columns with their types. What only a sample can be the cause of, an empty value or a
// recognised concept, is not in it.
func FromProfile(p *catalog.Profile) (*Contract, error) {
	c := &Contract{Kind: Data}
	for i := range p.Fields {
		f := &p.Fields[i]
		typ := f.Type
		if f.Items != "" {
			typ += " of " + f.Items
		}
		c.Items = append(c.Items, Item{Kind: "column", Path: strings.ReplaceAll(f.Name, "/", "~1"), Type: typ, Required: !f.Nullable && open(p.Kind)})
	}
	for what, value := range map[string]string{"format": p.Kind, "separator": p.Separator, "encoding": p.Encoding} {
		if value != "" && len(c.Items) > 0 {
			c.Items = append(c.Items, Item{Kind: form, Path: what, Type: value})
		}
	}
	if open(p.Kind) && len(c.Items) > 0 {
		c.Items = append(c.Items, Item{Kind: form, Path: "records", Type: cmp.Or(p.Records, itself)})
	}
	return c.checked()
}

// form is the kind of what tells how data are written; itself is where the records are of
// a document that is a list of them, or one.
const form, itself = "form", "the document itself"

// errEmpty is of a page without records.
var errEmpty = errors.New("the list of records is empty")

// open tells that a format writes a member only where it has a value, so that a
// sample may miss one.
func open(kind string) bool {
	return slices.Contains([]string{format.JSON, format.NDJSON, format.GeoJSON, format.XML}, kind)
}

// FromSample is the contract of data of which one is known already, nil for none: what
// this sample does not show, but was seen before and may be missing, is still in it. old is the
// sample before, which may be nil.
func FromSample(known *Contract, old, p *catalog.Profile) (*Contract, error) {
	c, err := FromProfile(p)
	if err != nil || known == nil || known.Kind != Data {
		return c, err
	}
	now := parts(c)
	if noRecords(parts(known), now) {
		return nil, errEmpty
	}
	seen := map[string]bool{} // of the columns of the sample before, those that were always there
	if old != nil {
		for i := range old.Fields {
			seen[strings.ReplaceAll(old.Fields[i].Name, "/", "~1")] = !old.Fields[i].Nullable
		}
	}
	for i := range known.Items {
		was := known.Items[i]
		is := now[was.Kind+" "+was.Path]
		switch {
		case is != nil:
			is.Type = steady(&was, is.Type)
			is.Required = is.Required && was.Required
		case was.Kind == "column" && open(p.Kind) && (!was.Required || !seen[was.Path]):
			was.Required = false
			c.Items = append(c.Items, was)
		}
	}
	return c.checked()
}

// noRecords tells that the list that had the records is there, and has none: then the sample
// shows what stands around it.
func noRecords(known, now map[string]*Item) bool {
	was, is := known[form+" records"], now[form+" records"]
	if was == nil || is == nil || was.Type == itself || is.Type != itself {
		return false
	}
	list := now["column "+strings.ReplaceAll(was.Type, "/", "~1")]
	return list != nil && (list.Type == "unknown" || strings.HasPrefix(list.Type, "array"))
}

// parts are the items of a contract by their kinds and paths.
func parts(c *Contract) map[string]*Item {
	m := make(map[string]*Item, len(c.Items))
	for i := range c.Items {
		m[c.Items[i].Kind+" "+c.Items[i].Path] = &c.Items[i]
	}
	return m
}

// steady is the type of a part that had another one in an earlier sample: where values of
// the known type may look like those of this sample, it is the known one.
func steady(was *Item, now string) string {
	switch {
	case was.Kind == form:
		// A text in ASCII is written alike in nearly all encodings, and which code page a text is in is guessed.
		if was.Path == "encoding" && !strings.HasPrefix(was.Type, "utf-") && !strings.HasPrefix(now, "utf-16") {
			return was.Type
		}
	case now == "unknown", texts[was.Type] && texts[now], strings.HasPrefix(was.Type, now+" of "), now == strings.SplitN(was.Type, " of ", 2)[0]+" of unknown":
		return was.Type
	case slices.Contains(looks[was.Type], now):
		return was.Type
	}
	return now
}

// looks are the types that values of a type may have by chance.
var looks = map[string][]string{"decimal": {"integer", "year"}, "integer": {"year"}, "year": {"integer"}}
