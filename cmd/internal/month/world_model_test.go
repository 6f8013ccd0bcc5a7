package month

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Answer is how the data of an item answers.
type Answer int

// Answers of data.
const (
	// Good is a table, Closed asks for a password: a source that works.
	Good Answer = iota
	Closed
	// Gone, Broken and Page are failures: 404, 500, and a page for people where
	// data was promised.
	Gone
	Broken
	Page
)

// Works tells whether a prober that was answered so must call the source up.
func (a Answer) Works() bool { return a <= Closed }

// Item is one thing that a portal lists.
type Item struct {
	// Key is part of its addresses and of its title.
	Key   string
	Title string
	// Listed tells whether the portal's list has it.
	Listed bool
	Answer Answer
	// Columns are those of its table, "" for the usual ones.
	Columns string
}

// Portal is a catalogue with the data that it lists, on a host of its own.
type Portal struct {
	// Key is the key of the source, Kind its protocol, Host its address.
	Key, Kind, Host string
	Items           []*Item
	// Down refuses connections; Half lists only every second item; Slow is how
	// long each answer takes to begin, in time of the machine.
	Down, Half bool
	Slow       time.Duration
	// Former is the address that it had before it moved, which leads to the new
	// one for good; "" for none.
	Former string
	// Institution is the key of that of all that it lists, "" where none is known.
	Institution string
}

// listed are the items that the list of a portal has now.
func (p *Portal) listed() []*Item {
	var list []*Item
	for i, it := range p.Items {
		if it.Listed && !(p.Half && i%2 == 1) {
			list = append(list, it)
		}
	}
	return list
}

// Purpose is what a request was for.
type Purpose string

// Purposes of requests.
const (
	ForList  Purpose = "list"
	ForData  Purpose = "data"
	ForOther Purpose = "other"
	// ForMoved is what came to the former address of a portal.
	ForMoved Purpose = "moved"
)

// Request is one request that a portal got.
type Request struct {
	Step    int
	At      time.Time
	Portal  string
	Purpose Purpose
	Item    string
	Method  string
	URI     string
	Status  int
}

// World holds the portals and what they were asked.
type World struct {
	mu      sync.Mutex
	Portals []*Portal
	log     []Request
	step    int
	random  *rand.Rand
	// servers are those that listen, by their addresses.
	servers map[string]*http.Server
}

// Kinds are the protocols of the portals, as the register calls them.
var Kinds = []string{"ckan", "dcat", "datajson", "ods", "socrata", "udata", "ogc"}

// port is where all portals listen, each at an address of its own, so that two
// runs of one seed meet the same addresses.
const port = 18461

var subjects = []string{"Tram stops", "Rain gauges", "Bus lanes", "Libraries", "Air stations", "River levels", "Budgets", "Playgrounds", "Tree register", "Bridges"}
var towns = []string{"Abton", "Brook", "Colden", "Dunmere", "Elmford", "Fairley", "Granby", "Hollow", "Irwell", "Jarrow"}

// itemsEach is how many items a portal lists at first: one that vanishes is less
// than a fifth of them.
const itemsEach = 6

// NewWorld makes n portals, the same for the same seed.
func NewWorld(seed uint64, n int) *World {
	w := &World{random: rand.New(rand.NewPCG(seed, 1)), servers: map[string]*http.Server{}}
	for i := range n {
		kind := Kinds[i%len(Kinds)]
		p := &Portal{Key: fmt.Sprintf("portal-%03d", i), Kind: kind, Host: fmt.Sprintf("127.77.%d.%d:%d", i/200, i%200+1, port)}
		count := itemsEach
		if kind == "ogc" {
			count = 1
		}
		for range count {
			p.add(w.random)
		}
		w.Portals = append(w.Portals, p)
	}
	return w
}

// Calm adds a portal of which no script tells. What it has beside its list is
// proposed by people.
func (w *World) Calm() *Portal {
	p := &Portal{Key: "portal-999", Kind: "ckan", Host: fmt.Sprintf("127.77.200.1:%d", port)}
	for range itemsEach {
		p.add(w.random)
	}
	w.Portals = append(w.Portals, p)
	return p
}

// Mover adds a portal that does nothing but move. Its key says where it lives
// first and then.
func (w *World) Mover() (p *Portal, to string) {
	p = &Portal{Key: "portal-998", Kind: "ckan", Host: fmt.Sprintf("127.77.201.1:%d", port)}
	for range itemsEach {
		p.add(w.random)
	}
	w.Portals = append(w.Portals, p)
	return p, fmt.Sprintf("127.77.202.1:%d", port)
}

// Owned adds a portal of an office that is known, which proves that it is its own.
func (w *World) Owned() *Portal {
	p := w.beside("portal-997", "127.77.203.1")
	p.Institution = "gb-office"
	return p
}

// Drifting adds a portal whose tables change their columns.
func (w *World) Drifting() *Portal {
	p := w.beside("portal-996", "127.77.204.1")
	for i, it := range p.Items {
		it.Columns = shapes[i%(len(shapes)-1)].columns
	}
	return p
}

// beside adds a portal of which no script tells.
func (w *World) beside(key, host string) *Portal {
	p := &Portal{Key: key, Kind: "ckan", Host: fmt.Sprintf("%s:%d", host, port)}
	for range itemsEach {
		p.add(w.random)
	}
	w.Portals = append(w.Portals, p)
	return p
}

// shapes are the columns of a table, one after the other, and what the change to them is.
var shapes = []struct{ columns, severity string }{
	{"id,name,height", ""},
	{"id,name,height,depth", "additive"},
	{"id,name,depth", "breaking"},
	{"id,title,depth", "breaking"},
	{"id,title,depth,place", "additive"},
}

// table is the data of an item as it is written in a step: its columns and rows in another order,
// and other rows, which is no change to who reads it.
func (it *Item) table(step int) string {
	columns := strings.Split(cmp.Or(it.Columns, "id,name"), ",")
	turn(columns, step)
	var rows []string
	for row := range 3 + step%4 {
		cells := make([]string, len(columns))
		for i, name := range columns {
			cells[i] = fmt.Sprintf("%s%d", towns[(row+len(name))%len(towns)], row)
			switch name {
			case "id":
				cells[i] = strconv.Itoa(100*step + row)
			case "height", "depth":
				cells[i] = fmt.Sprintf("%d.%d", step%9, row+1)
			}
		}
		rows = append(rows, strings.Join(cells, ","))
	}
	turn(rows, step)
	return strings.Join(columns, ",") + "\n" + strings.Join(rows, "\n") + "\n"
}

// turn puts a list into another order.
func turn(list []string, by int) {
	by %= len(list)
	copy(list, append(slices.Clone(list[by:]), list[:by]...))
}

// add lists one more item.
func (p *Portal) add(r *rand.Rand) *Item {
	key := fmt.Sprintf("k%sx%02d", p.Key[len("portal-"):], len(p.Items))
	it := &Item{Key: key, Listed: true, Title: fmt.Sprintf("%s of %s %s", subjects[r.IntN(len(subjects))], towns[r.IntN(len(towns))], key)}
	p.Items = append(p.Items, it)
	return it
}

// Do changes the world; what is asked from now on belongs to a step.
func (w *World) Do(step int, changes func()) error {
	w.mu.Lock()
	w.step = step
	changes()
	w.mu.Unlock()
	return w.settle()
}

// Log is what was asked since a place of the log, and the place behind it.
func (w *World) Log(since int) ([]Request, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Request(nil), w.log[since:]...), len(w.log)
}
