package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/usage"
)

// File is one file or access point of a dataset as the source states it.
type File struct {
	Title, Description     string
	AccessURL, DownloadURL string
	// Others are further addresses of the file.
	Others []string
	// Languages are the file's own, in any spelling.
	Languages []string
	// Formats say what it is, the most trusted first: label, media type. The
	// address of a download is asked last.
	Formats   []string
	MediaType string
	Licence   string
	Modified  string
	// Size is in bytes; 0 is unknown.
	Size int64
}

// FilePaths are the upstream paths of the members of a File, for provenance.
type FilePaths struct{ List, URL, Format string }

// filesMax bounds the files of one dataset that are kept.
const filesMax = 2_000

// Bounds of one file: the bytes of its description, and its further addresses.
const (
	fileTextMax  = 2_000
	addressesMax = 500
)

// Files sets the distributions of a dataset and its formats. A file without a
// usable address is left out, which is noted; repetitions are dropped.
func (b *Builder) Files(paths FilePaths, files []File) {
	var kept []catalog.Distribution
	var formats []string
	var problem error
	missing, broken, halves, repaired := 0, 0, 0, 0
	for i := range files {
		if len(kept) == filesMax {
			b.Refuse("dataset.distributions", paths.List, fmt.Sprintf("only the first %d of %d files are kept", filesMax, len(files)))
			break
		}
		d, repair, err := b.distribution(&files[i])
		switch {
		case d.AccessURL == "" && err != nil:
			broken, problem = broken+1, err
		case d.AccessURL == "":
			missing++
		case !slices.ContainsFunc(kept, func(k catalog.Distribution) bool { return sameFile(&k, &d) }):
			kept = append(kept, d)
			formats = append(formats, formatsOf(&files[i], &d)...)
			if repair {
				repaired++
			}
			if err != nil {
				halves, problem = halves+1, err
			}
		}
	}
	b.lost(paths.URL, len(files), missing, broken, halves, problem)
	if len(kept) == 0 {
		return
	}
	note := ""
	if repaired > 0 {
		note = fmt.Sprintf("the addresses of %d files were repaired", repaired)
	}
	b.Dataset().Distributions = kept
	b.Deliver("dataset.distributions", paths.List, "", note)
	b.formats(paths.Format, formats)
}

// formatsOf are the formats of one file: the one that its address names where that contradicts the
// source, else what the source states.
func formatsOf(f *File, d *catalog.Distribution) []string {
	if seen := usage.FormatOf(d); d.Format != "" && seen != d.Format {
		code, _ := Format(seen)
		return []string{code}
	}
	return append(stated([]File{*f}), d.Format)
}

// ServiceFormats sets the formats that a service lists as its distributions.
func (b *Builder) ServiceFormats(upstream string, files []File) {
	b.formats(upstream, stated(files))
}

