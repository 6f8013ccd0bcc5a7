package reference

import (
	"cmp"
	"io/fs"
	"slices"
)

func parseLicences(fsys fs.FS) ([]Licence, error) {
	rows, err := readTable(fsys, "licences.tsv", "id", "title", "url", "eu_uri", "jurisdiction", "commercial_use",
		"redistribution", "modification", "attribution_required", "share_alike", "open", "aliases", "note", "source")
	if err != nil {
		return nil, err
	}
	codes, err := countryCodes(fsys)
	if err != nil {
		return nil, err
	}
	names := unique{}
	licences := make([]Licence, 0, len(rows))
	for _, r := range rows {
		l := licence(r)
		if err := cmp.Or(checkLicence(r, codes), checkOpen(r, l), checkNames(r, l, names)); err != nil {
			return nil, err
		}
		licences = append(licences, l)
	}
	return licences, nil
}

func licence(r row) Licence {
	return Licence{
		ID:                  r.get("id"),
		Title:               r.get("title"),
		URL:                 r.get("url"),
		EUURI:               r.get("eu_uri"),
		Jurisdiction:        r.get("jurisdiction"),
		CommercialUse:       r.get("commercial_use"),
		Redistribution:      r.get("redistribution"),
		Modification:        r.get("modification"),
		AttributionRequired: r.get("attribution_required"),
		ShareAlike:          r.get("share_alike"),
		Open:                r.get("open"),
		Aliases:             r.list("aliases"),
		Note:                r.get("note"),
		Source:              r.get("source"),
	}
}

func checkLicence(r row, codes map[string]bool) error {
	err := cmp.Or(r.need("id", "title", "source"), r.webAddress("url"), r.webAddress("eu_uri"))
	if err == nil && r.get("jurisdiction") != "" {
		err = checkCode(r, "jurisdiction", codes)
	}
	if err == nil && slices.Contains(r.list("aliases"), "") {
		err = r.errorf("aliases", "remove one of two bars", "an alias is empty")
	}
	for _, right := range []string{"commercial_use", "redistribution", "modification", "attribution_required", "share_alike", "open"} {
		err = cmp.Or(err, r.oneOf(right, "yes", "no", "unknown"))
	}
	return err
}

// checkOpen refuses an open licence without the freedoms that make it open, the
// one mistake in the table that would mislead a reader into misuse.
func checkOpen(r row, l Licence) error {
	if l.Open == "yes" && (l.CommercialUse != "yes" || l.Redistribution != "yes" || l.Modification != "yes") {
		return r.errorf("open", "write no or unknown", "not every use is allowed")
	}
	return nil
}

// checkNames refuses a name or address that would mean two licences.
func checkNames(r row, l Licence, names unique) error {
	for _, key := range licenceKeys(l) {
		if other, taken := names[key]; taken && other.line != r.line {
			return r.errorf("aliases", "leave it to one of the two, or to neither if it is ambiguous",
				"%q already means the licence in line %d", key, other.line)
		}
		names[key] = r
	}
	return nil
}
