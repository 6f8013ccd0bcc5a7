package submission

import (
	"net/url"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// statedNote says in provenance on whose word a field rests.
const statedNote = "stated by the submitter"

func (l *look) row(field string, basis catalog.Basis, note string) catalog.FieldRow {
	return catalog.FieldRow{Field: field, Basis: basis, SourceID: l.in.Source.ID, SourceURL: l.submission.URL, Note: note, ObservedAt: l.in.Now}
}

// stated makes a draft of what the submitter says, for an address that
// describes nothing by itself: a file of data, or a closed door.
func (l *look) stated(a *answer, t catalog.EntryType) source.Draft {
	b := source.NewBuilder(&l.in, a.url, a.url, a.url)
	e := &b.Draft.Entry
	e.Type, e.PrimarySourceURL = t, l.submission.URL
	switch t {
	case catalog.TypeAPI:
		e.API = &catalog.APIDetails{BaseURL: l.submission.URL}
	case catalog.TypeDataset:
		if len(a.body) > 0 {
			b.Files(source.FilePaths{List: "the address"}, []source.File{{AccessURL: a.url, DownloadURL: a.url, Formats: []string{a.media, a.url}, MediaType: a.media}})
		}
	}
	d := b.Done()
	d.Rows = append(d.Rows, l.row("primary_source_url", catalog.BasisInherited, "the address that was proposed"))
	l.complete(&d)
	return d
}

// complete adds to a draft what only the submitter says. What the source says
// itself is never replaced. The submitter's words are foreign text like any
// other and are cleaned the same way.
func (l *look) complete(d *source.Draft) {
	s, e := l.submission, &d.Entry
	say := func(dst *string, field, text string, limit int) {
		text, _ = source.Cut(text, limit)
		if *dst != "" || text == "" {
			return
		}
		*dst = text
		d.Rows = append(d.Rows, l.row(field, catalog.BasisInherited, statedNote))
	}
	line := func(raw string) string {
		raw, _ = source.Line(source.HTMLText(raw))
		return raw
	}
	say(&e.Name, "name", line(s.Name), catalog.NameMax)
	say(&e.Description, "description", source.HTMLText(s.Description), catalog.DescriptionMax)
	say(&e.CountryCode, "country_code", s.CountryCode, 2)
	say(&e.DocsURL, "docs_url", s.DocsURL, catalog.URLMax)
	if name := line(s.Institution); d.PublisherName == "" && name != "" {
		d.PublisherName = name
		say(&e.PublisherName, "publisher_name", name, catalog.NameMax)
	}
	if e.PrimarySourceURL == "" {
		say(&e.PrimarySourceURL, "primary_source_url", s.URL, catalog.URLMax)
	}
	if e.Name == "" {
		e.Name = nameOf(s.URL)
		d.Rows = append(d.Rows, l.row("name", catalog.BasisComputed, "made of the address, as nothing names the source"))
	}
	if s.Type != "" && s.Type != e.Type {
		l.find("proposed as %s, found to be %s", s.Type, e.Type)
	}
	if e.SourceSeedURL == "" {
		e.SourceSeedURL = s.URL
	}
}

// nameOf makes a name of an address: its host and the last part of its path.
func nameOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	last := path.Base(u.Path)
	if last == "/" || last == "." {
		return u.Hostname()
	}
	return u.Hostname() + " " + strings.NewReplacer("-", " ", "_", " ").Replace(last)
}
