package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// FromCapabilities takes the contract out of the capabilities of a WMS, WFS, WCS or
// WMTS: its layers, feature types and coverages, the reference systems and formats of
// each, and the operations.
func FromCapabilities(data []byte) (*Contract, error) {
	root, err := parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	c := &Contract{Kind: OGC}
	c.layers(root)
	for _, f := range root.find("FeatureType") {
		c.featureType(f)
	}
	for _, name := range []string{"CoverageSummary", "CoverageOfferingBrief"} {
		for _, x := range root.find(name) {
			id := strings.Join(append(x.texts("CoverageId"), x.texts("name")...), "")
			c.offer("coverage", id, crs(x.texts("SupportedCRS")))
		}
	}
	for _, o := range root.find("Operation") {
		c.offer("operation", o.attrs["name"], formats(o))
	}
	if request := root.one("Capability").one("Request"); len(request.children) > 0 {
		for _, o := range request.children {
			c.offer("operation", o.name, o.texts("Format"))
		}
	}
	return c.checked()
}

// featureType is one of a WFS: its reference systems and formats, and the system in which
// coordinates come unless another is asked for.
func (c *Contract) featureType(f *element) {
	name := f.one("Name").text
	values := crs(f.texts("DefaultCRS", "DefaultSRS", "OtherCRS", "OtherSRS", "SRS"))
	c.offer("feature-type", name, append(values, f.one("OutputFormats").texts("Format")...))
	if own := crs(f.texts("DefaultCRS", "DefaultSRS")); len(own) > 0 && name != "" {
		c.Items = append(c.Items, Item{Kind: "default-crs", Path: strings.ReplaceAll(name, "/", "~1") + "/default", Type: own[0]})
	}
}

// formats are those in which an operation answers (OGC 06-121r3, section 7.4.6; in OWS 1.0
// the values stand in the parameter itself).
func formats(o *element) (out []string) {
	for _, p := range o.all("Parameter") {
		if p.attrs["name"] == "outputFormat" {
			out = append(out, append(p.texts("Value"), p.one("AllowedValues").texts("Value")...)...)
		}
	}
	return out
}

// layers are the named layers of a WMS, which have the reference systems of those
// around them (OGC 06-042, section 7.2.4.8), and those of a WMTS with their formats
// and matrix sets.
func (c *Contract) layers(root *element) {
	var walk func(e *element, inherited []string)
	walk = func(e *element, inherited []string) {
		for _, l := range e.all("Layer") {
			own := append(append([]string(nil), inherited...), crs(l.texts("CRS", "SRS"))...)
			c.offer("layer", l.one("Name").text, own)
			walk(l, own)
		}
	}
	walk(root.one("Capability"), nil)
	for _, l := range root.one("Contents").all("Layer") {
		values := l.texts("Format")
		for _, link := range l.all("TileMatrixSetLink") {
			values = append(values, link.texts("TileMatrixSet")...)
		}
		c.offer("layer", l.one("Identifier").text, values)
	}
}

func (c *Contract) offer(kind, name string, values []string) {
	if name = strings.TrimSpace(name); name != "" {
		c.Items = append(c.Items, Item{Kind: kind, Path: strings.ReplaceAll(name, "/", "~1"), Values: values})
	}
}

// crs writes reference systems in one way: a server may write EPSG:4326 as a URN or
// as an address, which are the same to a client.
func crs(raw []string) (out []string) {
	for _, line := range raw {
		for _, s := range strings.Fields(line) {
			upper := strings.ToUpper(s)
			if i := strings.LastIndex(upper, "EPSG"); i >= 0 {
				code := upper[strings.LastIndexAny(upper, ":/#")+1:]
				s = "EPSG:" + code
			}
			out = append(out, s)
		}
	}
	return out
}

// FromCollections takes the contract out of the collections of an OGC API: their
// ids, kinds and reference systems. One page of several has none: how a server cuts its list
// into pages is no part of what it offers.
func FromCollections(data []byte) (*Contract, error) {
	var doc struct {
		Collections []struct {
			ID       string   `json:"id"`
			Name     string   `json:"name"`
			ItemType string   `json:"itemType"`
			CRS      []string `json:"crs"`
		} `json:"collections"`
		Links []struct {
			Rel string `json:"rel"`
		} `json:"links"`
		Matched int `json:"numberMatched"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", errTruncated, err)
	}
	for _, l := range doc.Links {
		if l.Rel == "next" || l.Rel == "prev" {
			return nil, errPaged
		}
	}
	if doc.Matched > len(doc.Collections) {
		return nil, errPaged
	}
	c := &Contract{Kind: OGC}
	for _, x := range doc.Collections {
		if x.ID == "" {
			x.ID = x.Name
		}
		c.offer("collection", x.ID, crs(x.CRS))
		c.Items[len(c.Items)-1].Type = x.ItemType
	}
	return c.checked()
}
