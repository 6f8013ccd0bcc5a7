package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/usage"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// formatsShown is how many formats of an entry stand in its row, aboutMax how many characters
// of its description.
const (
	formatsShown = 4
	aboutMax     = 240
)

// row is a line of the snapshot as a row of a list, in the reader's language.
func (b *snapshotView) row(t *locale, l *snapshot.Line) templates.Row {
	r := templates.Row{Slug: l.Slug, Qualifier: l.Qualifier, State: t.T("state." + string(l.State)), StateClass: cmp.Or(stateClasses[l.State], "idle"),
		Score: t.points(l.MQA), Meta: b.rowFacts(t, l)}
	r.Name, r.Lang = l.TitleIn(t.code)
	r.Name = cmp.Or(strings.TrimSpace(r.Name), l.Slug)
	if r.Name != l.Name {
		r.Own, r.OwnLang = l.Name, l.Lang
	}
	if l.State != catalog.StateFailing { // nothing of a source that fails is excellent
		r.Tier = t.T("tier." + string(l.Tier))
	}
	return r
}

// rowFacts are the type of an entry, who publishes it and so on.
func (b *snapshotView) rowFacts(t *locale, l *snapshot.Line) []templates.RowFact {
	facts := []templates.RowFact{{Text: t.T("type." + string(l.Type))}}
	if i := b.c.Institutions[l.InstitutionID]; i != nil {
		facts = append(facts, templates.RowFact{Text: clip(t.body(i), 60), Own: true})
	}
	if catalog.CountryShape(l.Country) && len(b.lands) > 1 {
		facts = append(facts, templates.RowFact{Text: t.country(l.Country)})
	}
	if key := accessKey(l.FreeAccess, l.Rights); key != "access.UNKNOWN" {
		facts = append(facts, templates.RowFact{Text: t.T(key)})
	}
	if x := b.c.Licences[l.LicenseID]; x != nil {
		facts = append(facts, templates.RowFact{Text: clip(cmp.Or(x.Title, x.ID), 50), Own: true})
	}
	if names := formatNames(usage.ByUse(l.Formats)); len(names) > 0 {
		facts = append(facts, templates.RowFact{Text: clip(strings.Join(names[:min(len(names), formatsShown)], ", "), 60), Outside: true})
	}
	return facts
}

// series lets a row stand for the series of its entry, if that is in one.
func (b *snapshotView) inSeries(r *templates.Row, t *locale, s *snapshot.Series) {
	if s != nil {
		r.Series, r.Members = localRoute(t.code, "/series/"+s.ID), len(s.Members)
	}
}

// rowOfItem is a list item as a row.
func (b *snapshotView) rowOfItem(t *locale, i *wire.Item) templates.Row {
	l := lineOf(i)
	if o := b.c.ByID(i.ID); o >= 0 {
		l.Titles, l.LicenseID = b.c.Lines[o].Titles, b.c.Lines[o].LicenseID
	}
	r := b.row(t, &l)
	r.About, r.AboutLang = aboutIn(t.code, &about{Own: value(i.Description), English: value(i.DescriptionEn)}, l.Lang)
	if at, err := time.Parse(time.RFC3339, value(i.LastVerifiedAt)); err == nil {
		r.Checked = at
	}
	return r
}

// lineOf is what rows show of a list item, which may be newer than the snapshot.
func lineOf(i *wire.Item) snapshot.Line {
	l := snapshot.Line{Traits: &snapshot.Traits{Lang: value(i.NativeLang), Type: i.Type, State: i.VerificationState, Country: value(i.CountryCode), InstitutionID: value(i.InstitutionID), FreeAccess: i.FreeAccessClass, Formats: i.Formats, Tier: i.MQATier}, ID: i.ID, Slug: i.Slug, Name: i.Name, NameEn: value(i.NameEn),
		Qualifier: value(i.TitleQualifier)}
	l.MQA = tenths(i.MQAScore)
	if i.AccessRights != nil {
		l.Rights = *i.AccessRights
	}
	return l
}

// about is the beginning of an entry's description in its own language, in English, and in the
// other languages of the interface that it has one in.
type about struct {
	Own, English string
	Others       map[string]string
}

