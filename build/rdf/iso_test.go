package rdf

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
)

// graph is the set of triples of a document.
type graph map[Triple]bool

// isomorphic tells whether two graphs are equal but for the labels of their
// blank nodes (RDF 1.1 Concepts, section 3.6). Blank nodes are told apart by
// what is said of them, then by trying.
func isomorphic(a, b graph) bool {
	return len(a) == len(b) && match(a, b, colours(a, nil), colours(b, nil), 0)
}

// colours refines what is known of each blank node until it tells no more
// nodes apart.
func colours(g graph, fixed map[string]uint64) map[string]uint64 {
	c := map[string]uint64{}
	for t := range g {
		for _, x := range []Term{t.Subject, t.Object} {
			if x.Kind == Blank {
				c[x.Value] = fixed[x.Value]
			}
		}
	}
	for classes := 0; ; {
		next := map[string]uint64{}
		for t := range g {
			if t.Subject.Kind == Blank {
				next[t.Subject.Value] += hash("s", t.Predicate.String(), paint(t.Object, c))
			}
			if t.Object.Kind == Blank {
				next[t.Object.Value] += hash("o", t.Predicate.String(), paint(t.Subject, c))
			}
		}
		seen := map[uint64]bool{}
		for k, v := range next {
			next[k] = hash(fmt.Sprint(v), fmt.Sprint(c[k]))
			seen[next[k]] = true
		}
		c = next
		if len(seen) <= classes || len(seen) == len(c) {
			return c
		}
		classes = len(seen)
	}
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p + "\x00"))
	}
	return h.Sum64()
}

func paint(t Term, c map[string]uint64) string {
	if t.Kind == Blank {
		return fmt.Sprint("_:", c[t.Value])
	}
	return t.String()
}

// match pairs the blank nodes of equal colour, trying where several have it.
func match(a, b graph, ca, cb map[string]uint64, depth int) bool {
	if !slices.Equal(palette(ca), palette(cb)) || depth > 60 {
		return false
	}
	node, ambiguous := shared(ca)
	if !ambiguous {
		return rename(a, ca) == rename(b, cb)
	}
	for other, colour := range cb {
		if colour == ca[node] {
			mark := hash("fixed", fmt.Sprint(depth))
			fa, fb := clone(ca), clone(cb)
			fa[node], fb[other] = mark, mark
			if match(a, b, colours(a, fa), colours(b, fb), depth+1) {
				return true
			}
		}
	}
	return false
}

func clone(m map[string]uint64) map[string]uint64 {
	out := map[string]uint64{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// shared is a node whose colour another one has too.
func shared(c map[string]uint64) (string, bool) {
	of := map[uint64]string{}
	best := ""
	for k, v := range c {
		if _, ok := of[v]; ok && (best == "" || k < best) {
			best = k
		}
		of[v] = k
	}
	return best, best != ""
}

func palette(c map[string]uint64) []uint64 {
	var out []uint64
	for _, v := range c {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

func rename(g graph, c map[string]uint64) string {
	var out []string
	for t := range g {
		out = append(out, paint(t.Subject, c)+t.Predicate.String()+paint(t.Object, c))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestIsomorphic(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"labels", "_:a <p:p> _:b . _:b <p:q> \"x\" .", "_:b <p:p> _:c . _:c <p:q> \"x\" .", true},
		{"swapped", "_:a <p:p> \"1\" . _:a <p:q> \"2\" .", "_:a <p:p> \"1\" . _:b <p:q> \"2\" .", false},
		{"two equal nodes", "<s:s> <p:p> [], [] .", "<s:s> <p:p> [], [] .", true},
		{"one or two", "<s:s> <p:p> [], [] .", "<s:s> <p:p> [] .", false},
		{"ring of four, two of two", "_:a <p:p> _:b . _:b <p:p> _:c . _:c <p:p> _:d . _:d <p:p> _:a .",
			"_:a <p:p> _:b . _:b <p:p> _:a . _:c <p:p> _:d . _:d <p:p> _:c .", false},
		{"rings of four", "_:a <p:p> _:b . _:b <p:p> _:c . _:c <p:p> _:d . _:d <p:p> _:a .",
			"_:d <p:p> _:b . _:b <p:p> _:c . _:c <p:p> _:a . _:a <p:p> _:d .", true},
		{"language", `<s:s> <p:p> "x"@en .`, `<s:s> <p:p> "x" .`, false},
	} {
		if got := isomorphic(parse(t, Turtle, c.a), parse(t, Turtle, c.b)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// parse reads a document strictly.
func parse(t testing.TB, syntax Syntax, text string) graph {
	t.Helper()
	g, err := read(syntax, text, "http://example.org/")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return g
}

func read(syntax Syntax, text, base string) (graph, error) {
	g := graph{}
	err := Read(strings.NewReader(text), syntax, Options{Base: base}, func(x Triple) error { g[x] = true; return nil })
	return g, err
}
