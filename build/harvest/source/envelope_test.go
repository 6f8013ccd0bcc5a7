package source

import "testing"

func TestGeometry(t *testing.T) {
	for raw, want := range map[string]string{
		`{"type":"Point","coordinates":[4.5,50.25]}`:                 "4.5,50.25,4.5,50.25",
		"POLYGON((2 46,7 46,7 44,2 44,2 46))":                        "2,44,7,46",
		"WGS84: POLYGON ((16.577511 48.322571, 16.18218 48.117668))": "16.18218,48.11767,16.57751,48.32257",
		`<gml:Envelope srsName="http://www.opengis.net/def/crs/OGC/1.3/CRS84"><gml:lowerCorner>2 44</gml:lowerCorner><gml:upperCorner>7 46</gml:upperCorner></gml:Envelope>`: "2,44,7,46",
		`<Envelope><upperCorner>7 46</upperCorner><lowerCorner>2 44</lowerCorner></Envelope>`:                                                                                "2,44,7,46",
		"northlimit=46.5; southlimit=44; westlimit=2; eastlimit=7; name=There":                                                                                               "2,44,7,46.5",
		// The order of the axes, the unit or a limit is not known.
		`<gml:Envelope srsName="EPSG:4326"><gml:lowerCorner>44 2</gml:lowerCorner><gml:upperCorner>46 7</gml:upperCorner></gml:Envelope>`: "",
		`<gml:Envelope><gml:lowerCorner>2 44</gml:lowerCorner></gml:Envelope>`:                                                            "",
		"northlimit=5000000; southlimit=44; westlimit=2; eastlimit=7; units=m":                                                            "",
		"northlimit=46; southlimit=44; westlimit=2":                                                                                       "",
		"Lake of the Northlimit": "",
	} {
		box, _, ok := boxOf(raw)
		if !ok {
			box = ""
		}
		if box != want || Geometry(raw) != (want != "") {
			t.Errorf("%s: %q, want %q", raw, box, want)
		}
	}
}

func TestAccessInWords(t *testing.T) {
	for raw, want := range map[string]string{
		"öffentlich": "PUBLIC", "Es gelten keine Zugriffsbeschränkungen": "PUBLIC", "Ej begränsad": "PUBLIC", "Nicht öffentlich": "NON_PUBLIC", "eingeschränkt": "RESTRICTED",
		"http://publications.europa.eu/resource/authority/access-right/NON_PUBLIC": "NON_PUBLIC",
		// Placeholders and statements that say nothing of it.
		"http://publications.europa.eu/resource/authority/access-right/OP_DATPRO": "", "Statement about access rights": "",
	} {
		if got, _ := AccessRights(raw); string(got) != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestDatesOfPortals(t *testing.T) {
	for raw, want := range map[string]string{
		"1735689600": "2025-01-01", "1735689600000": "2025-01-01", "31-05-2020": "2020-05-31", "2019010203": "", "9999999999": "", "17356896001": "",
	} {
		got := ""
		if at, _, err := ParseDate("issued", raw); err == nil {
			got = at.Format("2006-01-02")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
