package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// site is the folder of a built site, or the address of a service.
type site string

var uuid = regexp.MustCompile(`/api/v1/entries/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"`)

// ids are the entries of the site in order.
func (s site) ids() ([]string, error) {
	b, err := s.get("routes.ndjson", "")
	var ids []string
	for lines := bufio.NewScanner(strings.NewReader(string(b))); lines.Scan(); {
		if m := uuid.FindStringSubmatch(lines.Text()); m != nil {
			ids = append(ids, m[1])
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if err == nil && len(ids) == 0 {
		err = errors.New("no entries in " + string(s))
	}
	return ids, err
}

// errLimited tells that a service refuses to make any more of what it makes when asked.
var errLimited = errors.New("too many requests")

// documentMax bounds what is read of a document.
const documentMax = 1 << 30

// get is the document of a route, which has a name in a folder; nil where there is none.
func (s site) get(route, name string) ([]byte, error) {
	if !strings.Contains(string(s), "://") {
		b, err := os.ReadFile(filepath.Join(string(s), filepath.FromSlash(route), name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return b, err
	}
	answer, err := http.Get(string(s) + "/" + route)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(io.LimitReader(answer.Body, documentMax))
	switch {
	case answer.StatusCode == http.StatusNotFound:
		return nil, nil
	case answer.StatusCode == http.StatusTooManyRequests:
		return nil, errLimited
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("/%s: %s", route, answer.Status)
	}
	return b, err
}

// object reads the JSON of a route into v.
func (s site) object(route string, v any) error {
	b, err := s.get(route, "index.json")
	if err == nil && b == nil {
		err = fmt.Errorf("/%s is not there", route)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// states are the verification states of all entries by their slugs.
func (s site) states(ids []string) (map[string]string, error) {
	all := make(map[string]string, len(ids))
	for _, id := range ids {
		var e struct {
			Slug  string `json:"slug"`
			State string `json:"verification_state"`
		}
		if err := s.object("api/v1/entries/"+id, &e); err != nil {
			return nil, err
		}
		all[e.Slug] = e.State
	}
	return all, nil
}

// badge is what a badge says: the part of its label behind the colon.
func (s site) badge(id, kind string) (string, error) {
	b, err := s.get("api/v1/badges/"+id+"/"+kind, "index.svg")
	_, rest, _ := strings.Cut(string(b), `aria-label="`)
	label, _, _ := strings.Cut(rest, `"`)
	_, said, _ := strings.Cut(label, ": ")
	return said, err
}
