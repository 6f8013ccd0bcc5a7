package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of what is kept of lists that no reader reads to their end.
const (
	alternativesMax = 50
	languagesMax    = 50
	identifiersMax  = 50
	agentsMax       = 50
	subjectsMax     = 200
	relationsMax    = catalog.ListMax
	// termsMax are the keywords in one language: a national catalogue has a record
	// with over six thousand.
	termsMax = 10_000
)

// Keywords keeps the keywords by language, whole terms in alphabetical order,
// as sources give them in a new order every day, and sets the tags: those in the language of the record, those without
// a tag and the English ones; if there are none, all that a human wrote.
func (b *Builder) Keywords(upstream string, texts ...Text) {
	own := b.terms(upstream, texts)
	if tags := Tags(own...); len(tags) > 0 {
		b.Draft.Entry.Tags = tags
		b.Deliver("tags", upstream, "lower case, sorted, distinct", "")
	}
}

// Terms keeps the keywords of a source that has one language, "" where it says
// none, and leaves the tags alone.
func (b *Builder) Terms(upstream, lang string, raw ...string) {
	texts := make([]Text, len(raw))
	for i, r := range raw {
		texts[i] = Text{Value: r, Lang: lang}
	}
	b.terms(upstream, texts)
}

// terms keeps keywords by language and returns those that make tags.
func (b *Builder) terms(upstream string, texts []Text) []string {
	e := &b.Draft.Entry
	var own, all []string
	cut := false
	terms, seen := catalog.Terms{}, map[[2]string]bool{}
	for _, p := range b.phrases(texts, oneLine) {
		p.value, _ = Cut(p.value, catalog.NameMax)
		if !says(p.value) {
			continue
		}
		tag := p.tag()
		switch term := [2]string{tag, p.value}; {
		case seen[term]:
		case len(terms[tag]) == termsMax:
			cut = true
		default:
			seen[term] = true
			terms[tag] = append(terms[tag], p.value)
		}
		if p.machine {
			continue
		}
		all = append(all, p.value)
		if p.lang == "" || sameLanguage(p.lang, e.NativeLang) || sameLanguage(p.lang, "en") {
			own = append(own, p.value)
		}
	}
	if len(terms) == 0 {
		return nil
	}
	for _, list := range terms {
		slices.Sort(list)
	}
	e.Keywords = terms
	note := ""
	if cut {
		note = fmt.Sprintf("the first %d of a language are kept", termsMax)
	}
	b.row("keywords", catalog.BasisPublisher, upstream, "by language", note)
	if len(own) == 0 {
		own = all
	}
	return own
}

// AlternativeTitles adds titles beside the name.
func (b *Builder) AlternativeTitles(upstream string, raw ...string) {
	e := &b.Draft.Entry
	added := false
	for _, r := range raw {
		text, _ := Line(r)
		text, _ = Cut(text, catalog.NameMax)
		if text == "" || text == e.Name || slices.Contains(e.AlternativeTitles, text) || len(e.AlternativeTitles) == alternativesMax {
			continue
		}
		e.AlternativeTitles, added = append(e.AlternativeTitles, text), true
	}
	if added {
		b.row("alternative_titles", catalog.BasisPublisher, upstream, "", "")
	}
}

// Languages sets the languages of the resource itself.
func (b *Builder) Languages(upstream string, raw ...string) {
	if tags := LanguageTags(raw); len(tags) > 0 {
		b.Draft.Entry.Languages = tags
		b.row("languages", catalog.BasisPublisher, upstream, "as BCP 47 tags", "")
	}
}

