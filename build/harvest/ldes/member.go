package ldes

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

// take keeps the members of a page that are the last versions so far.
func (h *harvest) take(ctx context.Context, p *page) error {
	h.learn(p)
	for _, m := range p.members {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", p.name, err)
		}
		if err := h.member(p, m); err != nil {
			return err
		}
	}
	return nil
}

func (h *harvest) member(p *page, m rdf.Term) error {
	h.members++
	place := p.name + " " + strings.TrimPrefix(m.Value, p.name)
	of := p.first(m, h.terms.of)
	if of.Kind == 0 {
		of = m // which is no version, but changes itself
	}
	at := instant(p.first(m, h.terms.times).Value)
	if !h.since.IsZero() && !at.IsZero() && at.Before(h.since) {
		return nil
	}
	v := version{at: at, deleted: slices.ContainsFunc(p.about[m], func(t rdf.Triple) bool {
		return t.Predicate.Value == rdf.RDFType && slices.Contains(h.terms.deletes, t.Object.Value)
	})}
	body := []byte(of.Value)
	if !v.deleted {
		body = written(p.says(m, of))
	}
	if limit := h.in.Limits.OrDefault().Record; len(body) > limit {
		return h.reject(source.Rejection{Place: place, Code: source.CodeRecordTooLarge, Reason: fmt.Sprintf("what is said about %s is longer than %d bytes", of.Value, limit), Remedy: "shorten the record"})
	}
	return h.kept.add(of.String(), v, place, body)
}

// says is what a member says of what it is a version of: the graph of its own name, as in a
// feed of DCAT-AP, or else its statements and those of the nodes that they lead to, with the
// version under the name of the record.
func (p *page) says(m, of rdf.Term) []rdf.Triple {
	if graph := p.graphs[m]; len(graph) > 0 {
		return graph
	}
	var out []rdf.Triple
	met, ahead := map[rdf.Term]bool{m: true}, []rdf.Term{m}
	for _, other := range p.members {
		met[other] = true
	}
	for len(ahead) > 0 {
		node := ahead[0]
		ahead = ahead[1:]
		for _, t := range p.about[node] {
			if strings.HasPrefix(t.Predicate.Value, nsTREE) || strings.HasPrefix(t.Predicate.Value, nsLDES) || t.Predicate.Value == versionOf {
				continue
			}
			if t.Subject == m {
				t.Subject = of
			}
			out = append(out, t)
			if t.Object.Kind != rdf.Literal && !met[t.Object] && p.about[t.Object] != nil {
				met[t.Object] = true
				ahead = append(ahead, t.Object)
			}
		}
	}
	return out
}

// written writes statements as N-Triples, with labels of blank nodes of its own.
func written(list []rdf.Triple) []byte {
	var b []byte
	labels := map[string]string{}
	for i := range list {
		for _, t := range []rdf.Term{list[i].Subject, list[i].Predicate, list[i].Object} {
			b = append(term(b, t, labels), ' ')
		}
		b = append(b, ".\n"...)
	}
	return b
}

// escapes are the characters that a literal of N-Triples cannot hold (RDF 1.1 N-Triples,
// STRING_LITERAL_QUOTE).
var escapes = strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n", "\r", "\\r")

func term(b []byte, t rdf.Term, labels map[string]string) []byte {
	switch t.Kind {
	case rdf.IRI:
		return append(append(append(b, '<'), t.Value...), '>')
	case rdf.Blank:
		if labels[t.Value] == "" {
			labels[t.Value] = "_:b" + strconv.Itoa(len(labels))
		}
		return append(b, labels[t.Value]...)
	}
	b = append(append(append(b, '"'), escapes.Replace(strings.ToValidUTF8(t.Value, "\uFFFD"))...), '"')
	switch {
	case t.Lang != "":
		b = append(append(b, '@'), t.Lang...)
	case t.Datatype != "" && t.Datatype != rdf.XSDString:
		b = append(append(append(b, "^^<"...), t.Datatype...), '>')
	}
	return b
}
