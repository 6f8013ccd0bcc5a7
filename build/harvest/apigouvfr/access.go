package apigouvfr

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// access maps is_open: 1 is open to all, 0 needs an account, -1 needs an
// authorisation that only some bodies get, which is restricted and free for nobody
// else (decisions-2 §C). How a caller then authenticates the catalogue does not
// say, but for 1.
func (m *mapper) access(b *source.Builder, p *page) {
	e := &b.Draft.Entry
	key, _ := p.upstream("is_open")
	switch raw := strings.TrimSpace(p.text("is_open")); raw {
	case "":
	case "1":
		e.FreeAccessClass, e.AuthType = catalog.AccessFreeNoAuth, catalog.AuthNone
		b.Remark("free_access_class", key, "1: open to all", "")
		b.Compute("auth_type", key, "1: open to all", "")
	case "0":
		e.FreeAccessClass = catalog.AccessFreeKey
		b.Remark("free_access_class", key, "0: an account is needed", "")
	case "-1":
		e.AccessRights = catalog.RightsRestricted
		b.Remark("access_rights", key, "-1: an authorisation is needed", "only bodies that are entitled to it get access")
	default:
		b.Refuse("free_access_class", key, "is_open is -1, 0 or 1, not "+strconv.Quote(raw))
	}
}

// rate reads "20 appels / seconde / jeton", "1000 requêtes/min par IP", "2000
// appels / 10 minutes / IP", "2M appels / an".
var rate = regexp.MustCompile(`(?i)^(\d[\d  ]*)\s*(M|k)?\s*(?:appels?|requ[êe]tes?|calls?)\s*(?:/|par)\s*(\d+)?\s*(secondes?|sec|s|minutes?|min|heures?|h|jours?|j|mois|ans?|année)\b`)

var seconds = map[string]int64{"s": 1, "sec": 1, "seconde": 1, "min": 60, "minute": 60, "h": 3600, "heure": 3600,
	"j": 86400, "jour": 86400, "mois": 30 * 86400, "an": 365 * 86400, "année": 365 * 86400}

// limits maps the usage limits; each is read as a rate where it states one.
func (m *mapper) limits(b *source.Builder, p *page) {
	e := &b.Draft.Entry
	key, _ := p.upstream("rate_limiting_resume")
	for _, raw := range p.list("rate_limiting_resume") {
		if text, _ := source.Line(raw); text != "" {
			e.Limits = append(e.Limits, limit(text))
		}
	}
	if len(e.Limits) > 0 {
		b.Deliver("limits", key, "rates read where stated", "")
	}
	if text := source.MarkdownText(p.text("rate_limiting_description")); text != "" {
		b.Text(&e.API.RateLimitInfo, "api.rate_limit_info", "rate_limiting_description", "markdown to plain text",
			text, "", catalog.DescriptionMax)
	}
}

func limit(text string) catalog.Limit {
	l := catalog.Limit{Kind: "requests", Text: text}
	f := rate.FindStringSubmatch(text)
	if f == nil {
		return l
	}
	n, err := strconv.ParseInt(strings.NewReplacer(" ", "", " ", "").Replace(f[1]), 10, 32)
	if err != nil {
		return l
	}
	switch strings.ToLower(f[2]) {
	case "m":
		n *= 1_000_000
	case "k":
		n *= 1000
	}
	every := int64(1)
	if f[3] != "" {
		if every, err = strconv.ParseInt(f[3], 10, 16); err != nil || every == 0 {
			return l
		}
	}
	unit := strings.ToLower(f[4])
	period, ok := seconds[unit]
	if !ok {
		period = seconds[strings.TrimSuffix(unit, "s")]
	}
	l.Quantity, l.PeriodSeconds = n, every*period
	return l
}

// themes maps the catalogue's words to codes of the EU data-theme table.
var themes = map[string]string{
	"entreprise": "ECON", "environnement": "ENVI", "emploi": "SOCI", "administration & législation": "GOVE",
	"administration": "GOVE", "géographie": "REGI", "education": "EDUC", "éducation": "EDUC", "transport": "TRAN",
	"santé": "HEAL", "energie": "ENER", "énergie": "ENER", "droit et justice": "JUST", "culture": "EDUC",
	"agriculture": "AGRI", "logement": "SOCI", "social": "SOCI",
}

// topics maps keywords and themes; the words of both become tags.
func (m *mapper) topics(b *source.Builder, p *page) {
	e := &b.Draft.Entry
	keywords, words := p.list("keywords"), p.list("themes")
	b.Terms("keywords", e.NativeLang, keywords...)
	b.Tags("keywords, themes", append(append([]string{}, keywords...), words...)...)
	for _, w := range words {
		word, _ := source.Line(strings.ToLower(w))
		if code, ok := themes[word]; ok {
			e.Themes = append(e.Themes, code)
		}
	}
	if len(e.Themes) > 0 {
		e.Themes = distinct(e.Themes)
		b.Remark("themes", "themes", "mapped to the EU data-theme table", "")
	}
}

// distinct sorts codes and drops repetitions.
func distinct(codes []string) []string {
	slices.Sort(codes)
	return slices.Compact(codes)
}
