package wire

import "reflect"

// CompareParams choose the entries of a comparison.
func CompareParams() []Param {
	return []Param{
		{Name: "ids", In: "query", Kind: KindList, Required: true, Min: CompareMin, Max: CompareMax, Example: []string{exampleID, exampleSlug},
			Description: "2 to 10 different ids or slugs, former ones too."},
		snapshotParam(),
	}
}

// MatrixParams choose the entries and the form of a matrix.
func MatrixParams() []Param {
	return append(CompareParams(), safeParam(), Param{Name: "format", In: "query", Kind: KindString, Enum: []string{"json", "csv"},
		Description: "Form of the answer; when missing, `text/csv` if the `Accept` header prefers it, else JSON."})
}

// compareOperations set entries side by side.
func compareOperations() []Operation {
	return []Operation{
		{ID: "compareEntries", Path: "/api/v1/entries/compare", Tag: TagEntries, Summary: "Entries side by side",
			Description: "The list items of 2 to 10 entries of one snapshot, in the order asked for. Former slugs and merged entries lead to the " +
				"present entry, and `asked` says so; names that lead to none are in `not_found`.",
			Params: CompareParams(), Response: reflect.TypeFor[Comparison](), Sealed: true, Media: MediaJSON, Problems: problemsList, Cache: CacheShort},
		{ID: "compareMatrix", Path: "/api/v1/entries/compare/matrix", Tag: TagEntries, Summary: "Fields of entries side by side",
			Description: "A row for each field, a column for each entry, and whether they differ; licence terms, institution and latency stand beside " +
				"the fields of the list. Also as CSV: " + asWritten,
			Params: MatrixParams(), Response: reflect.TypeFor[ComparisonMatrix](), Sealed: true, Media: MediaJSON, Also: []string{MediaCSV}, Problems: problemsList, Cache: CacheShort},
	}
}
