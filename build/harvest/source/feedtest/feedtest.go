// Package feedtest helps the tests of the connectors that read JSON: a live
// source made of pages, captured files, and the rules that every draft keeps.
package feedtest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

// Site is a live source of fixed pages.
type Site struct {
	// Answer gives the body of a page; an empty one is 404.
	Answer func(url string) string
	// Asked are the addresses in the order of the requests, Marks the cursors.
	Asked, Marks []string
}

// Input is a run against the site, whose catalogue is at the address.
func (s *Site) Input(address string, filters map[string]string) source.Input {
	return source.Input{Name: address, Now: sourcetest.Now, Source: catalog.Source{ID: "s", URL: address, Filters: filters},
		Fetch: s.fetch, Mark: func(cursor string) error { s.Marks = append(s.Marks, cursor); return nil }}
}

var errMissing = errors.New("no such page")

func (s *Site) fetch(_ context.Context, r source.Request) (*source.Response, error) {
	s.Asked = append(s.Asked, r.URL)
	if len(s.Asked) > 1000 {
		return nil, &source.FetchError{URL: r.URL, Status: 429, Attempts: 1, Err: errors.New("asked too often")}
	}
	body := s.Answer(r.URL)
	if body == "" {
		return nil, &source.FetchError{URL: r.URL, Status: 404, Attempts: 1, Err: errMissing}
	}
	return &source.Response{Body: io.NopCloser(strings.NewReader(body)), URL: r.URL}, nil
}

// File is a run over one captured file.
func File(name string, data []byte, address string) source.Input {
	return source.Input{Name: name, Now: sourcetest.Now, Source: catalog.Source{ID: "s", URL: address},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// Unzip is the content of a captured file, unpacked if it is packed.
func Unzip(t testing.TB, data []byte) []byte {
	t.Helper()
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Family runs a connector over every file below a folder of the real inputs.
// records counts, in its own way, how many a file holds; negative is a file
// that is not counted. It returns what came of each file, by path.
func Family(t *testing.T, c source.Connector, folder, address string, records func(name string, data []byte) int) map[string]sourcetest.Outcome {
	t.Helper()
	dir := sourcetest.Shared(t, folder)
	all := map[string]sourcetest.Outcome{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		o := sourcetest.Run(t, c, File(rel, data, address))
		want := records(rel, Unzip(t, data))
		t.Logf("%s: %d in, %d emitted, %d rejected %v", rel, want, len(o.Drafts), len(o.Rejections), o.Codes())
		if want >= 0 && len(o.Drafts)+len(o.Rejections) != want {
			t.Errorf("%s: %d records in, %d emitted and %d rejected", rel, want, len(o.Drafts), len(o.Rejections))
		}
		CheckOutcome(t, o)
		all[rel] = o
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// CheckOutcome checks every draft and every rejection.
func CheckOutcome(t testing.TB, o sourcetest.Outcome) {
	t.Helper()
	for i := range o.Drafts {
		if err := check(&o.Drafts[i]); err != nil {
			t.Errorf("%s: %v", o.Drafts[i].Place, err)
		}
	}
	for _, r := range o.Rejections {
		if r.Place == "" || r.Code == "" || r.Reason == "" {
			t.Errorf("a rejection without place, code or reason: %+v", r)
		}
	}
}

// check holds a draft to the rules of the register: Validate, as far as it
// does not need what only the run gives.
func check(d *source.Draft) error {
	e := d.Entry
	e.ID, e.Slug, e.Status = catalog.NewID("entry", "x"), "x", catalog.StatusActive
	e.IdentityKey, e.MatchKey = "i", "m"
	e.CreatedAt, e.UpdatedAt = sourcetest.Now, sourcetest.Now
	if e.FreeAccessClass == "" {
		e.FreeAccessClass = catalog.AccessUnknown
	}
	if e.AuthType == "" {
		e.AuthType = catalog.AuthUnknown
	}
	if err := e.Validate(); err != nil {
		return err
	}
	if e.PrimarySourceURL == "" {
		return errors.New("no primary address")
	}
	if d.Repaired > d.Delivered {
		return fmt.Errorf("%d of %d fields repaired", d.Repaired, d.Delivered)
	}
	if e.Contact != nil && e.Contact.Email != "" && !strings.Contains(e.Contact.Email, "@gmail.") && source.PersonalMail(e.Contact.Email, "Agency") && !source.CalledAs(&e, e.Contact.Email) {
		return fmt.Errorf("the contact is a person's: %s", e.Contact.Email)
	}
	if e.Dataset != nil {
		if err := checkDataset(e.Dataset); err != nil {
			return err
		}
	}
	return checkRows(d)
}

func checkDataset(d *catalog.DatasetDetails) error {
	for _, f := range d.Distributions {
		for _, u := range []string{f.AccessURL, f.DownloadURL} {
			if u == "" {
				continue
			}
			if err := catalog.CheckFileURL("distribution", u); err != nil {
				return err
			}
		}
		if f.AccessURL == "" || strings.ToUpper(f.Format) != f.Format || f.ByteSize < 0 {
			return fmt.Errorf("distribution %+v", f)
		}
		if err := catalog.CheckText("title", f.Title, catalog.NameMax); err != nil {
			return err
		}
	}
	if !d.TemporalEnd.IsZero() && d.TemporalEnd.Before(d.TemporalStart) {
		return errors.New("the period ends before it begins")
	}
	for _, place := range d.Spatial {
		if err := catalog.CheckText("spatial", place, 300); err != nil {
			return err
		}
	}
	return nil
}

func checkRows(d *source.Draft) error {
	has := map[string]bool{}
	for _, r := range d.Rows {
		if r.Field == "" || r.ObservedAt.IsZero() || len(r.Note) > 500 {
			return fmt.Errorf("row %+v", r)
		}
		has[r.Field] = has[r.Field] || r.Basis != catalog.BasisNotDelivered
	}
	e := &d.Entry
	for field, set := range map[string]bool{"name": e.Name != "", "description": e.Description != "", "tags": len(e.Tags) > 0,
		"license_raw": e.LicenseRaw != "", "publisher_name": e.PublisherName != "", "contact": e.Contact != nil, "formats": len(e.Formats) > 0,
		"source_modified_at": e.SourceModifiedAt != time.Time{}, "country_code": e.CountryCode != "", "upstream_ref": e.UpstreamRef != "",
		"themes": len(e.Themes) > 0, "native_lang": e.NativeLang != ""} {
		if set && !has[field] {
			return fmt.Errorf("nothing says where %s is from", field)
		}
	}
	return nil
}

// Note is the note on a field, or "".
func Note(d *source.Draft, field string) string {
	for _, r := range d.Rows {
		if r.Field == field && r.Note != "" {
			return r.Note
		}
	}
	return ""
}

// Upstream is the path that a field came from, or "".
func Upstream(d *source.Draft, field string) string {
	for _, r := range d.Rows {
		if r.Field == field && r.Basis != catalog.BasisNotDelivered {
			return r.UpstreamField
		}
	}
	return ""
}
