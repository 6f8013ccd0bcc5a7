// Package profile samples the data behind an entry and says what it found: the
// fields with their types, the canonical identifiers, the columns that can
// identify a person, and a few rows in which those are masked (decisions,
// section 5, "Profile"). The same bytes and hint give the same profile.
package profile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/assay-register/assay/build/profile/format"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// Bounds of a sample.
const (
	// MaxBytes is how much of a source is read, and of a compressed one how
	// much is unpacked.
	MaxBytes = 5 << 20
	// MaxTime is how long a sample may take, reading included.
	MaxTime = 30 * time.Second
	// MaxRows is how many sample rows a profile shows.
	MaxRows = 20
)

// Statuses of a profile.
const (
	StatusOK          = catalog.ProfileOK
	StatusUnsupported = catalog.ProfileUnsupported
	StatusError       = catalog.ProfileError
)

// Hint is what is known about a source beside its bytes. All members may be
// empty, and bytes win over them.
type Hint struct {
	// URL is where the bytes came from; it becomes the profile's source and
	// the base of its query examples.
	URL string
	// MediaType is the Content-Type, with its charset if it has one.
	MediaType string
	// Name is the file's name, if it is not the end of the URL.
	Name string
	// Size is the size of the whole source in bytes, 0 if unknown.
	Size int64
	// Language is the BCP 47 tag of the data.
	Language string
}

// Sample reads at most MaxBytes of r and profiles them. What the bytes are not
// good for is in the profile's status and error message; an error is returned
// only if r fails or ctx ends, when a later attempt may succeed. The caller
// sets id, entry and times. r must end when ctx does.
func Sample(ctx context.Context, r io.Reader, h Hint) (catalog.Profile, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	raw, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return catalog.Profile{}, fmt.Errorf("read the sample of %q: %w", h.URL, err)
	}
	s := newSample(raw, &h)
	p := catalog.Profile{Source: h.URL, SampledBytes: int64(len(s.raw)), Truncated: s.truncated, DataSizeBytes: s.size()}
	t, err := s.read(ctx, &p)
	if ctx.Err() != nil {
		return catalog.Profile{}, fmt.Errorf("profile %q: %w", h.URL, ctx.Err())
	}
	switch {
	case err != nil:
		p.Status, p.ErrorMessage = StatusError, err.Error()
		if errors.Is(err, format.ErrUnsupported) {
			p.Status, p.ErrorMessage = StatusUnsupported, strings.TrimPrefix(err.Error(), format.ErrUnsupported.Error()+": ")
		}
		return p, nil
	case t != nil:
		fill(&p, t)
		p.RecordCount, p.CountEstimated = s.count(t)
		p.QueryExamples = Examples(&p)
	}
	if p.Status = StatusOK; len(p.Fields) == 0 {
		p.Status, p.ErrorMessage = StatusError, "the "+p.Kind+" file has no fields"
	}
	p.Previewable, _ = p.Preview(catalog.RightUnknown)
	return p, nil
}

// sampled are the bytes of a sample as they came and as they are read.
type sampled struct {
	hint      *Hint
	raw, data []byte
	truncated bool
	packed    bool
	fault     error
}

func newSample(raw []byte, h *Hint) *sampled {
	s := &sampled{hint: h, raw: raw, data: raw}
	if len(raw) > MaxBytes {
		s.raw, s.data, s.truncated = raw[:MaxBytes], raw[:MaxBytes], true
	}
	if h.Size > int64(len(s.raw)) {
		s.truncated = true
	}
	s.unpack()
	return s
}

func (s *sampled) size() *int64 {
	n := s.hint.Size
	if !s.truncated || !s.packed && n == 0 && len(s.raw) < MaxBytes {
		n = int64(len(s.raw))
	}
	if n <= 0 {
		return nil
	}
	return &n
}

func (s *sampled) read(ctx context.Context, p *catalog.Profile) (*table.Table, error) {
	if s.fault != nil {
		return nil, s.fault
	}
	name := s.hint.Name
	if u, err := url.Parse(s.hint.URL); err == nil && name == "" {
		name = path.Base(u.Path)
	}
	kind, err := format.Detect(s.data, s.hint.MediaType, name)
	p.Kind = kind
	if err != nil {
		p.Kind = "unknown"
		return nil, err
	}
	if kind == format.OpenAPI {
		return nil, describeAPI(ctx, s.data, s.truncated, p)
	}
	_, params, _ := mime.ParseMediaType(s.hint.MediaType)
	return format.Read(ctx, kind, s.data, format.Options{Truncated: s.truncated, Charset: params["charset"], Language: s.hint.Language,
		Limits: table.DefaultLimits, Known: personal.KnownHeader, Private: personal.Private, Name: personal.LooksLikeName})
}

// count is exact if the whole file was read, else extrapolated by size, else
// unknown. A packed sample says nothing about the size of the rest.
func (s *sampled) count(t *table.Table) (*int64, bool) {
	if t.Total != nil {
		return t.Total, false
	}
	if s.packed || s.hint.Size <= int64(len(s.raw)) || len(s.raw) == 0 || t.Count == 0 {
		return nil, false
	}
	n := int64(float64(t.Count) * float64(s.hint.Size) / float64(len(s.raw)))
	return &n, true
}
