package reference

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

var institutionTypes = []string{
	"GOVERNMENT", "REGION", "MUNICIPALITY", "STATISTICS_OFFICE", "REGULATOR", "AGENCY", "PUBLIC_BODY", "INTERNATIONAL",
}

// parseInstitutions reads every institutions_*.tsv. Keys and domains must be
// unique over all files, because the files together are one table.
func parseInstitutions(fsys fs.FS) ([]Institution, error) {
	check, err := newInstitutionCheck(fsys)
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(fsys, "institutions_*.tsv")
	if err != nil {
		return nil, fmt.Errorf("find institution tables: %w", err)
	}
	var all []Institution
	for _, file := range files {
		rows, err := readTable(fsys, file, "key", "name", "name_en", "lang", "country_code", "type",
			"homepage", "official_domains", "github_orgs", "source")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if err := check.row(r); err != nil {
				return nil, err
			}
			all = append(all, institution(r))
		}
	}
	slices.SortFunc(all, func(a, b Institution) int { return strings.Compare(a.Key, b.Key) })
	return all, nil
}

func institution(r row) Institution {
	in := Institution{
		Key:             r.get("key"),
		Name:            r.get("name"),
		NameEn:          r.get("name_en"),
		Lang:            r.get("lang"),
		CountryCode:     r.get("country_code"),
		Type:            r.get("type"),
		Homepage:        r.get("homepage"),
		OfficialDomains: r.list("official_domains"),
		GithubOrgs:      r.list("github_orgs"),
		Source:          r.get("source"),
	}
	if in.NameEn == "" && in.Lang == "en" { // the table need not say it twice
		in.NameEn = in.Name
	}
	return in
}

// institutionCheck judges rows one by one and remembers what they claimed.
type institutionCheck struct {
	countries map[string]bool
	shared    map[string]bool
	keys      unique
	domains   unique
}

func newInstitutionCheck(fsys fs.FS) (*institutionCheck, error) {
	countries, err := countryCodes(fsys)
	if err != nil {
		return nil, err
	}
	shared, err := sharedSuffixes(fsys)
	if err != nil {
		return nil, err
	}
	return &institutionCheck{countries: countries, shared: shared, keys: unique{}, domains: unique{}}, nil
}

func (c *institutionCheck) row(r row) error {
	return cmp.Or(
		r.need("key", "name", "lang", "source"),
		checkKey(r),
		c.keys.claim(r, "key", r.get("key"), "keep one of the two rows"),
		checkCode(r, "country_code", c.countries),
		r.oneOf("type", institutionTypes...),
		r.webAddress("homepage"),
		c.officialDomains(r),
		checkOrgs(r),
	)
}

func checkKey(r row) error {
	key := r.get("key")
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return r.errorf("key", "use lower-case letters, digits and hyphens", "%q is no key", key)
	}
	return nil
}

func (c *institutionCheck) officialDomains(r row) error {
	const column = "official_domains"
	for _, domain := range r.list(column) {
		canonical, ok := canonicalHost(domain)
		switch {
		case !ok || canonical != domain || !strings.Contains(domain, "."):
			return r.errorf(column, "write the bare host in lower-case ASCII", "%q is no domain", domain)
		case c.shared[domain]:
			return r.errorf(column, "name the hosts of this institution, such as www."+domain, "%q is shared by many public bodies", domain)
		}
		if err := c.domains.claim(r, column, domain, "leave it with one of the two"); err != nil {
			return err
		}
	}
	return nil
}

func checkOrgs(r row) error {
	for _, org := range r.list("github_orgs") {
		if org == "" || strings.ContainsAny(org, "/. ") {
			return r.errorf("github_orgs", "write the name of the organisation only", "%q is no organisation", org)
		}
	}
	return nil
}
