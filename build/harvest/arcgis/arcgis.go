// Package arcgis reads what ArcGIS publishes: the datasets of a Hub by its feed
// of DCAT-US, which says more of files than the search of the Hub, and the
// services of a server by its directory. A service is one entry; its layers and
// tables are members of it.
package arcgis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "arcgis"

// Connector implements source.Connector.
type Connector struct {
	// DCATUS reads the feed of a Hub.
	DCATUS source.Connector
}

// servicesPath is the part of an address that tells a directory of services.
const servicesPath = "/rest/services"

// feedPath is where a Hub has its feed.
const feedPath = "/api/feed/dcat-us/1.1.json"

// Run implements source.Connector. An address with /rest/services in it is that
// of a server, or of a folder or service of it; any other is a Hub. The cursor
// of a server is the last service that was taken. Captured files are feeds.
func (c Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	if in.Fetch == nil {
		return c.DCATUS.Run(ctx, in, emit, reject)
	}
	at, err := in.Address()
	if err != nil {
		return err
	}
	if strings.Contains(at.Path, servicesPath) {
		s := &server{in: &in, emit: emit, reject: reject, services: map[string]bool{}}
		return s.run(ctx, at)
	}
	if !strings.Contains(at.Path, "/api/feed/") {
		at = at.JoinPath(feedPath)
		at.RawQuery = ""
	}
	in.Name = at.String()
	return c.DCATUS.Run(ctx, in, emit, reject)
}

// server is a run over a directory of services.
type server struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
	// services are the addresses of those that are read.
	services map[string]bool
	// last is the document that was read last.
	last []byte
}

// Bounds of a directory.
const (
	foldersMax  = 2000
	servicesMax = 100_000
	// marked is after how many services the run stores how far it is.
	marked = 20
)

// types are the kinds of services that give data; others compute.
var types = []string{"FeatureServer", "MapServer", "ImageServer"}

// directory is what a server says of itself or of a folder.
type directory struct {
	Folders  source.LooseList `json:"folders"`
	Services []struct {
		Name source.Loose `json:"name"`
		Type source.Loose `json:"type"`
	} `json:"services"`
	Error *fault `json:"error"`
}

// fault is how a server says no, with status 200.
type fault struct {
	Code    source.LooseInt `json:"code"`
	Message source.Loose    `json:"message"`
}

func (s *server) run(ctx context.Context, at *url.URL) error {
	base := *at
	base.RawQuery, base.Fragment, base.Path = "", "", strings.TrimRight(at.Path, "/")
	if kind := base.Path[strings.LastIndexByte(base.Path, '/')+1:]; slices.Contains(types, kind) {
		return s.service(ctx, base.String())
	}
	root, rest, _ := strings.Cut(base.Path, servicesPath)
	base.Path = root + servicesPath
	if err := s.list(ctx, &base, strings.Trim(rest, "/")); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(s.services))
	for i, name := range names {
		if name <= s.in.Cursor {
			continue
		}
		if err := s.service(ctx, name); err != nil {
			return err
		}
		if i%marked == marked-1 && i < len(names)-1 {
			if err := s.in.Done(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// list collects the services of a folder and of those in it.
func (s *server) list(ctx context.Context, base *url.URL, folder string) error {
	queue, seen := []string{folder}, map[string]bool{folder: true}
	for len(queue) > 0 {
		at := base.JoinPath(queue[0]).String()
		prefix := queue[0]
		queue = queue[1:]
		var d directory
		bad, err := s.get(ctx, at, &d, func() *fault { return d.Error })
		if err != nil {
			return err
		}
		if bad != nil {
			if err := s.reject(*bad); err != nil {
				return err
			}
			continue
		}
		for _, name := range d.Folders {
			name = strings.Trim(prefix+"/"+strings.Trim(name, "/"), "/")
			if !seen[name] && len(seen) < foldersMax {
				seen[name] = true
				queue = append(queue, name)
			}
		}
		for _, x := range d.Services {
			// Names begin with the folder.
			address := base.JoinPath(string(x.Name), string(x.Type)).String()
			if err := s.add(address, string(x.Name), string(x.Type)); err != nil {
				return err
			}
		}
	}
	return nil
}

// add notes a service to read; one that computes is rejected.
func (s *server) add(address, name, kind string) error {
	if s.services[address] || len(s.services) >= servicesMax {
		return nil
	}
	if !slices.Contains(types, kind) {
		return s.reject(source.Rejection{Place: address, Code: source.CodeNotData, Reason: fmt.Sprintf("%s is a %s, which gives no data", name, kind), Remedy: "nothing to do"})
	}
	s.services[address] = true
	return nil
}

// service emits or rejects one service.
func (s *server) service(ctx context.Context, address string) error {
	var d service
	bad, err := s.get(ctx, address, &d, func() *fault { return d.Error })
	if err != nil {
		return err
	}
	if bad == nil {
		var draft source.Draft
		if draft, bad = s.draft(&d, address); bad == nil {
			draft.Document(s.last)
			return s.emit(draft)
		}
	}
	bad.UpstreamRef = s.ref(address)
	return s.reject(*bad)
}

// get reads a document of the server. What the server refuses is a rejection;
// that it fails is an error, so that nothing is taken for gone.
func (s *server) get(ctx context.Context, address string, v any, said func() *fault) (*source.Rejection, error) {
	resp, err := s.in.Fetch(ctx, source.Request{URL: address + "?f=json", Accept: "application/json", Unconditional: true})
	var e *source.FetchError
	if errors.As(err, &e) && slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone}, e.Status) {
		return &source.Rejection{Place: address, Code: source.CodeUnreadable, Reason: fmt.Sprintf("the server lists it and answers %d for it", e.Status), Remedy: "publish the service, or take it out of the directory"}, nil
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	limit := int64(s.in.Limits.OrDefault().Record)
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", address, err)
	}
	if int64(len(data)) > limit {
		return &source.Rejection{Place: address, Code: source.CodeRecordTooLarge, Reason: "the document is longer than the limit", Remedy: "split the service"}, nil
	}
	s.last = data
	if err := json.Unmarshal(data, v); err != nil {
		return &source.Rejection{Place: address, Code: source.CodeBrokenJSON, Reason: "the server did not answer with JSON: " + err.Error(), Remedy: "enable the services directory of the server"}, nil
	}
	f := said()
	if f == nil {
		return nil, nil
	}
	text, _ := source.Line(string(f.Message))
	text, _ = source.Cut(text, 300)
	bad := &source.Rejection{Place: address, Code: source.CodeUpstreamError, Reason: fmt.Sprintf("the server answered with the error %d: %s", f.Code, text), Remedy: "start the service, or take it out of the directory"}
	if f.Code == 401 || f.Code == 403 || f.Code == 498 || f.Code == 499 {
		bad.Code, bad.Remedy = source.CodePrivate, "share the service with everyone"
	}
	return bad, nil
}
