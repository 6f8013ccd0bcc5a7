package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/apisguru"
	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/render/lint"
)

// class is what a value stands for, as the name of its member says.
type class uint8

const (
	other class = iota
	title
	prose
	address
	date
	mail
	licence
	format
	frequency
	country
	identifier
)

// names go from the name of a member, in lower case and without signs, to the
// class of its value.
var names = map[string]class{
	"title": title, "name": title, "prefname": title, "prefnamefr": title,
	"description": prose, "notes": prose, "summary": prose, "abstract": prose, "tagline": prose, "content": prose,
	"landingpage": address, "homepage": address, "references": address, "describedby": address, "website": address, "page": address,
	"link": address, "href": address, "site": address, "externalsite": address, "doctechexternal": address, "permalink": address, "contactform": address, "webservice": address, "isdefinedby": address, "endpointdescription": address,
	"modified": date, "issued": date, "created": date, "updated": date, "lastmodified": date, "lastupdate": date, "metadatacreated": date, "metadatamodified": date,
	"startdate": date, "enddate": date, "dateadded": date, "dateupdated": date, "createdat": date, "updatedat": date, "publishedat": date, "releasedate": date,
	"dataupdatedat": date, "metadataupdatedat": date, "datemodified": date, "datepublished": date, "datecreated": date, "datelastupdated": date, "datefirstpublished": date,
	"firstpublished": date, "lastpublished": date, "letzteaktualisierung": date, "erstveroffentlichung": date, "metadataprocessed": date, "createdatinternal": date,
	"email": mail, "mail": mail, "hasemail": mail, "mbox": mail, "contactemail": mail, "authoremail": mail, "maintaineremail": mail,
	"license": licence, "licence": licence, "licenseid": licence, "licenseurl": licence,
	"format":             format,
	"accrualperiodicity": frequency, "frequency": frequency, "updatefrequency": frequency,
	"country": country, "countrycode": country, "identifier": identifier, "id": identifier, "fileidentifier": identifier,
}

// classOf is the class of a member by its name and that of the object around it.
func classOf(m *member) class {
	name := plainName(m.name)
	if plainName(m.parent) == "license" || plainName(m.parent) == "licence" {
		if name == "name" || name == "url" || name == "identifier" {
			return licence
		}
	}
	c, known := names[name]
	if !known && (strings.HasSuffix(name, "url") || strings.HasSuffix(name, "link") || strings.HasSuffix(name, "uri") && name != "uri") {
		return address
	}
	return c
}

func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-:@. ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// look looks at a record: at each of its values, and at what they say together.
func (l *linter) look(at lint.Record, list []member) {
	l.records++
	l.around = list
	if void(list) && at.Pointer == "" {
		l.voids++
	}
	if at.Pointer != "" && !slices.ContainsFunc(list, func(m member) bool { return m.pointer == at.Pointer && m.kind == "object" }) {
		l.bare[at.Document+at.Pointer] = true
	}
	name(&at, list)
	if l.blank(at, list) {
		return
	}
	for i := range list {
		if m := &list[i]; m.kind == "string" && !l.beside(m) {
			l.value(at, m, classOf(m))
		}
		if l.err != nil {
			return
		}
	}
	l.together(at, list)
}

// beside tells of members of OpenAPI documents that describe calls and data, not
// the API: an example may hold anything.
func (l *linter) beside(m *member) bool {
	if l.kind != openapidoc.Kind {
		return strings.Contains(m.pointer, "/_score") || strings.Contains(m.pointer, "/swaggerUrl")
	}
	if strings.Contains(m.pointer, "/x-") {
		return true
	}
	for _, part := range []string{"/paths/", "/components/", "/definitions/", "/parameters/", "/responses/"} {
		if strings.HasPrefix(m.pointer, part) {
			return true
		}
	}
	return false
}

// identities and titles are where records have them, the best first.
var (
	identities = lint.Identities
	titles     = []string{"/title", "/name", "/resource/name", "/server/title", "/server/name", "/info/title", "/metas/default/title", "/properties/title"}
)

// name puts the identifier and the title of a record into at.
func name(at *lint.Record, list []member) {
	find := func(paths []string) string {
		for _, p := range paths {
			for i := range list {
				m := &list[i]
				if m.value != "" && (m.pointer == at.Pointer+p || at.Pointer == "" && m.pointer == p[1:]) {
					return m.value
				}
			}
		}
		return ""
	}
	at.ID = cmp.Or(at.ID, clip(find(identities)))
	at.Title = cmp.Or(at.Title, clip(find(titles)))
	if at.Title == at.ID {
		at.Title = ""
	}
}

func clip(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "")
	}
	return s
}

// blank tells that all that a record says is empty.
func (l *linter) blank(at lint.Record, list []member) bool {
	if len(list) == 0 {
		return true
	}
	for i := range list {
		switch name := plainName(list[i].name); {
		case list[i].value == "" || list[i].kind == "boolean" || list[i].kind == "number" || name == "version" || name == "source" || classOf(&list[i]) == date:
		case strings.HasPrefix(list[i].pointer, at.Pointer+"/id"), strings.Contains(list[i].pointer, "/_meta"), strings.Contains(list[i].pointer, "version_detail"):
		default:
			return false
		}
	}
	if list[len(list)-1].size == 0 && list[len(list)-1].kind != "" && list[len(list)-1].kind != "string" {
		return false // {} and [] are told elsewhere
	}
	l.add(lint.New("record.empty", at, "", "", ""))
	return true
}

// value looks at one value.
func (l *linter) value(at lint.Record, m *member, c class) {
	v := l.text(at, m, c)
	if v == "" {
		return
	}
	switch c {
	case address:
		l.address(at, m, v)
	case date:
		l.date(at, m, v)
	case mail:
		l.mail(at, m, v)
	case licence:
		l.licence(at, m, v)
	case format:
		if l.kind == mcpregistry.Kind || l.kind == mcpregistry.KindFile || l.kind == apisguru.Kind {
			return // the format of JSON schema
		}
		l.format(at, m, v)
	case frequency:
		l.frequency(at, m, v)
	case country:
		l.country(at, m, v)
	}
}

// found makes a finding about a value; with a mended value comes a patch.
func (l *linter) found(rule string, at lint.Record, m *member, message, mended string) {
	if m.line > 0 && at.Line > 0 {
		at.Line = m.line
	}
	f := lint.New(rule, at, m.pointer, m.value, message)
	if mended != "" && strings.HasPrefix(m.pointer, "/") && m.name != "#text" {
		f.Patch = &lint.Patch{Form: lint.JSONPatch, Operations: []lint.Operation{{Op: "test", Path: m.pointer, Value: m.value}, {Op: "replace", Path: m.pointer, Value: mended}}}
	}
	l.add(f)
}

// drop makes a finding that is mended by leaving the member out.
func (l *linter) drop(rule string, at lint.Record, m *member, message string) {
	f := lint.New(rule, at, m.pointer, m.value, message)
	if strings.HasPrefix(m.pointer, "/") && m.name != "#text" {
		f.Patch = &lint.Patch{Form: lint.JSONPatch, Operations: []lint.Operation{{Op: "test", Path: m.pointer, Value: m.value}, {Op: "remove", Path: m.pointer}}}
	}
	l.add(f)
}