// stated are the formats that the files state, all of them where a file states
// several, such as CSV in a ZIP, and labels that the table does not have, such as
// an IMG in a RAR.
func stated(files []File) (codes []string) {
	for i := range files {
		for _, raw := range files[i].Formats {
			if code, known := Format(raw); known || !strings.Contains(raw, "/") {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// sameFile tells that a source lists one file twice.
func sameFile(a, b *catalog.Distribution) bool {
	return a.AccessURL == b.AccessURL && a.DownloadURL == b.DownloadURL && a.Title == b.Title && a.Description == b.Description &&
		a.Format == b.Format && a.MediaType == b.MediaType && a.LicenseRaw == b.LicenseRaw && a.ByteSize == b.ByteSize &&
		a.ModifiedAt.Equal(b.ModifiedAt) && slices.Equal(a.OtherURLs, b.OtherURLs) && slices.Equal(a.Languages, b.Languages)
}

// lost notes the addresses that could not be kept: of files without any, of
// files without a usable one, and of files that have another.
func (b *Builder) lost(upstream string, all, missing, broken, halves int, problem error) {
	switch {
	case broken > 0:
		b.Refuse("dataset.distributions", upstream, fmt.Sprintf("%d of %d files have no usable address: %v", missing+broken, all, problem))
	case missing > 0:
		b.Refuse("dataset.distributions", upstream, fmt.Sprintf("%d of %d files have no address", missing, all))
	}
	if halves > 0 {
		b.Refuse("dataset.distributions", upstream, fmt.Sprintf("one of two addresses of %d files cannot be used: %v", halves, problem))
	}
}

// distribution makes one file ready; repair says that an address of it was
// mended, err why one cannot be used.
func (b *Builder) distribution(f *File) (d catalog.Distribution, repair bool, err error) {
	fix := func(raw string) string {
		u, note, bad := b.fileURL(raw)
		repair = repair || note
		if bad != nil {
			err = bad
		}
		return u
	}
	d.DownloadURL = fix(f.DownloadURL)
	if f.AccessURL != f.DownloadURL {
		d.AccessURL = fix(f.AccessURL)
	}
	if d.AccessURL == "" {
		d.AccessURL = d.DownloadURL
	}
	d.Title, _ = Line(f.Title)
	d.Title, _ = Cut(d.Title, catalog.NameMax)
	d.Description, _, _ = readable(f.Description)
	d.Description, _ = Cut(d.Description, fileTextMax)
	d.Languages = LanguageTags(f.Languages)
	for _, raw := range f.Others {
		u := fix(raw)
		if d.AccessURL == "" {
			d.AccessURL = u // the first that can be used
			continue
		}
		if u != "" && u != d.AccessURL && u != d.DownloadURL && !slices.Contains(d.OtherURLs, u) && len(d.OtherURLs) < addressesMax {
			d.OtherURLs = append(d.OtherURLs, u)
		}
	}
	d.MediaType = MediaType(f.MediaType)
	address := d.DownloadURL
	if address == "" {
		address = d.AccessURL
	}
	d.Format, _ = Format(append(slices.Clone(f.Formats), f.MediaType, address)...)
	if d.Format == "GRID_ASCII" && d.MediaType == "application/pgp-keys" {
		d.MediaType = "" // what tables of extensions make of .asc, which is a grid here
	}
	d.LicenseRaw, _ = Line(f.Licence)
	d.LicenseRaw, _ = Cut(d.LicenseRaw, catalog.RawLicenceMax)
	d.ByteSize = max(f.Size, 0)
	if f.Modified != "" {
		// A date that is none costs the date of this file only.
		d.ModifiedAt, _, _ = ParseDate("modified", inCountry(b.in.Source.CountryCode, f.Modified))
	}
	return d, repair, err
}

// fileURL repairs an address; an empty one is none and no fault.
func (b *Builder) fileURL(raw string) (u string, repaired bool, err error) {
	if raw == "" {
		return "", false, nil
	}
	if raw, _ = Clean(raw); raw == "" {
		return "", false, nil
	}
	u, note, err := b.urls.RepairFile("access_url", raw)
	return u, note != "", err
}

// WebFile is the first address of files that is one of the web, "" for none.
func WebFile(files []catalog.Distribution) string {
	for i := range files {
		for _, u := range [...]string{files[i].AccessURL, files[i].DownloadURL} {
			if _, _, ftp := catalog.CutFTP(u); u != "" && !ftp {
				return u
			}
		}
	}
	return ""
}

// formats sets the formats, each once.
func (b *Builder) formats(upstream string, formats []string) {
	formats = slices.DeleteFunc(formats, func(f string) bool { return f == "" })
	if formats = distinct(formats); len(formats) == 0 {
		return
	}
	if len(formats) > catalog.ListMax {
		formats = formats[:catalog.ListMax]
	}
	b.Draft.Entry.Formats = formats
	b.Remark("formats", upstream, "mapped to the EU file-type table", "")
}
