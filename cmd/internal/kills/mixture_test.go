package kills

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/wire"
)

// documents are what is known of a route in some snapshots.
type documents struct {
	mediaType string
	// sums are the hashes of its bytes, one for each snapshot; shared tells that all have it.
	sums   map[string]bool
	shared bool
}

// routes reads what each of some sites says of its documents.
func (b *bench) routes(sites []string) map[string]*documents {
	b.t.Helper()
	all := map[string]*documents{}
	for _, site := range sites {
		in, err := present(site).Open(b.t.Context(), "/routes.ndjson", "application/x-ndjson")
		if err != nil {
			b.t.Fatal(err)
		}
		for lines := json.NewDecoder(in); lines.More(); {
			var l wire.RouteLine
			if err := lines.Decode(&l); err != nil {
				b.t.Fatal(err)
			}
			if all[l.Route] == nil {
				all[l.Route] = &documents{mediaType: l.Type, sums: map[string]bool{}}
			}
			all[l.Route].sums[l.SHA256] = true
		}
		if err := in.Close(); err != nil {
			b.t.Fatal(err)
		}
	}
	for route, d := range all {
		d.shared = !strings.HasPrefix(route, "/s/")
	}
	return all
}

// pinned are the pages of a snapshot that another page leads to.
var pinned = regexp.MustCompile(`/s/[0-9a-f-]+/api/[^"'?#<>\s\\]+`)

// mixture checks a target to which documents are moved one by one: each that all the snapshots
// have is there, whole, as one of them has it, and the pinned pages that it leads to are there.
func (b *bench) mixture(pages output.Pages, all map[string]*documents) {
	b.t.Helper()
	faults := 0
	fault := func(what, route string) {
		if faults++; faults < 5 {
			b.t.Errorf("after kill %d: %s %s", b.tally.kills, route, what)
		}
	}
	there := map[string]bool{}
	open := func(route string) (string, bool) {
		in, err := pages.Open(b.t.Context(), route, all[route].mediaType)
		if errors.Is(err, fs.ErrNotExist) {
			return "", false
		}
		if err != nil {
			b.t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close()); err != nil {
			b.t.Fatal(err)
		}
		there[route] = true
		return string(body), true
	}
	for route, d := range all {
		body, ok := open(route)
		if !ok {
			if d.shared {
				fault("is not there", route)
			}
			continue
		}
		if sum := sha256.Sum256([]byte(body)); !d.sums[hex.EncodeToString(sum[:])] {
			fault("is of none of the snapshots", route)
		}
		for _, to := range pinned.FindAllString(body, -1) {
			if all[to] == nil { // an example of a description
				continue
			}
			if there[to] {
				continue
			}
			if _, ok := open(to); !ok {
				fault("leads to "+to+", which is not there", route)
			}
		}
	}
	if faults > 0 {
		b.tally.faulty++
	}
	b.tally.faults += faults
	b.tally.worst = max(b.tally.worst, faults)
}
