package catalog

import "slices"

// mergesMax bounds how far merges of institutions are followed.
const mergesMax = 10

// Heirs are, by the ids of the institutions that were merged into others, those that they
// turned out to be.
func Heirs(list []Institution) map[string]*Institution {
	byID := make(map[string]*Institution, len(list))
	for i := range list {
		byID[list[i].ID] = &list[i]
	}
	heirs := map[string]*Institution{}
	for i := range list {
		heir := &list[i]
		for range mergesMax {
			next := byID[heir.MergedIntoID]
			if heir.MergedIntoID == "" || next == nil {
				break
			}
			heir = next
		}
		if heir.ID != list[i].ID {
			heirs[list[i].ID] = heir
		}
	}
	return heirs
}

// Inherit is the list with what merged institutions leave to those that they turned out to
// be (decisions-2 §B). What the heir says of itself stays; it lacks nothing that is known of
// the other: its names, identifiers, domains and organisations are added, its homepage,
// country, type and parent taken where the heir has none. A stated institution leaves no
// proof: neither domains nor organisations. The list that was given stays as it is.
func Inherit(list []Institution) []Institution {
	heirs := Heirs(list)
	if len(heirs) == 0 {
		return list
	}
	out, at := slices.Clone(list), make(map[string]int, len(list))
	for i := range out {
		at[out[i].ID] = i
	}
	for i := range list {
		if heir := heirs[list[i].ID]; heir != nil {
			out[at[heir.ID]].inherit(&list[i])
		}
	}
	return out
}

func (i *Institution) inherit(from *Institution) {
	i.Aliases = add(i.Aliases, append([]string{from.Name, from.NameEn}, from.Aliases...), i.Name, i.NameEn)
	names := make(Texts, len(i.Names)+len(from.Names))
	for lang, name := range from.Names {
		names[lang] = name
	}
	for lang, name := range i.Names {
		if theirs := names[lang]; theirs != "" && theirs != name {
			i.Aliases = add(i.Aliases, []string{theirs}, i.Name, i.NameEn)
		}
		names[lang] = name
	}
	if len(names) > 0 {
		i.Names = names
	}
	i.Identifiers = add(i.Identifiers, from.Identifiers)
	if from.Known() {
		i.OfficialDomains, i.GithubOrgs = add(i.OfficialDomains, from.OfficialDomains), add(i.GithubOrgs, from.GithubOrgs)
	}
	for _, x := range []struct{ own, theirs *string }{{&i.NameEn, &from.NameEn}, {&i.HomepageURL, &from.HomepageURL},
		{&i.CountryCode, &from.CountryCode}, {(*string)(&i.Type), (*string)(&from.Type)}} {
		if *x.own == "" {
			*x.own = *x.theirs
		}
	}
	if i.ParentID == "" && from.ParentID != i.ID {
		i.ParentID = from.ParentID
	}
	if from.UpdatedAt.After(i.UpdatedAt) {
		i.UpdatedAt = from.UpdatedAt
	}
}

// add is a list with the further texts that it lacks, but for some and empty ones; it is
// another one if it differs.
func add(list, more []string, but ...string) []string {
	list = slices.Clip(list)
	for _, text := range more {
		if text != "" && !slices.Contains(list, text) && !slices.Contains(but, text) {
			list = append(list, text)
		}
	}
	return list
}
