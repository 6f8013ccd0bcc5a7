package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/snapshot"
)

// SortRelevance orders the results of a search by how well they fit.
const SortRelevance = "relevance"

// LessRelevant is the parameter that shows the results which fit much less well than the
// best, and the member that counts those left out.
const LessRelevant = "less_relevant"

// Bounds of a search.
const (
	searchQueryExample = "air quality country:FR"
	suggestionsDefault = 10
	suggestionsMax     = 20
)

var problemsSearch = []int{400, 410, 422, 503}

// SearchParams are the parameters of a search: the query, a page of its
// results, and the filters of the list.
func SearchParams() []Param {
	return append([]Param{
		{Name: "q", In: "query", Kind: KindString, Required: true, Example: searchQueryExample,
			Description: "What to look for, at most 1,000 bytes: words, phrases in double quotes, beginnings (`word*`), `-without`, `title:word`, and conditions " +
				"such as `country:FR`, `type:API`, `tag:water`, `format:CSV` or any filter by its name. Case, accents, inflection and script do not matter. Of more than 32 words the first count; an entry whose title is the whole text is found whatever signs stand in it."},
		{Name: "page", In: "query", Kind: KindInteger, Min: 1, Max: SearchDepth, Default: DefaultPage,
			Description: "Page number. A page beyond the last one is empty; the first 10,000 results can be paged through."},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: MaxLimit, Default: DefaultLimit, Description: "Results per page."},
		{Name: "sort_by", In: "query", Kind: KindString, Enum: append([]string{SortRelevance}, words(snapshot.SortKeys())...), Default: SortRelevance,
			Description: "What orders the results. Ties are broken by relevance, of names by id; unknown values come last in both directions."},
		sortOrderParam(),
		collapseParam(),
		{Name: LessRelevant, In: "query", Kind: KindBoolean,
			Description: "Show the results too that fit much less well than the best; without it they are left out, and `less_relevant` in the answer says how many."},
	}, FilterParams()...)
}

// SuggestionParams are the parameters of the suggestions.
func SuggestionParams() []Param {
	return []Param{
		{Name: "q", In: "query", Kind: KindString, Required: true, Example: "air qu", Description: "What was typed so far, at most 200 bytes."},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: suggestionsMax, Default: suggestionsDefault, Description: "Suggestions at most."},
		{Name: "lang", In: "query", Kind: KindString, Pattern: "^[a-z]{2}$", Means: "a language code of two letters such as fr", Example: "fr", Description: "The reader's language, in which themes and countries are named. English without it, or where a name is not known in it."},
		snapshotParam(),
	}
}

// searchOperations find entries by their texts.
func searchOperations() []Operation {
	return []Operation{
		{ID: "searchEntries", Path: "/api/v1/entries/search", Tag: TagEntries, Summary: "Search entries", Params: append(SearchParams(), FieldsParam(ItemMembers(), "slug", "name", "formats")),
			Description: "Entries that have the words of the query in their titles, tags, institution, columns or descriptions, best first; an exact " +
				"title leads. Words of the thesaurus find what is called otherwise or in another language, too. When few entries have all words, `match` is `some` and " +
				"those with most of them are shown as well. Results that fit much less well than the best are left out and counted in `less_relevant`. Counts cover all results.",
			Response: reflect.TypeFor[SearchPage](), Sealed: true, Media: MediaJSON, Problems: problemsSearch, Cache: CacheShort},
		{ID: "suggestEntries", Path: "/api/v1/entries/search/suggestions", Tag: TagEntries, Summary: "Complete a query", Params: SuggestionParams(),
			Description: "Themes and places (at most two of each, with the filter that they are), titles, institutions and tags that go on from what was typed, at the beginning of one of their first words; the best known first.",
			Response:    reflect.TypeFor[Suggestions](), Sealed: true, Media: MediaJSON, Problems: problemsSearch, Cache: CacheShort},
	}
}
