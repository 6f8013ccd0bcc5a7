package dcatap

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

const (
	// listedMax is how many datasets of a catalogue that only lists their addresses are read.
	listedMax = 20_000
	// listedMarked is after how many of them the run stores how far it is.
	listedMarked = 20
	// listedFailing is how many may fail one after the other, other than by not being there.
	listedFailing = 10
	// listedCursor begins the cursor of such a catalogue; the address that was read last follows.
	listedCursor = "dataset "
)

// list notes the address of a dataset that a catalogue has (DCAT 3, dcat:dataset).
func (d *document) list(t *rdf.Triple) {
	if o := t.Object; t.Predicate.Value == dcat+"dataset" && o.Kind == rdf.IRI && (strings.HasPrefix(o.Value, "https://") || strings.HasPrefix(o.Value, "http://")) && len(d.listed) <= listedMax {
		d.listed = append(d.listed, o.Value)
	}
}

// unread tells that a catalogue that is no live source lists datasets and describes none.
func (h *harvest) unread(name string, o *outcome) error {
	if len(o.listed) == 0 || h.in.Fetch != nil {
		return nil
	}
	return h.reject(source.Rejection{Place: name, Code: source.CodeNoRecords, Remedy: "harvest the address of the catalogue, so that they are followed",
		Reason: fmt.Sprintf("the catalogue lists the addresses of %d datasets, such as %s, and describes none", len(o.listed), o.listed[0])})
}

// listed reads the documents of the datasets that a catalogue lists in place of describing them, as local catalogues in
// Czechia do. What the list says of itself tells nothing of their changes.
func (h *harvest) listed(ctx context.Context, at string, list []string) error {
	h.in.Anew()
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) > listedMax {
		list = list[:listedMax]
		if err := h.reject(source.Rejection{Place: at, Code: source.CodeInputTooLarge, Reason: fmt.Sprintf("the catalogue lists more than %d datasets, of which the first are read", listedMax),
			Remedy: "describe the datasets in the catalogue, or make sources of its parts"}); err != nil {
			return err
		}
	}
	h.in.Expects(len(list))
	last, failing := strings.TrimPrefix(h.in.Cursor, listedCursor), 0
	for i, address := range list {
		if h.in.Cursor != "" && address <= last {
			continue
		}
		err := h.one(ctx, address)
		switch {
		case err == nil:
			failing = 0
		case passing(err) && failing < listedFailing:
			failing++
			if err := h.reject(h.unreached(address, err)); err != nil {
				return err
			}
		default:
			return err
		}
		if i%listedMarked == listedMarked-1 && i < len(list)-1 {
			if err := h.in.Done(listedCursor + address); err != nil {
				return err
			}
		}
	}
	return nil
}

// one reads the document of a dataset. What is wrong with it concerns this dataset only, and keeps its entry.
func (h *harvest) one(ctx context.Context, address string) error {
	resp, err := h.in.Fetch(ctx, source.Request{URL: address, Accept: rdf.Accept, Unconditional: true})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	base := address
	if resp.URL != "" {
		base = resp.URL
	}
	own := *h
	own.reject = func(x source.Rejection) error {
		if x.UpstreamRef == "" && len(x.Refs) == 0 {
			x.Refs = []string{h.refOf(address)}
		}
		return h.reject(x)
	}
	_, err = own.document(ctx, resp.Body, address, base, resp.Header.Get("Content-Type"))
	return err
}

// refOf is how the register knows a dataset by its IRI.
func (h *harvest) refOf(iri string) string {
	host := "local"
	if u, err := url.Parse(iri); err == nil {
		host = u.Hostname()
	}
	return h.in.Host(host) + ":dataset:" + iri
}

// passing tells that a dataset could not be fetched, which is no reason to read no other one.
func passing(err error) bool {
	var e *source.FetchError
	return errors.As(err, &e)
}

// unreached is the rejection of a dataset that was not answered. One that is not there is gone; any other is not.
func (h *harvest) unreached(address string, err error) source.Rejection {
	var e *source.FetchError
	bad := source.Rejection{Place: address, Code: source.CodeUnreadable, Reason: "the catalogue lists it, and it cannot be read: " + err.Error(),
		Remedy: "make the dataset answer with RDF, or take it out of the catalogue"}
	if errors.As(err, &e) && e.Status != http.StatusNotFound && e.Status != http.StatusGone {
		bad.Refs = []string{h.refOf(address)}
	}
	return bad
}
