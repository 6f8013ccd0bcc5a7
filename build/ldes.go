package build

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/snapshot"
)

// feedLog carries the feed of DCAT-AP on: what the present file has of it stays, to the byte,
// and what this snapshot says otherwise is added. So it is the one thing in a snapshot
// file that depends on the files before it: its old versions are nowhere else. A folder
// without a file begins a feed of its own.
type feedLog struct {
	dcat.Feed
	// before is what the feed said last of each entry, by id; now what it says, by ordinal.
	before, now []standing
	mu          sync.Mutex
	// former gives a document of the file that the feed goes on from.
	former func(route string) (io.Reader, error)
	// spill holds the documents that changed, squeezed.
	spill   *os.File
	end     int64
	changed []changedDocument
}

// standing is an entry and the hash of its document, 0 for one that has none.
type standing struct {
	id   [16]byte
	hash uint64
}

// changedDocument is where the new document of an entry lies in the spill.
type changedDocument struct {
	ordinal, length int
	at              int64
	update          bool
}

// feedState names, among the parts of an encoded snapshot, the document that says where the
// feed stands: a line of its head, then a line for each entry.
const feedState = "ldes.ndjson"

// feedOutdated is how many activities, for each entry, a feed has when a new one is
// begun; feedSpare are those that a small register may have besides.
const (
	feedOutdated = 4
	feedSpare    = 10_000
)

func uuidOf(id string) (u [16]byte) {
	_, _ = hex.Decode(u[:], []byte(strings.ReplaceAll(id, "-", "")))
	return u
}

