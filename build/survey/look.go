package survey

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/contract"
	"github.com/assay-register/assay/build/profile"
	"github.com/assay-register/assay/render/catalog"
)

// sampled are the formats that are profiled, the plainest first: of several
// distributions the first in this order is read.
var sampled = []string{"CSV", "TSV", "NDJSON", "JSON", "GEOJSON", "PARQUET", "XLSX", "XML"}

// mediaFormats are the formats of media types.
var mediaFormats = map[string]string{"text/csv": "CSV", "text/tab-separated-values": "TSV", "application/x-ndjson": "NDJSON",
	"application/json": "JSON", "application/geo+json": "GEOJSON", "application/vnd.apache.parquet": "PARQUET",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "XLSX", "application/xml": "XML", "text/xml": "XML"}

// choose is the distribution to be read; false where none has a format that is
// profiled. It is the one that was read before while it is listed: in which order a portal lists
// them, and what else it lists, is no change of the data.
func choose(e *catalog.Entry, before string) (url string, d *catalog.Distribution, ok bool) {
	best := len(sampled)
	for i := range e.Dataset.Distributions {
		x := &e.Dataset.Distributions[i]
		address := cmp.Or(x.DownloadURL, x.AccessURL)
		rank := slices.Index(sampled, formatOf(x))
		if rank >= 0 && address == before {
			rank = -1
		} else if rank < 0 {
			continue
		}
		if rank < best && catalog.CheckURL("download_url", address) == nil {
			url, d, best = address, x, rank
		}
	}
	return url, d, d != nil
}

// formatOf is the format of a distribution: as it is stated, else by its media
// type, else, for a download, by the end of its address.
func formatOf(d *catalog.Distribution) string {
	if d.Format != "" {
		return strings.ToUpper(d.Format)
	}
	media, _, _ := strings.Cut(strings.ToLower(d.MediaType), ";")
	if f := mediaFormats[strings.TrimSpace(media)]; f != "" {
		return f
	}
	name := strings.TrimSuffix(strings.ToLower(path.Base(d.DownloadURL)), ".gz")
	return strings.ToUpper(strings.TrimPrefix(path.Ext(name), "."))
}

func lookAtData(ctx context.Context, client *http.Client, e *catalog.Entry, before string) (*findings, error) {
	if e.Dataset == nil || len(e.Dataset.Distributions) == 0 {
		return nil, nil
	}
	url, d, ok := choose(e, before)
	if !ok {
		return &findings{profile: &catalog.Profile{Source: cmp.Or(e.PrimarySourceURL, e.Dataset.LandingPage), Kind: "unknown", Status: catalog.ProfileUnsupported,
			ErrorMessage: "no distribution has a format that is profiled: " + strings.Join(sampled, ", ")}}, nil
	}
	data, hint, err := read(ctx, client, url)
	if err != nil {
		return failed(ctx, url, err)
	}
	hint.MediaType, hint.Language = cmp.Or(hint.MediaType, d.MediaType), e.NativeLang
	hint.Size = cmp.Or(hint.Size, d.ByteSize)
	p, err := profile.Sample(ctx, bytes.NewReader(data), hint)
	if err != nil {
		return failed(ctx, url, err)
	}
	return &findings{profile: &p, source: url, sum: sha256.Sum256(data), bytes: len(data), sampled: p.Status == catalog.ProfileOK && len(p.Fields) > 0}, nil
}

func lookAtDocument(ctx context.Context, client *http.Client, e *catalog.Entry) (*findings, error) {
	url := e.API.OpenAPIURL
	data, hint, err := read(ctx, client, url)
	if err != nil {
		return failed(ctx, url, err)
	}
	p, err := profile.Sample(ctx, bytes.NewReader(data), hint)
	if err != nil {
		return failed(ctx, url, err)
	}
	f := &findings{profile: &p, source: url, sum: sha256.Sum256(data), bytes: len(data)}
	if doc, bad := profile.Document(ctx, data); bad == nil {
		f.contract, _ = contract.FromOpenAPI(doc) // without paths there is none
	}
	if f.api, err = profile.Describe(ctx, data, url); err != nil {
		f.api = nil
		if p.Status == catalog.ProfileOK {
			// Something else than an API description lies there.
			f.profile, f.failure = nil, "the address of the OpenAPI document: "+err.Error()
		}
	}
	return f, nil
}

// failed is what a look without a result leaves: a note, or nothing where it
// was called off.
func failed(ctx context.Context, url string, err error) (*findings, error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	return &findings{failure: err.Error(), source: url}, nil
}

// read fetches the beginning of a document, at most a byte more than a sample
// takes, so that it is seen that there is more.
func read(ctx context.Context, client *http.Client, url string) ([]byte, profile.Hint, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, profile.Hint{}, err
	}
	// The bytes are counted as they come, and nothing can unfold.
	r.Header.Set("Accept-Encoding", "identity")
	r.Header.Set("Range", "bytes=0-"+strconv.Itoa(profile.MaxBytes))
	resp, err := client.Do(r)
	if err != nil {
		return nil, profile.Hint{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusPartialContent {
		return nil, profile.Hint{}, fmt.Errorf("status %d", resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, profile.MaxBytes+1))
	if err != nil {
		return nil, profile.Hint{}, fmt.Errorf("after %d bytes: %w", len(data), err)
	}
	return data, profile.Hint{URL: url, MediaType: resp.Header.Get("Content-Type"), Size: size(resp)}, nil
}

// size is that of the whole document, 0 if it is not told (RFC 9110, sections
// 8.6 and 14.4).
func size(resp *http.Response) int64 {
	if resp.StatusCode == http.StatusPartialContent {
		_, total, _ := strings.Cut(resp.Header.Get("Content-Range"), "/")
		n, err := strconv.ParseInt(total, 10, 64)
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	return max(0, resp.ContentLength)
}
