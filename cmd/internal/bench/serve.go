//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/dynamic"
)

// publishVerb does what `assay publish --whole --to file://DIR` does.
func publishVerb(flags *flag.FlagSet) func(context.Context) error {
	site := flags.String("site", "out", "folder of the snapshot files")
	to := flags.String("to", "", "directory to publish into")
	return func(ctx context.Context) error {
		d, err := bucket.OpenDir(*to)
		if err != nil {
			return err
		}
		_, err = publish.Publish(ctx, d, publish.Site{Root: *site, Whole: true}, publish.Options{Workers: 16, Keep: 3, KeepFor: 2 * time.Hour, Now: sample.Instant})
		return err
	}
}

// served is what serveVerb prints: how long answers to searches took, in milliseconds.
type served struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// serveVerb asks the service for a folder of snapshot files one search after the other.
func serveVerb(flags *flag.FlagSet) func(context.Context) error {
	site := flags.String("site", "out", "folder of the snapshot files")
	in := flags.String("in", "register.ndjson", "register from which the names are that are searched for")
	n := flags.Int("n", 1000, "number of searches")
	return func(ctx context.Context) error {
		names, err := namesIn(*in, *n)
		if err != nil {
			return err
		}
		s, err := dynamic.New(dynamic.Config{SiteDir: *site, Limits: dynamic.Limits{Reads: 1 << 30, Writes: 1, Proxy: 1}})
		if err != nil {
			return err
		}
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		took := make([]float64, 0, *n)
		for _, name := range names {
			began := time.Now()
			if err := ask(ctx, server.URL+"/api/v1/entries/search?q="+url.QueryEscape(name)); err != nil {
				return err
			}
			took = append(took, float64(time.Since(began).Microseconds())/1000)
		}
		slices.Sort(took)
		if len(took) == 0 {
			return fmt.Errorf("%s names no entry", *in)
		}
		return json.NewEncoder(os.Stdout).Encode(served{took[len(took)/2], took[len(took)*95/100]})
	}
}

func ask(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, resp.Status)
	}
	return nil
}

// namesIn are the first names of entries in a register file.
func namesIn(path string, n int) ([]string, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var names []string
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for dec.More() && len(names) < n {
		var l struct {
			Entry struct {
				Name string `json:"name"`
			} `json:"entry"`
		}
		if err := dec.Decode(&l); err != nil {
			return nil, err
		}
		if l.Entry.Name != "" {
			names = append(names, l.Entry.Name)
		}
	}
	return names, nil
}