// LanguageTags are the languages that statements name, as BCP 47 tags, in their order. One statement may name several.
func LanguageTags(raw []string) (tags []string) {
	for _, r := range raw {
		parts := []string{r}
		if _, ok := Language(r); !ok {
			parts = severalLanguages(r)
		}
		for _, part := range parts {
			if tag, ok := Language(part); ok && !slices.Contains(tags, tag) && len(tags) < languagesMax {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}

// AccessRights sets who may have the data, as the first statement that can be
// read says it.
func (b *Builder) AccessRights(upstream string, raw ...string) {
	for _, r := range raw {
		if rights, ok := AccessRights(r); ok {
			b.Draft.Entry.AccessRights = rights
			b.Remark("access_rights", upstream, "mapped to the EU access-right table", "")
			return
		}
	}
}

// Identifiers adds persistent identifiers.
func (b *Builder) Identifiers(upstream string, raw ...string) {
	e := &b.Draft.Entry
	added := false
	for _, r := range raw {
		id := RecordIdentifier(r)
		if !persistent(id) || len(id) > catalog.URLMax || slices.Contains(e.Identifiers, id) || len(e.Identifiers) == identifiersMax {
			continue
		}
		e.Identifiers, added = append(e.Identifiers, id), true
	}
	if added {
		b.row("identifiers", catalog.BasisPublisher, upstream, "DOIs as https://doi.org/…", "")
	}
}

// Subjects adds themes of vocabularies that are not those of the register.
func (b *Builder) Subjects(upstream string, raw ...string) {
	e := &b.Draft.Entry
	e.Subjects = distinctLines(e.Subjects, raw)
	if len(e.Subjects) > 0 {
		b.row("subjects", catalog.BasisPublisher, upstream, "", "")
	}
}

// ConformsTo adds the standards that the resource conforms to.
func (b *Builder) ConformsTo(upstream string, raw ...string) {
	e := &b.Draft.Entry
	e.ConformsTo = distinctLines(e.ConformsTo, raw)
	if len(e.ConformsTo) > 0 {
		b.row("conforms_to", catalog.BasisPublisher, upstream, "", "")
	}
}

// distinctLines adds lines to a list, without repetitions and without names of blank
// nodes, which are others in the next export.
func distinctLines(list, raw []string) []string {
	for _, r := range raw {
		text, _ := Line(r)
		text, _ = Cut(text, catalog.NameMax)
		if text != "" && !catalog.Skolem(text) && !slices.Contains(list, text) && len(list) < subjectsMax {
			list = append(list, text)
		}
	}
	return list
}

// Relate adds a relation to the thing that the source calls id, of a kind of
// record (dataset, service) of the catalogue at host; title is what it is
// called, if the source says so.
func (b *Builder) Relate(kind catalog.RelationKind, host, record, id, title string) {
	e := &b.Draft.Entry
	id = Token(id)
	ref := host + ":" + record + ":" + id
	if id == "" || len(ref) > catalog.URLMax || len(e.Relations) == relationsMax {
		return
	}
	title, _ = Line(title)
	title, _ = Cut(title, catalog.NameMax)
	r := catalog.Relation{Kind: kind, Ref: ref, Title: title}
	if !slices.Contains(e.Relations, r) {
		e.Relations = append(e.Relations, r)
	}
}

// PublisherAgent sets the publisher: what the source calls it in the language
// of the record, and all else that it says of it.
func (b *Builder) PublisherAgent(upstream string, names []Text, agent catalog.Agent) {
	shown := b.agentNames(&agent, names)
	if shown == nil {
		return
	}
	d := &b.Draft
	d.PublisherName, d.Entry.PublisherName, d.Entry.Publisher = shown.value, shown.value, &agent
	b.Deliver("publisher_name", upstream, "", shown.repair)
	d.PublisherURL = agent.HomepageURL
}

// PublisherIdentified sets a publisher that the source identifies and does not name, and tells whether it can be known by
// that. A person is not shown by an identifier.
func (b *Builder) PublisherIdentified(upstream string, agent catalog.Agent) bool {
	b.agentAddresses(&agent)
	if agent.Person || catalog.PrivatePublisher(agent.Type) || catalog.CheckURL("iri", agent.IRI) != nil {
		return false
	}
	b.Draft.Entry.Publisher, b.Draft.PublisherURL = &agent, agent.HomepageURL
	b.Refuse("publisher_name", upstream, "the source does not say what "+agent.IRI+" is called; it is known by this identifier")
	return true
}

// RightsHolder sets who holds the rights.
func (b *Builder) RightsHolder(upstream string, names []Text, agent catalog.Agent) {
	if b.agentNames(&agent, names) != nil {
		b.Draft.Entry.RightsHolder = &agent
		b.row("rights_holder", catalog.BasisPublisher, upstream, "", "")
	}
}

// Creator adds a creator.
func (b *Builder) Creator(upstream string, names []Text, agent catalog.Agent) {
	e := &b.Draft.Entry
	if b.agentNames(&agent, names) == nil || len(e.Creators) == agentsMax {
		return
	}
	if len(e.Creators) == 0 {
		b.row("creators", catalog.BasisPublisher, upstream, "", "")
	}
	e.Creators = append(e.Creators, agent)
}

// agentNames completes an agent by its names, the first of each language and
// the others as aliases, and by addresses that can be used; it returns what the
// agent is called in the language of the record.
func (b *Builder) agentNames(agent *catalog.Agent, names []Text) *phrase {
	b.agentAddresses(agent)
	var kept []phrase
	for _, p := range writtenFirst(b.phrases(names, oneLine)) {
		p.value, _ = Cut(p.value, catalog.NameMax)
		same := slices.IndexFunc(kept, func(o phrase) bool { return o.tag() == p.tag() })
		switch {
		case same < 0 && (len(kept) == 0 || !isHandle(p.value) || isHandle(kept[0].value)):
			kept = append(kept, p)
		case (same < 0 || kept[same].value != p.value) && !slices.Contains(agent.Aliases, p.value) && len(agent.Aliases) < alternativesMax:
			agent.Aliases = append(agent.Aliases, p.value)
		}
	}
	original, _ := b.choose(kept, b.Draft.Entry.NativeLang)
	if original == nil {
		return nil
	}
	agent.Names = make(catalog.Texts, len(kept))
	for i := range kept {
		agent.Names[kept[i].tag()] = kept[i].value
	}
	return original
}

// handleForm is how programs of portals write a name into an address: ghent-university.
var handleForm = regexp.MustCompile(`^[a-z0-9]+(?:[-_][a-z0-9]+)+$`)

// isHandle tells whether a name was written for addresses, not for people.
func isHandle(name string) bool { return handleForm.MatchString(name) }

// writtenFirst puts the names that people wrote before those for addresses, which some portals give
// as labels, too: an agent is called by one of these only where it has no other name.
func writtenFirst(names []phrase) []phrase {
	rank := func(p phrase) int {
		if isHandle(p.value) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(names, func(a, b phrase) int { return rank(a) - rank(b) })
	return names
}

// agentAddresses keeps of an agent's IRI and page what identifies and leads
// somewhere.
func (b *Builder) agentAddresses(agent *catalog.Agent) {
	if agent.IRI = Token(agent.IRI); catalog.Skolem(agent.IRI) || len(agent.IRI) > catalog.URLMax {
		agent.IRI = ""
	}
	if agent.HomepageURL != "" {
		u, _, err := b.urls.Repair("publisher.homepage_url", agent.HomepageURL)
		if err != nil {
			u = ""
		}
		agent.HomepageURL = u
	}
	agent.Type = Token(agent.Type)
	agent.Type, _ = Cut(agent.Type, catalog.TagMax)
}

// RecordIdentifier is an identifier of a record in the one form in which the register compares
// it: a DOI as https://doi.org/ with the name in lower case (DOI Handbook,
// 2.4), others as they stand there.
func RecordIdentifier(raw string) string {
	id := Token(raw)
	lower := strings.ToLower(id)
	for _, prefix := range []string{"https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi.org/", "dx.doi.org/", "info:doi/", "urn:doi:", "doi:"} {
		if rest, ok := strings.CutPrefix(lower, prefix); ok {
			lower = strings.TrimSpace(rest)
			break
		}
	}
	if strings.HasPrefix(lower, "10.") && strings.Contains(lower, "/") && !strings.ContainsAny(lower, " <>\"") {
		return "https://doi.org/" + lower
	}
	if catalog.Skolem(id) {
		return ""
	}
	return id
}

// persistent tells that an identifier means the same in every catalogue: an IRI.
func persistent(id string) bool {
	return strings.HasPrefix(id, "https://") || strings.HasPrefix(id, "http://") || strings.HasPrefix(id, "urn:")
}
