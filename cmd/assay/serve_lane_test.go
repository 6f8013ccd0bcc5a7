package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// bothWays asks for every route of a site twice: plainly, as the lane before the
// server answers it, and with a field that the lane does not know, so that the
// server does. The answers are the same.
func bothWays(t *testing.T, base, site string) {
	address := strings.TrimPrefix(base, "http://")
	routes := append(routesListed(t, site), "/nothing", "/browse/", "/index.html", "/api/v1/entries/nothing", "/.assay/lock", "/api/v1/entries?limit=3")
	lane, server := dialRaw(t, address), dialRaw(t, address)
	for i, route := range routes {
		if i%20 == 0 { // a connection that a route has led to the server stays there
			lane.Close()
			lane = dialRaw(t, address)
		}
		head := ""
		if i%5 == 0 {
			head = "Accept-Encoding: gzip, br\r\nAccept: text/html,*/*;q=0.8\r\n"
		}
		want := server.ask(route, head+"X-Unheard-Of: 1\r\n")
		for range 2 { // the second one is repeated
			if got := lane.ask(route, head); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %q: %.500v, without the lane %.500v", route, head, got, want)
			}
		}
	}
}

// routesListed lists the routes of a site.
func routesListed(t *testing.T, site string) (list []string) {
	t.Helper()
	in, err := os.Open(filepath.Join(site, "routes.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for d := json.NewDecoder(in); ; {
		var line struct {
			Route string `json:"route"`
		}
		if err := d.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, line.Route)
	}
	if len(list) < 1000 {
		t.Fatalf("the site has %d routes only", len(list))
	}
	return list
}

// rawClient is one connection.
type rawClient struct {
	net.Conn
	t  *testing.T
	in *bufio.Reader
}

func dialRaw(t *testing.T, address string) *rawClient {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(5 * time.Minute))
	return &rawClient{conn, t, bufio.NewReader(conn)}
}

// rawAnswer is an answer without what no two answers share.
type rawAnswer struct {
	Status int
	Header http.Header
	Body   string
}

// ask sends a request with the given fields.
func (c *rawClient) ask(route, fields string) rawAnswer {
	c.t.Helper()
	if _, err := io.WriteString(c, "GET "+route+" HTTP/1.1\r\nHost: x\r\n"+fields+"\r\n"); err != nil {
		c.t.Fatal(err)
	}
	res, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatalf("%s: %v", route, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatalf("%s: %v", route, err)
	}
	for _, name := range []string{"Date", "X-Request-Id"} {
		if res.Header.Get(name) == "" {
			c.t.Errorf("%s: no %s", route, name)
		}
		res.Header.Del(name)
	}
	return rawAnswer{res.StatusCode, res.Header, string(body)}
}
