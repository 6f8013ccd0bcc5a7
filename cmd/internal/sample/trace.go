package sample

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// expand turns a run-length trace such as "U116 D2 U2" into one letter a slot,
// with blanks in front for the slots before the source was listed.
func expand(trace string) (string, error) {
	var b strings.Builder
	for _, run := range strings.Fields(trace) {
		n := 1
		if len(run) > 1 {
			var err error
			if n, err = strconv.Atoi(run[1:]); err != nil || n < 1 {
				return "", fmt.Errorf("trace %q: run %q: write a letter and a number", trace, run)
			}
		}
		if !strings.ContainsRune("UATDSHNWR-", rune(run[0])) {
			return "", fmt.Errorf("trace %q: unknown outcome %q", trace, run[:1])
		}
		b.WriteString(strings.Repeat(run[:1], n))
	}
	if b.Len() > slots {
		return "", fmt.Errorf("trace %q has %d slots, at most %d fit", trace, b.Len(), slots)
	}
	return strings.Repeat(" ", slots-b.Len()) + b.String(), nil
}

// outcomes says what each letter of a trace recorded.
var outcomes = map[byte]catalog.Check{
	'U': {Up: true, HTTPStatus: 200},
	'A': {Up: true, HTTPStatus: 401, RequiresAuth: true},
	'T': {Class: catalog.ErrorTimeout, Error: "no answer within 10 s"},
	'D': {Class: catalog.ErrorDNS, Error: "no such host"},
	'S': {Class: catalog.ErrorTLS, Error: "certificate has expired"},
	'H': {Class: catalog.ErrorHTTP, HTTPStatus: 503, Error: "status 503"},
	'N': {Class: catalog.ErrorHTTP, HTTPStatus: 404, Error: "status 404"},
	'W': {Class: catalog.ErrorContentType, HTTPStatus: 200, ContentType: "text/html", Error: "an HTML page where data was promised"},
	'R': {Class: catalog.ErrorRateLimited, HTTPStatus: 429, Error: "status 429"},
}

// check is the recorded check of a slot. Its minute and latency vary with the
// entry and the slot, always in the same way.
func check(e *catalog.Entry, r *record, slot int, letter byte) catalog.Check {
	c := outcomes[letter]
	h := fnv.New32a()
	fmt.Fprintf(h, "%s|%d", e.ID, slot)
	noise := h.Sum32()
	c.EntryID, c.At = e.ID, slotAt(slot).Add(time.Duration(noise%3600)*time.Second)
	c.Kind, c.URL, c.Method = probe(e)
	c.Vantages = 1
	if letter == 'U' {
		c.ContentType = promised(e, c.Kind)
		c.LatencyMS = r.Checks.Latency * (80 + int(noise/3600%60)) / 100
		c.Bytes = int64(noise % 40_000)
	}
	if letter == 'A' {
		c.ContentType = "application/json"
		c.LatencyMS = r.Checks.Latency
	}
	return c
}

// probe is the kind of probe that fits an entry, and what it asks.
func probe(e *catalog.Entry) (kind, url, method string) {
	switch e.Type {
	case catalog.TypeMCPServer:
		return "mcp", e.MCP.EndpointURL, "POST"
	case catalog.TypeDataset:
		if e.Dataset != nil && len(e.Dataset.Distributions) > 0 {
			return "distribution", e.Dataset.Distributions[0].DownloadURL, "HEAD"
		}
		return "http", e.PrimarySourceURL, "GET"
	}
	switch d := e.API; {
	case d == nil:
		return "http", e.PrimarySourceURL, "GET"
	case strings.HasPrefix(d.SpecFormat, "ogc-") || d.SpecFormat == "sparql" || d.SpecFormat == "odata":
		return strings.TrimSuffix(strings.SplitN(d.SpecFormat, "-", 2)[0], "-"), d.BaseURL, "GET"
	case d.PingURL != "":
		return "http", d.PingURL, "GET"
	case d.OpenAPIURL != "":
		return "openapi", d.OpenAPIURL, "GET"
	default:
		return "http", d.BaseURL, "GET"
	}
}

func promised(e *catalog.Entry, kind string) string {
	switch {
	case kind == "ogc":
		return "application/xml"
	case kind == "distribution" && e.Dataset.Distributions[0].MediaType != "":
		return e.Dataset.Distributions[0].MediaType
	}
	return "application/json"
}
