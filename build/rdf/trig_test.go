package rdf

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// inGraphs are the statements of a document, each behind the name of its graph.
func inGraphs(data string, o Options) (all []string, err error) {
	err = ReadTriG(strings.NewReader(data), o, func(graph Term, t Triple) error {
		all = append(all, graph.String()+" "+t.String())
		return nil
	})
	return all, err
}

func TestTriG(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/graphs.trig")
	if err != nil {
		t.Fatal(err)
	}
	all, err := inGraphs(string(data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, s := range all {
		graph, _, _ := strings.Cut(s, " ")
		count[graph]++
	}
	want := map[string]int{"": 4, "<http://example.org/g>": 6, "<http://example.org/h>": 1, "_:n": 1, "_:#4": 1, "<http://example.org/f#g>": 1}
	if fmt.Sprint(count) != fmt.Sprint(want) {
		t.Errorf("%v, want %v\n%s", count, want, strings.Join(all, "\n"))
	}
	if !slices.Contains(all, `<http://example.org/g> <http://example.org/a> <http://example.org/d> "last, without a full stop" .`) {
		t.Error(strings.Join(all, "\n"))
	}
	plain := 0
	if err := Read(strings.NewReader(string(data)), TriG, Options{}, func(Triple) error { plain++; return nil }); err != nil || plain != len(all) {
		t.Errorf("as one graph: %d of %d statements, %v", plain, len(all), err)
	}
}

// A fault in a graph costs its statement, and what follows is still in the graph.
func TestTriGFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data   string
		graphs []string
		faults int
	}{
		{"<g:1> {\n <a:a> <b:b> ^ .\n <a:a> <b:b> <c:c> .\n}\n<a:a> <b:b> <d:d> .", []string{"<g:1>", ""}, 1},
		{"<g:1> { <a:a> <b:b> <c:c> . ", []string{"<g:1>"}, 1},
		{"<g:1> { @prefix x: <x:> .\n <a:a> <b:b> <c:c> }", []string{"<g:1>"}, 1},
		{"GRAPH <g:1> <a:a> .\n<a:a> <b:b> <c:c> .", []string{""}, 1},
		{"<a:a> <b:b> <c:c> }\n.\n", []string{""}, 1},
	} {
		if _, err := inGraphs(c.data, Options{}); err == nil {
			t.Errorf("%q: a strict reader takes it", c.data)
		}
		faults := 0
		all, err := inGraphs(c.data, Options{Lenient: func(Problem) error { faults++; return nil }})
		var graphs []string
		for _, s := range all {
			graph, _, _ := strings.Cut(s, " ")
			graphs = append(graphs, graph)
		}
		if err != nil || faults != c.faults || !slices.Equal(graphs, c.graphs) {
			t.Errorf("%q: %v, %d faults, %v", c.data, all, faults, err)
		}
	}
}
