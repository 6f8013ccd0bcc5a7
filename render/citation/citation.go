// Package citation writes how an entry is cited, for programs that manage literature:
// CSL-JSON (Citation Style Language, schema 1.0.2), BibTeX and RIS. Each cites what the
// publisher published, by its persistent identifier if it has one, and says that the
// register describes it.
package citation

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Media types: of DataCite's content negotiation, and that of RIS by its makers.
const (
	TypeCSL    = "application/vnd.citationstyles.csl+json"
	TypeBibTeX = "application/x-bibtex; charset=utf-8"
	TypeRIS    = "application/x-research-info-systems; charset=utf-8"
)

// work is what is cited.
type work struct {
	id, title, publisher, doi, url, abstract, language, version, licence, register string
	dataset                                                                        bool
	year, month, day                                                               int
	keywords                                                                       []string
}

var doiIn = regexp.MustCompile(`(?i)\b(10\.[0-9]{4,9}/[^\s"<>]+)$`)

// workOf reads an answer about one entry; base is the address of the register.
func workOf(page []byte, base string) (*work, error) {
	var e wire.Entry
	if err := json.Unmarshal(page, &e); err != nil {
		return nil, err
	}
	w := &work{id: e.Slug, title: oneLine(e.Name), abstract: oneLine(text(e.Description)), language: text(e.NativeLang), keywords: e.Tags,
		dataset: e.Type == catalog.TypeDataset, register: strings.TrimRight(base, "/") + "/id/" + e.ID}
	if q := text(e.TitleQualifier); q != "" {
		w.title += " (" + oneLine(q) + ")"
	}
	if e.Publisher != nil {
		w.publisher = oneLine(e.Publisher.Name)
	}
	for _, id := range e.Identifiers {
		if doi := doiIn.FindString(id); doi != "" && w.doi == "" {
			w.doi = doi
		}
	}
	if e.DatasetDetails != nil {
		w.url, w.version = text(e.DatasetDetails.LandingPage), text(e.DatasetDetails.Version)
	}
	for _, u := range []*string{e.HomepageURL, e.PrimarySourceURL, e.DocsURL, &w.register} {
		if w.url == "" {
			w.url = text(u)
		}
	}
	if e.License != nil {
		w.licence = e.License.Title
	}
	w.date(text(e.SourceIssuedAt), text(e.SourceModifiedAt))
	return w, nil
}

// date takes the first of RFC 3339 dates that is there; the register's own dates are not
// those of the work.
func (w *work) date(list ...string) {
	for _, s := range list {
		if len(s) >= 10 && w.year == 0 {
			w.year, _ = strconv.Atoi(s[:4])
			w.month, _ = strconv.Atoi(s[5:7])
			w.day, _ = strconv.Atoi(s[8:10])
		}
	}
}

// CSL is the entry of a page as a list of one CSL-JSON item.
func CSL(page []byte, base string) ([]byte, error) {
	w, err := workOf(page, base)
	if err != nil {
		return nil, err
	}
	item := struct {
		ID        string           `json:"id"`
		Type      string           `json:"type"`
		Title     string           `json:"title"`
		Author    []map[string]any `json:"author,omitempty"`
		Publisher string           `json:"publisher,omitempty"`
		Issued    map[string]any   `json:"issued,omitempty"`
		DOI       string           `json:"DOI,omitempty"`
		URL       string           `json:"URL"`
		Abstract  string           `json:"abstract,omitempty"`
		Language  string           `json:"language,omitempty"`
		Version   string           `json:"version,omitempty"`
		License   string           `json:"license,omitempty"`
		Keyword   string           `json:"keyword,omitempty"`
		Source    string           `json:"source"`
	}{w.id, "webpage", w.title, nil, w.publisher, nil, w.doi, w.url, w.abstract, w.language, w.version, w.licence, strings.Join(w.keywords, ", "), w.register}
	if w.dataset {
		item.Type = "dataset"
	}
	if w.publisher != "" {
		item.Author = []map[string]any{{"literal": w.publisher}}
	}
	if w.year != 0 {
		item.Issued = map[string]any{"date-parts": [][]int{{w.year, w.month, w.day}}}
	}
	return json.Marshal([]any{item})
}

// BibTeX is the entry of a page as an item of BibTeX. Braces keep capitals as they are.
func BibTeX(page []byte, base string) ([]byte, error) {
	w, err := workOf(page, base)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("@misc{" + w.id)
	add := func(name, value string) {
		if value != "" {
			b.WriteString(",\n  " + name + " = {" + value + "}")
		}
	}
	add("title", "{"+latex(w.title)+"}")
	if w.publisher != "" {
		add("author", "{"+latex(w.publisher)+"}")
	}
	add("publisher", latex(w.publisher))
	if w.year != 0 {
		add("year", strconv.Itoa(w.year))
		add("month", strconv.Itoa(w.month))
	}
	kind := "API"
	if w.dataset {
		kind = "Data set"
	}
	add("howpublished", kind)
	add("doi", latex(w.doi))
	add("url", w.url)
	add("version", latex(w.version))
	add("language", latex(w.language))
	add("keywords", latex(strings.Join(w.keywords, ", ")))
	add("note", "Described at "+w.register)
	b.WriteString("\n}\n")
	return []byte(b.String()), nil
}

// RIS is the entry of a page as a record of RIS.
func RIS(page []byte, base string) ([]byte, error) {
	w, err := workOf(page, base)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	add := func(tag, value string) {
		if value != "" {
			b.WriteString(tag + "  - " + value + "\r\n")
		}
	}
	if w.dataset {
		add("TY", "DATA")
	} else {
		add("TY", "ELEC")
	}
	add("TI", w.title)
	add("AU", w.publisher)
	add("PB", w.publisher)
	if w.year != 0 {
		add("PY", strconv.Itoa(w.year))
	}
	add("DO", w.doi)
	add("UR", w.url)
	add("AB", w.abstract)
	add("LA", w.language)
	add("ET", w.version)
	for _, k := range w.keywords {
		add("KW", oneLine(k))
	}
	add("N1", "Described at "+w.register)
	b.WriteString("ER  - \r\n")
	return []byte(b.String()), nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// latex escapes what has a meaning in LaTeX.
func latex(s string) string { return escaper.Replace(s) }

var escaper = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)