// aboutIn is the description for readers of a language: in that language, else in English,
// else the entry's own; and the language in which it is.
func aboutIn(lang string, a *about, own string) (text, in string) {
	switch {
	case a.Own != "" && base(own) == lang:
		return a.Own, own
	case a.Others[lang] != "":
		return a.Others[lang], lang
	case a.English != "":
		return a.English, "en"
	}
	return a.Own, own
}

// aboutsStream has of each entry the beginnings of its description in other languages than its list item has.
const aboutsStream = "abouts"

// otherAbouts are those beginnings, nil for none.
func otherAbouts(e *catalog.Entry) map[string]string {
	var out map[string]string
	for _, lang := range languages {
		text := DescriptionIn(lang, e.Descriptions, e.NativeLang, e.Description, e.DescriptionEn)
		if text == "" {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[lang] = clip(text, aboutMax)
	}
	return out
}

// DescriptionIn is the description in a language of the interface where it is neither the entry's own
// nor the English one, which list items have; "" for none.
func DescriptionIn(lang string, all catalog.Texts, native, own, english string) string {
	if base(native) == lang && own != "" || lang == "en" && english != "" {
		return ""
	}
	return inLanguage(all, native, own, english, lang).Text
}

// aboutsFragment is what an entry adds to the stream.
func aboutsFragment(e *catalog.Entry) (artifact.Fragment, error) {
	f := artifact.Fragment{Stream: aboutsStream}
	others := otherAbouts(e)
	if others == nil {
		return f, nil
	}
	var err error
	f.Body, err = json.Marshal(others)
	return f, err
}

// abouts keeps the beginnings of descriptions, which many lists show; it forgets all when it
// has too many.
type abouts struct {
	mu   sync.Mutex
	list map[int32]*about
}

// aboutsMax is how many beginnings are kept: some ten megabytes.
const aboutsMax = 20_000

func (b *snapshotView) about(ordinal int32) (*about, error) {
	b.abouts.mu.Lock()
	defer b.abouts.mu.Unlock()
	if a := b.abouts.list[ordinal]; a != nil {
		return a, nil
	}
	l := &b.c.Lines[ordinal]
	item, err := b.c.ReadItem(l)
	if err != nil {
		return nil, err
	}
	texts, err := jsonx.Texts(item, "description", "description_en")
	if err != nil {
		return nil, fmt.Errorf("item of entry %s: %w", l.ID, err)
	}
	if b.abouts.list == nil || len(b.abouts.list) >= aboutsMax {
		b.abouts.list = map[int32]*about{}
	}
	a := &about{Own: clip(texts[0], aboutMax), English: clip(texts[1], aboutMax)}
	others, err := b.c.Streams[aboutsStream].Fragment(int(ordinal), nil)
	if err == nil && len(others) > 0 {
		err = json.Unmarshal(others, &a.Others)
	}
	if err != nil {
		return nil, fmt.Errorf("descriptions of entry %s: %w", l.ID, err)
	}
	b.abouts.list[ordinal] = a
	return a, nil
}

// rowsOf are entries as a list.
func (b *snapshotView) rowsOf(t *locale, ordinals []int32, series bool) ([]templates.Row, error) {
	rows := make([]templates.Row, len(ordinals))
	for k, o := range ordinals {
		l := &b.c.Lines[o]
		rows[k] = b.row(t, l)
		a, err := b.about(o)
		if err != nil {
			return nil, err
		}
		rows[k].About, rows[k].AboutLang = aboutIn(t.code, a, l.Lang)
		if series {
			b.inSeries(&rows[k], t, b.c.SeriesOf(int(o)))
		}
	}
	return rows, nil
}

// numbered is the route of page n of what begins at base.
func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return fmt.Sprint(base, "/", n)
}

// turn leads from page n of all to those beside it, of a list that begins at base.
func turn(t *locale, base string, n, pages int) templates.Turn {
	x := templates.Turn{Page: n, Pages: pages}
	if n > 1 {
		x.Prev = localRoute(t.code, numbered(base, n-1))
	}
	if n < pages {
		x.Next = localRoute(t.code, numbered(base, n+1))
	}
	return x
}
