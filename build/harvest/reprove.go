package harvest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// reprove lays what a listing of the entry's own source proves over what was
// known, and takes back what held and no longer does.
func (r *resolver) reprove(known, listing []catalog.Signal, e *catalog.Entry) []catalog.Signal {
	fresh := mergeSignals(listing, r.prove(e, r.byID[e.InstitutionID]))
	return mergeSignals(known, ownSignals(e, append(fresh, r.withdrawn(known, fresh, e)...)))
}

// support adds what a further listing proves: that its source lists the entry,
// what its connector recorded, and what follows from fields that it filled.
func (r *resolver) support(known, listing []catalog.Signal, e *catalog.Entry) []catalog.Signal {
	var fresh []catalog.Signal
	for _, s := range listing {
		if s.Kind == catalog.SignalBacklink || s.Kind == catalog.SignalReciprocal {
			fresh = append(fresh, s)
		}
	}
	out := addSignals(known, ownSignals(e, append(fresh, r.prove(e, r.byID[e.InstitutionID])...)))
	if s, ok := r.disowned(known, fresh, e); ok {
		out = mergeSignals(out, []catalog.Signal{s})
	}
	return out
}

// withdrawn lists the signals that held and that this listing no longer shows.
func (r *resolver) withdrawn(known, fresh []catalog.Signal, e *catalog.Entry) []catalog.Signal {
	var list []catalog.Signal
	for _, k := range known {
		if !k.Held || has(fresh, k.Kind) {
			continue
		}
		switch {
		case k.Kind == catalog.SignalDomain:
			k.Detail = "no institution or no address of the source is known any more"
		case k.Kind == catalog.SignalGithub:
			k.Detail = "no institution or no repository is known any more"
		case k.Kind == catalog.SignalPolicy && strings.HasPrefix(k.Detail, statedPolicy):
			k.Detail = "the record no longer names it"
		default:
			continue
		}
		k.Held, k.ObservedAt = false, r.opts.Now
		list = append(list, k)
	}
	if s, ok := r.disowned(known, fresh, e); ok {
		list = append(list, s)
	}
	return list
}

// disowned takes back a backlink that this source gave when it was official.
func (r *resolver) disowned(known, fresh []catalog.Signal, e *catalog.Entry) (catalog.Signal, bool) {
	if r.in.Source.Official != "" || has(fresh, catalog.SignalBacklink) {
		return catalog.Signal{}, false
	}
	for _, k := range known {
		given := k.SourceID == r.in.Source.ID || k.SourceID == "" && e.SourceID == r.in.Source.ID
		if k.Kind == catalog.SignalBacklink && k.Held && given {
			k.Held, k.ObservedAt = false, r.opts.Now
			k.Detail = cmp.Or(r.in.Source.Title, r.in.Source.ID) + " is not marked official any more"
			return k, true
		}
	}
	return catalog.Signal{}, false
}

func has(list []catalog.Signal, kind catalog.SignalKind) bool {
	return slices.ContainsFunc(list, func(s catalog.Signal) bool { return s.Kind == kind })
}

// ownSignals denies a third party's source the proofs that speak of the
// institution's own: whoever runs it, its data may still come from there. What
// is left is at most 40 of 100 (decisions §5).
func ownSignals(e *catalog.Entry, list []catalog.Signal) []catalog.Signal {
	if !e.ThirdParty {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		if s := &list[i]; s.Held && (s.Kind == catalog.SignalDomain || s.Kind == catalog.SignalGithub) {
			s.Held, s.Detail = false, "run by someone other than a public body"
		}
	}
	return list
}

// addSignals adds what a further listing proves: a proof that held already is
// not replaced by another, and one that failed takes nothing away.
func addSignals(known, fresh []catalog.Signal) []catalog.Signal {
	var more []catalog.Signal
	for _, f := range fresh {
		if f.Held && !slices.ContainsFunc(known, func(k catalog.Signal) bool { return k.Kind == f.Kind && k.Held }) {
			more = append(more, f)
		}
	}
	return mergeSignals(known, more)
}

// mergeSignals lays fresh signals over known ones. A kind that was not tried
// again stays; one with the same outcome keeps the time it was first observed.
func mergeSignals(known, fresh []catalog.Signal) []catalog.Signal {
	out := slices.Clone(known)
	for _, f := range fresh {
		i := slices.IndexFunc(out, func(k catalog.Signal) bool { return k.Kind == f.Kind })
		switch {
		case i < 0:
			out = append(out, f)
		case out[i].Held != f.Held || out[i].EvidenceURL != f.EvidenceURL || out[i].Detail != f.Detail:
			out[i] = f
		}
	}
	return out
}
