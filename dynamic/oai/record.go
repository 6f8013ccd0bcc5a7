package oai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// record answers GetRecord (section 4.1).
func (q *request) record() error {
	prefix := q.args.Get("metadataPrefix")
	l, gone, err := q.find(q.args.Get("identifier"))
	if err != nil {
		return err
	}
	if prefix != prefixCore && prefix != prefixDCAT || l != nil && prefix == prefixDCAT && l.LeftOut != "" {
		return faultf("cannotDisseminateFormat", "the record is not there as %q", prefix)
	}
	if gone != nil {
		q.header(gone, nil, true)
		return nil
	}
	return q.entry(l, prefix, true)
}

// header writes that of an entry, or the record of one that left (section 2.5.1).
func (q *request) header(gone *snapshot.Tombstone, l *snapshot.Line, full bool) {
	if gone != nil {
		if full {
			q.out.WriteString("<record>")
		}
		fmt.Fprintf(&q.out, `<header status="deleted"><identifier>%s</identifier><datestamp>%s</datestamp></header>`, escape(q.identifier(gone.ID)), stamp(gone.At))
		if full {
			q.out.WriteString("</record>")
		}
		q.out.WriteByte('\n')
		return
	}
	fmt.Fprintf(&q.out, "<header><identifier>%s</identifier><datestamp>%s</datestamp>", escape(q.identifier(l.ID)), stamp(changedAt(l)))
	for _, set := range setsOf(l) {
		fmt.Fprintf(&q.out, "<setSpec>%s</setSpec>", escape(set))
	}
	q.out.WriteString("</header>\n")
}

// entry writes an entry. One that left while an old snapshot is read is a deletion.
func (q *request) entry(l *snapshot.Line, prefix string, full bool) error {
	if !full {
		q.header(nil, l, false)
		return nil
	}
	metadata, err := q.metadata(l, prefix)
	if errors.Is(err, fs.ErrNotExist) {
		q.header(&snapshot.Tombstone{ID: l.ID, At: q.now()}, nil, true)
		return nil
	}
	if err != nil {
		return err
	}
	q.out.WriteString("<record>")
	q.header(nil, l, true)
	q.out.WriteString("<metadata>\n" + metadata + "</metadata></record>\n")
	return nil
}

func (q *request) metadata(l *snapshot.Line, prefix string) (string, error) {
	if prefix == prefixCore {
		body, err := q.source.Read("/api/v1/entries/" + l.ID)
		if err != nil {
			return "", err
		}
		var e wire.Entry
		if err := json.Unmarshal(body, &e); err != nil {
			return "", fmt.Errorf("entry %s: %w", l.ID, err)
		}
		return q.core(&e), nil
	}
	body, err := q.source.Read("/id/" + l.ID + ".rdf")
	if err != nil {
		return "", err
	}
	_, rdf, _ := bytes.Cut(body, []byte("?>\n")) // the declaration of a document of its own
	return string(rdf), nil
}

// core is an entry in unqualified Dublin Core (section 5.2).
func (q *request) core(e *wire.Entry) string {
	c := core{}
	c.WriteString(`<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
		`xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd">` + "\n")
	c.texts("title", e.Name, e.NativeLang, e.Titles)
	if e.Publisher != nil {
		c.texts("publisher", e.Publisher.Name, nil, e.Publisher.Names)
	}
	c.texts("description", valueOf(e.Description), e.NativeLang, e.Descriptions)
	for _, tag := range e.Tags {
		c.add("subject", "", tag)
	}
	date := e.SourceModifiedAt
	if date == nil {
		date = e.UpdatedAt
	}
	c.add("date", "", valueOf(date))
	kind := "Service"
	if e.Type == catalog.TypeDataset {
		kind = "Dataset"
	}
	c.add("type", "", kind)
	for _, format := range e.Formats {
		c.add("format", "", format)
	}
	base := strings.TrimRight(q.s.Site.BaseURL, "/")
	for _, id := range []string{valueOf(e.PrimarySourceURL), valueOf(e.HomepageURL), base + "/id/" + e.ID} {
		c.add("identifier", "", id)
	}
	c.add("source", "", valueOf(e.SourceSeedURL))
	for _, lang := range e.Languages {
		c.add("language", "", lang)
	}
	c.add("coverage", "", valueOf(e.CountryCode))
	if e.License != nil {
		c.add("rights", "", e.License.Title)
		c.add("rights", "", valueOf(e.License.URL))
	} else {
		c.add("rights", "", valueOf(e.LicenseRaw))
	}
	if e.AccessRights != nil {
		c.add("rights", "", accessRights[*e.AccessRights])
	}
	c.WriteString("</oai_dc:dc>\n")
	return c.String()
}

// accessRights are those of the access-right vocabulary of OpenAIRE.
var accessRights = map[catalog.AccessRights]string{
	catalog.RightsPublic: "info:eu-repo/semantics/openAccess", catalog.RightsRestricted: "info:eu-repo/semantics/restrictedAccess", catalog.RightsNonPublic: "info:eu-repo/semantics/closedAccess",
}

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// core gathers elements, each once.
type core struct {
	strings.Builder
	seen map[string]bool
}

func (c *core) add(name, lang, value string) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	element := "<dc:" + name
	if lang != "" {
		element += ` xml:lang="` + escape(lang) + `"`
	}
	element += ">" + escape(value) + "</dc:" + name + ">\n"
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if !c.seen[element] {
		c.seen[element] = true
		c.WriteString(element)
	}
}

// texts adds a text in its own language and then in the others.
func (c *core) texts(name, own string, lang *string, all map[string]string) {
	tag := valueOf(lang)
	if _, known := all[tag]; !known {
		for _, t := range slices.Sorted(maps.Keys(all)) {
			if all[t] == own {
				tag = t
			}
		}
	}
	c.add(name, tag, own)
	for _, t := range slices.Sorted(maps.Keys(all)) {
		c.add(name, t, all[t])
	}
}

// escape writes text for XML; what XML cannot hold becomes U+FFFD.
func escape(s string) string {
	return escaper.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, s))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#xD;")
