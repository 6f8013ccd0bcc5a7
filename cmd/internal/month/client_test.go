//go:build unix

package month

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// client reads the register as the world does.
type client struct {
	base, token string
	http        http.Client
}

func newClient(base string) *client {
	return &client{base: base, http: http.Client{Timeout: 30 * time.Second}}
}

// ask sends a request and reads the JSON of its answer into v, which may be nil.
func (c *client) ask(method, path string, body, v any) (status int, err error) {
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		in = strings.NewReader(string(text))
	}
	url := path
	if !strings.HasPrefix(path, "http") {
		url = c.base + path
	}
	req, err := http.NewRequest(method, url, in)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Accept", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, err
	}
	if v != nil && resp.StatusCode < 300 {
		if err := json.Unmarshal(text, v); err != nil {
			return resp.StatusCode, fmt.Errorf("%s: %w", path, err)
		}
	}
	return resp.StatusCode, nil
}

// listed is an entry as the lists show it.
type listed struct {
	ID, Slug, Name, Status string
	State                  string `json:"verification_state"`
}

var keyOf = regexp.MustCompile(`k\d{3}x\d{2}`)

// keyIn is the key of the item whose title a name is, else the name.
func keyIn(name string) string { return cmp.Or(keyOf.FindString(name), name) }

// entries reads all entries of a status, by the key in their names. An entry
// that is listed twice, or that nobody knows, is told.
func (c *client) entries(status string) (map[string]listed, error) {
	all := map[string]listed{}
	for path := "/api/v1/entries?limit=100&status=" + status; path != ""; {
		var page struct {
			Items []listed
			Links struct{ Next string }
		}
		if code, err := c.ask("GET", path, nil, &page); err != nil || code != http.StatusOK {
			return nil, fmt.Errorf("%s: status %d, %w", path, code, err)
		}
		for _, e := range page.Items {
			key := keyIn(e.Name)
			if _, twice := all[key]; twice {
				return nil, fmt.Errorf("%s is listed twice", e.Name)
			}
			all[key] = e
		}
		path = page.Links.Next
	}
	return all, nil
}

// told is an event of the change feed.
type told struct {
	ID, Type string
	Entry    *struct{ ID string }
	Subject  json.RawMessage
	Changes  map[string]struct{ To any }
	At       time.Time `json:"occurred_at"`
}

// events follows the change feed from a cursor to its end.
func (c *client) events(cursor string) (list []told, next string, err error) {
	for {
		var page struct {
			Events []told
			Next   string `json:"next_cursor"`
			More   bool   `json:"has_more"`
		}
		path := "/api/v1/webhooks/feed/events?limit=100"
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		if code, err := c.ask("GET", path, nil, &page); err != nil || code != http.StatusOK {
			return nil, "", fmt.Errorf("%s: status %d, %w", path, code, err)
		}
		list, cursor = append(list, page.Events...), page.Next
		if !page.More {
			return list, cursor, nil
		}
	}
}
