package admin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Shapes of keys, hosts and GitHub organisations.
var (
	keyShape  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	hostShape = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)
	orgShape  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}$`)
)

// keyMax is the longest key, listMax the longest list of a row.
const keyMax, listMax = 80, 200

func checkKey(key string) error {
	if len(key) > keyMax || !keyShape.MatchString(key) {
		return web.NotFound("A key has lower-case letters and digits, in words joined by hyphens.")
	}
	return nil
}

// Institutions lists the register of institutions.
func (o *API) Institutions() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.AdminInstitutionParams())
		if err != nil {
			return err
		}
		after, err := place(q["cursor"])
		if err != nil {
			return err
		}
		var all []catalog.Institution
		err = o.view(r, func(ctx context.Context, tx catalog.Tx) (err error) {
			all, err = tx.Institutions().All(ctx)
			return err
		})
		if err != nil {
			return err
		}
		page, limit := wire.AdminInstitutionsPage{Items: []wire.AdminInstitution{}}, q.Int("limit")
		at, _ := slices.BinarySearchFunc(all, after+"\x00", func(i catalog.Institution, id string) int { return cmp.Compare(i.ID, id) })
		rest := slices.DeleteFunc(all[at:], func(i catalog.Institution) bool { return !hasLetters(q["q"], lettersOf(&i)) })
		if len(rest) > limit {
			rest = rest[:limit]
			page.Next = o.next("/api/v1/admin/institutions", rest[limit-1].ID, asked(q, "limit", "q"))
		}
		for i := range rest {
			page.Items = append(page.Items, wire.NewAdminInstitution(&rest[i]))
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// lettersOf is where an institution is looked for.
func lettersOf(i *catalog.Institution) []string {
	texts := append([]string{i.Key, i.ID, i.Name, i.NameEn}, slices.Concat(i.Aliases, i.Identifiers, i.OfficialDomains)...)
	for _, name := range i.Names {
		texts = append(texts, name)
	}
	return texts
}

// hasLetters tells whether one of the texts has the letters, whatever their case.
func hasLetters(letters string, texts []string) bool {
	return letters == "" || slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(letters)) })
}

func checkInstitution(i *catalog.Institution) error {
	if i.Name == "" {
		return invalid("name", "", "give the institution a name")
	}
	for field, text := range map[string]string{"name": i.Name, "name_en": i.NameEn, "native_lang": i.NativeLang} {
		if err := catalog.CheckText(field, text, catalog.SubmissionNameMax); err != nil {
			return err
		}
	}
	if i.CountryCode != "" && !catalog.CountryShape(i.CountryCode) {
		return invalid("country_code", i.CountryCode, "use two capital letters (ISO 3166-1 alpha-2)")
	}
	if i.HomepageURL != "" {
		if err := catalog.CheckURL("homepage_url", i.HomepageURL); err != nil {
			return err
		}
	}
	if len(i.Aliases) > listMax {
		return invalid("aliases", "", "keep at most 200 elements")
	}
	for _, name := range i.Aliases {
		if err := catalog.CheckText("aliases", name, catalog.SubmissionNameMax); err != nil || strings.TrimSpace(name) == "" {
			return cmp.Or(err, invalid("aliases", name, "name it, or leave the alias out"))
		}
	}
	if len(i.OfficialDomains) > listMax || len(i.GithubOrgs) > listMax {
		return invalid("official_domains", "", "keep at most 200 elements")
	}
	for _, d := range i.OfficialDomains {
		if !hostShape.MatchString(d) {
			return invalid("official_domains", d, "use a bare host in lower case such as statistics.example")
		}
	}
	for _, org := range i.GithubOrgs {
		if !orgShape.MatchString(org) {
			return invalid("github_orgs", org, "use the name of an organisation on GitHub")
		}
	}
	return nil
}

// Sources lists the sources with their settings.
func (o *API) Sources() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		page := wire.AdminSourcesPage{Items: []wire.AdminSource{}}
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			all, err := tx.Sources().All(ctx)
			for i := range all {
				page.Items = append(page.Items, wire.NewAdminSource(&all[i]))
			}
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// PutSource writes a source whole, but for a file of the machine, which only
// its configuration names.
func (o *API) PutSource() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.SourceRequest](r)
		if err != nil {
			return err
		}
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		key := r.PathValue("key")
		s := catalog.Source{ID: catalog.NewID("source", key), Key: key, Kind: req.Kind, Title: strings.TrimSpace(req.Title), URL: req.URL, Endpoint: req.Endpoint,
			CountryCode: req.CountryCode, InstitutionID: req.InstitutionID, DefaultInstitution: req.DefaultInstitution, Filters: req.Filters, Enabled: req.Enabled,
			Schedule: req.Schedule, Incremental: req.Incremental, Official: strings.TrimSpace(req.Official), Managed: true}
		if err := checkKey(key); err != nil {
			return err
		}
		if err := o.checkSource(&s); err != nil {
			return err
		}
		err = o.change(r, "putSource", func(a *act) error { return a.putSource(&s, req.Portal, why) })
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, wire.NewAdminSource(&s))
	}
}

func (a *act) putSource(s *catalog.Source, portal *bool, why string) error {
	old, err := a.tx.Sources().Get(a.ctx, s.ID)
	if err != nil && !errors.Is(err, catalog.ErrNotFound) {
		return err
	}
	s.CreatedAt, s.UpdatedAt = a.now, a.now
	if old != nil {
		if old.Configured {
			return conflict("The configuration file describes this source: change it there.")
		}
		s.CreatedAt, s.File, s.Portal = old.CreatedAt, old.File, old.Portal
	}
	if portal != nil {
		s.Portal = *portal
	}
	if s.InstitutionID != "" {
		if _, err := a.tx.Institutions().Get(a.ctx, s.InstitutionID); err != nil {
			return invalid("institution_id", s.InstitutionID, "use the id of an institution of the register")
		}
	}
	if err := a.tx.Sources().Put(a.ctx, *s); err != nil {
		return err
	}
	return a.audit(s.ID, why, map[string]any{"before": old, "after": s})
}

// everyMin is the shortest schedule.
const everyMin = time.Minute

func (o *API) checkSource(s *catalog.Source) error {
	if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, s.Kind) || s.Kind == "" {
		return invalid("kind", s.Kind, "use one of "+strings.Join(o.Kinds, ", "))
	}
	if s.Title == "" {
		return invalid("title", "", "give the source a title")
	}
	for field, text := range map[string]string{"title": s.Title, "official": s.Official, "default_institution": s.DefaultInstitution} {
		if err := catalog.CheckText(field, text, catalog.ReasonMax); err != nil {
			return err
		}
	}
	if err := catalog.CheckURL("url", s.URL); err != nil {
		return err
	}
	if s.Endpoint != "" {
		if err := catalog.CheckURL("endpoint", s.Endpoint); err != nil {
			return err
		}
	}
	if s.CountryCode != "" && !catalog.CountryShape(s.CountryCode) {
		return invalid("country_code", s.CountryCode, "use two capital letters (ISO 3166-1 alpha-2)")
	}
	if d, err := time.ParseDuration(s.Schedule); !slices.Contains([]string{"", "hourly", "daily", "weekly", "monthly"}, s.Schedule) && (err != nil || d < everyMin) {
		return invalid("schedule", s.Schedule, "use hourly, daily, weekly, monthly, or a duration such as 36h")
	}
	if len(s.Filters) > listMax {
		return invalid("filters", "", "keep at most 200 elements")
	}
	for name, text := range s.Filters {
		if err := catalog.CheckText("filters."+web.Shorten(name), name+text, catalog.URLMax); err != nil {
			return err
		}
	}
	return nil
}