func idOf(u [16]byte) string {
	s := hex.EncodeToString(u[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// turtleRoute is where the document of an entry lies that the feed has.
func turtleRoute(id string) string { return "/id/" + id + ".ttl" }

func byUUID(a, b standing) int { return slices.Compare(a.id[:], b.id[:]) }

// openFeed reads where the feed stands.
func (r *run) openFeed() (err error) {
	l := &feedLog{now: make([]standing, len(r.catalog.Lines))}
	r.feedLog = l
	if l.spill, err = os.Create(r.file.unfinished("ldes")); err != nil {
		return err
	}
	before := r.file.presented()
	if before == nil {
		return nil
	}
	l.former = func(route string) (io.Reader, error) { return before.Document(route) }
	in, err := before.Document(snapshot.PartRoute(feedState))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = l.read(in)
	}
	if err != nil {
		r.problem("the feed of DCAT-AP begins anew, for where it stood cannot be read: %v", err)
		l.Feed, l.before = dcat.Feed{}, nil
	}
	if l.outlived(r.catalog) {
		l.Feed, l.before = dcat.Feed{}, nil
	}
	return nil
}

// outlived tells whether another generation must begin.
func (l *feedLog) outlived(c *snapshot.Catalog) bool {
	members := 0
	for _, p := range l.Parts {
		members += p.Members
	}
	return l.Base != strings.TrimRight(c.Site.BaseURL, "/") || members > feedOutdated*len(c.Lines)+feedSpare
}

func (l *feedLog) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	if !lines.Scan() {
		return cmp.Or(lines.Err(), io.ErrUnexpectedEOF)
	}
	if err := json.Unmarshal(lines.Bytes(), &l.Feed); err != nil {
		return err
	}
	for lines.Scan() {
		id, sum, _ := strings.Cut(lines.Text(), " ")
		hash, err := strconv.ParseUint(sum, 16, 64)
		if err != nil {
			return err
		}
		l.before = append(l.before, standing{uuidOf(id), hash})
	}
	slices.SortFunc(l.before, byUUID)
	return lines.Err()
}

// see notes the document of the entry at an ordinal, if it has one, and keeps it if it
// states something else than the feed does.
func (l *feedLog) see(ordinal int, id string, files []artifact.File) error {
	i := slices.IndexFunc(files, func(f artifact.File) bool { return f.Route == turtleRoute(id) })
	if i < 0 {
		return nil
	}
	s := standing{uuidOf(id), max(1, xxhash.Sum64(files[i].Body))}
	l.now[ordinal] = s
	at, found := slices.BinarySearchFunc(l.before, s, byUUID)
	if found && (l.before[at].hash == s.hash || l.restates(files[i].Route, files[i].Body)) {
		return nil
	}
	packed := squeeze(files[i].Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.spill.WriteAt(packed, l.end)
	l.changed = append(l.changed, changedDocument{ordinal, n, l.end, found})
	l.end += int64(n)
	return err
}

// tellFeed writes the documents of the feed.
func (r *run) tellFeed(context.Context) error {
	l := r.feedLog
	defer l.spill.Close()
	if l.Generation == "" {
		l.Generation, l.Base = r.catalog.ID, strings.TrimRight(r.catalog.Site.BaseURL, "/")
	}
	for _, p := range l.Parts {
		if err := r.keepDocument(l.FragmentRoute(p.Number)); err != nil {
			return err
		}
	}
	if err := r.addToFeed(l); err != nil {
		return err
	}
	for _, f := range l.Leads() {
		if err := r.single(f); err != nil {
			return err
		}
	}
	part := artifact.File{Route: snapshot.PartRoute(feedState), Type: artifact.NDJSON, Class: artifact.ClassCatalog, Stream: l.write(r.catalog)}
	_, rest, err := r.file.streamed(&part, partFrame, r.file.quotes)
	return errors.Join(err, rest.do())
}

// keepDocument takes a document that stands alone from the present file as it is.
func (r *run) keepDocument(route string) error {
	if r.file.before == nil {
		return r.takeOver(route)
	}
	before := r.file.before.Pack
	number, documents, err := before.Documents(documentKey(route))
	if err == nil && len(documents) == 0 {
		err = fmt.Errorf("%s: %w", route, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	return r.file.keepGroup(number, documents).do()
}

// takeOver takes such a document from a file of the form before: the same bytes, compressed anew.
func (r *run) takeOver(route string) error {
	found, err := r.file.old.Pack.Route(route)
	if err == nil && found == nil {
		err = fmt.Errorf("%s: %w", route, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := r.file.old.Pack.Verify(&body, found); err != nil {
		return err
	}
	d := found.Document
	return r.single(artifact.File{Route: d.Route, Type: d.Type, Class: d.Class, Cache: d.Cache, Body: body.Bytes()})
}

// addToFeed adds what happened since the feed was told last. All of it bears one time,
// which is later than any before.
func (r *run) addToFeed(l *feedLog) error {
	gone := l.gone(r.catalog)
	total := len(l.changed) + len(gone)
	if total == 0 {
		return nil
	}
	at := r.catalog.AsOf.UTC().Truncate(time.Second)
	if n := len(l.Parts); n > 0 && !at.After(l.Parts[n-1].At) {
		at = l.Parts[n-1].At.Add(time.Second)
	}
	slices.SortFunc(l.changed, func(a, b changedDocument) int { return cmp.Compare(a.ordinal, b.ordinal) })
	parts := (total + dcat.FeedFragmentMax - 1) / dcat.FeedFragmentMax
	for i := range parts {
		var list []dcat.Activity
		for k := i * total / parts; k < (i+1)*total/parts; k++ {
			if k >= len(l.changed) {
				list = append(list, gone[k-len(l.changed)])
				continue
			}
			a, err := l.activity(r.catalog, &l.changed[k])
			if err != nil {
				return err
			}
			list = append(list, a)
		}
		n := len(l.Parts) + 1
		f, err := l.Fragment(n, at, list)
		if err != nil {
			return err
		}
		if err := r.single(f); err != nil {
			return err
		}
		l.Parts = append(l.Parts, dcat.FeedPart{Number: n, At: at, Members: len(list)})
	}
	return nil
}

func (l *feedLog) activity(c *snapshot.Catalog, d *changedDocument) (dcat.Activity, error) {
	a := dcat.Activity{Kind: "Create", Entry: c.Lines[d.ordinal].ID}
	if d.update {
		a.Kind = "Update"
	}
	packed := make([]byte, d.length)
	_, err := l.spill.ReadAt(packed, d.at)
	if err == nil {
		a.Document, err = stretch(packed, nil)
	}
	return a, err
}

// gone are the deletions of what the feed has and the catalogue has not; a feed that
// begins tells of all that ever left.
func (l *feedLog) gone(c *snapshot.Catalog) []dcat.Activity {
	stands := map[[16]byte]bool{}
	for _, s := range l.now {
		if s.hash != 0 {
			stands[s.id] = true
		}
	}
	successors := map[string]string{}
	for i := range c.Gone {
		successors[c.Gone[i].ID] = c.Gone[i].Successor
	}
	var list []dcat.Activity
	add := func(id string) {
		list = append(list, dcat.Activity{Kind: "Delete", Entry: id, Successor: successors[id]})
	}
	for _, s := range l.before {
		if s.hash != 0 && !stands[s.id] {
			add(idOf(s.id))
		}
	}
	if len(l.Parts) == 0 {
		for i := range c.Gone {
			add(c.Gone[i].ID)
		}
	}
	slices.SortFunc(list, func(a, b dcat.Activity) int { return cmp.Compare(a.Entry, b.Entry) })
	return slices.CompactFunc(list, func(a, b dcat.Activity) bool { return a.Entry == b.Entry })
}

// write is the document that says where the feed stands.
func (l *feedLog) write(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		head, err := json.Marshal(&l.Feed)
		if err != nil {
			return err
		}
		b := bufio.NewWriter(w)
		b.Write(append(head, '\n'))
		for i := range l.now {
			if l.now[i].hash != 0 {
				fmt.Fprintf(b, "%s %016x\n", c.Lines[i].ID, l.now[i].hash)
			}
		}
		return b.Flush()
	}
}
