package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// FromSDMX takes the contract out of structures of SDMX-ML 2.1 or 3.0, or of
// SDMX-JSON: dataflows, and the dimensions in the order of the key, the attributes
// and measures of their structures, with the code lists that enumerate them.
func FromSDMX(data []byte) (*Contract, error) {
	if trimmed := bytes.TrimLeft(data, " \t\r\n\xef\xbb\xbf"); bytes.HasPrefix(trimmed, []byte("{")) {
		return fromSDMXJSON(trimmed)
	}
	root, err := parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	c := &Contract{Kind: SDMX}
	for _, f := range root.find("Dataflow") {
		if f.attrs["id"] != "" && (len(f.children) > 0 || f.attrs["urn"] != "") {
			c.Items = append(c.Items, Item{Kind: "dataflow", Path: flow(f.attrs["agencyID"], f.attrs["id"])})
		}
	}
	for _, s := range root.find("DataStructure") {
		name := "structure " + flow(s.attrs["agencyID"], s.attrs["id"])
		c.dimensions(name, s)
		for _, kind := range []struct{ element, item string }{{"Attribute", "attribute"}, {"PrimaryMeasure", "measure"}, {"Measure", "measure"}} {
			for _, x := range s.find(kind.element) {
				c.component(kind.item, name, x, 0)
			}
		}
	}
	return c.checked()
}

func flow(agency, id string) string { return agency + ":" + id }

// dimensions have places in the key; the time dimension has none.
func (c *Contract) dimensions(name string, s *element) {
	list := append(s.find("Dimension"), s.find("MeasureDimension")...)
	sort.SliceStable(list, func(i, j int) bool { return position(list[i], i) < position(list[j], j) })
	n := 0
	for _, d := range list {
		if d.attrs["id"] != "" {
			n++
			c.component("dimension", name, d, n)
		}
	}
	for _, d := range s.find("TimeDimension") {
		c.component("dimension", name, d, 0)
	}
}

func position(e *element, otherwise int) int {
	n, err := strconv.Atoi(e.attrs["position"])
	if err != nil {
		return otherwise
	}
	return n
}

func (c *Contract) component(kind, structure string, e *element, place int) {
	id := e.attrs["id"]
	if id == "" {
		return
	}
	item := Item{Kind: kind, Path: structure + "/" + id, Place: place}
	if refs := e.one("LocalRepresentation").find("Enumeration"); len(refs) > 0 {
		item.Type = "code list " + reference(refs[0])
	} else if formats := e.one("LocalRepresentation").find("TextFormat"); len(formats) > 0 {
		item.Type = formats[0].attrs["textType"]
	}
	c.Items = append(c.Items, item)
}

// reference is the id that a reference names, without its version: codes are added
// in new versions of a list, which breaks nobody.
func reference(e *element) string {
	for _, r := range e.find("Ref") {
		return flow(r.attrs["agencyID"], r.attrs["id"])
	}
	return urn(strings.Join(e.texts("URN"), "") + e.text)
}

func urn(s string) string {
	s = s[strings.LastIndexByte(s, '=')+1:]
	s, _, _ = strings.Cut(s, "(")
	return s
}

type jsonComponent struct {
	ID    string `json:"id"`
	Local struct {
		Enumeration string `json:"enumeration"`
		Format      struct {
			Type string `json:"dataType"`
		} `json:"format"`
	} `json:"localRepresentation"`
}

func fromSDMXJSON(data []byte) (*Contract, error) {
	var doc struct {
		Data struct {
			Dataflows []struct {
				ID     string `json:"id"`
				Agency string `json:"agencyID"`
			} `json:"dataflows"`
			Structures []struct {
				ID         string `json:"id"`
				Agency     string `json:"agencyID"`
				Components struct {
					Dimensions struct {
						List []jsonComponent `json:"dimensions"`
						Time []jsonComponent `json:"timeDimensions"`
					} `json:"dimensionList"`
					Attributes struct {
						List []jsonComponent `json:"attributes"`
					} `json:"attributeList"`
					Measures struct {
						List    []jsonComponent `json:"measures"`
						Primary jsonComponent   `json:"primaryMeasure"`
					} `json:"measureList"`
				} `json:"dataStructureComponents"`
			} `json:"dataStructures"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", errTruncated, err)
	}
	c := &Contract{Kind: SDMX}
	for _, f := range doc.Data.Dataflows {
		c.Items = append(c.Items, Item{Kind: "dataflow", Path: flow(f.Agency, f.ID)})
	}
	for _, s := range doc.Data.Structures {
		name := "structure " + flow(s.Agency, s.ID)
		for i, d := range s.Components.Dimensions.List {
			c.jsonComponent("dimension", name, &d, i+1)
		}
		for _, d := range s.Components.Dimensions.Time {
			c.jsonComponent("dimension", name, &d, 0)
		}
		for _, a := range s.Components.Attributes.List {
			c.jsonComponent("attribute", name, &a, 0)
		}
		for _, m := range append(s.Components.Measures.List, s.Components.Measures.Primary) {
			c.jsonComponent("measure", name, &m, 0)
		}
	}
	return c.checked()
}

func (c *Contract) jsonComponent(kind, structure string, x *jsonComponent, place int) {
	if x.ID == "" {
		return
	}
	item := Item{Kind: kind, Path: structure + "/" + x.ID, Place: place, Type: x.Local.Format.Type}
	if x.Local.Enumeration != "" {
		item.Type = "code list " + urn(x.Local.Enumeration)
	}
	c.Items = append(c.Items, item)
}
