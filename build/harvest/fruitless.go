package harvest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// The codes of runs that were read to their end and brought nothing.
const (
	// CodeNothingFound is an input without any record.
	CodeNothingFound source.Code = "nothing_found"
	// CodeAllRejected is an input of which no record got in.
	CodeAllRejected source.Code = "all_rejected"
)

// ErrFruitless says that a source was read to its end and brought nothing. To
// ask again soon would be no help.
var ErrFruitless = errors.New("nothing was taken")

// fruitless fails a run that was read to its end, asked for everything, and
// found no record or rejected each one: it looks well and is most often a wrong
// address, folder or kind, or a source that was not declared official. An empty
// listing of a source that has entries is not failed but quarantined
// (judgeGap), and one that a person confirmed counts. A source that states how many
// records it has and gives none is no empty listing.
func (r *run) fruitless(g *gap) error {
	full := r.report.State == catalog.RunComplete && r.row.Since.IsZero()
	stated := r.far.expected.Load()
	switch {
	case r.report.State == catalog.RunComplete && r.report.In == 0 && stated > 0 && !r.opts.Confirmed:
		return r.without(CodeNothingFound, fmt.Sprintf("%s states that it has %d records and gave none", r.in.Name, stated),
			"ask again later; if it stays so, see whether its pages can be read by everybody, and whether another kind reads it")
	case !full, r.report.Rejected < r.report.In:
		return nil
	case r.report.In > 0:
		return r.without(CodeAllRejected, fmt.Sprintf("all %d records were rejected: %s", r.report.In, r.report.Reasons()), remedyOf(&r.report))
	case r.opts.Confirmed, g != nil && g.listed > 0:
		return nil
	}
	return r.without(CodeNothingFound, "no record was found in "+r.in.Name,
		fmt.Sprintf("see that it is what sources of the kind %s are read from; --confirmed accepts a source that lists nothing", r.in.Source.Kind))
}

// without ends the run as failed.
func (r *run) without(code source.Code, what, remedy string) error {
	text := what + "; " + remedy
	r.report.State = catalog.RunFailed
	r.report.Errors = append(r.report.Errors, catalog.RunError{Code: string(code), Text: publicWords(r.in.Name, text), At: r.opts.Clock()})
	return fmt.Errorf("harvest %s: %w: %s", r.in.Name, ErrFruitless, text)
}

// broughtNothing tells whether the last thing that a run says is that it was
// fruitless.
func broughtNothing(run *catalog.HarvestRun) bool {
	if len(run.Errors) == 0 {
		return false
	}
	code := source.Code(run.Errors[len(run.Errors)-1].Code)
	return code == CodeNothingFound || code == CodeAllRejected
}

// Reasons says how many records were rejected by code, the most frequent first,
// such as "not_official 12, bad_url 3"; it is "" if none was.
func (r *Report) Reasons() string {
	counts := map[string]int{}
	for code, n := range r.RejectedBy {
		counts[string(code)] = n
	}
	return Reasons(counts)
}

// Reasons orders rejections by how frequent each code is, as Report.Reasons.
func Reasons(counts map[string]int) string {
	codes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	parts := make([]string, len(codes))
	for i, code := range codes {
		parts[i] = fmt.Sprintf("%s %d", code, counts[code])
	}
	return strings.Join(parts, ", ")
}

// remedyOf is what helps against the most frequent rejection, as far as the
// report lists one.
func remedyOf(r *Report) string {
	for _, x := range r.Rejections {
		if n := r.RejectedBy[x.Code]; n == slices.Max(slices.Collect(maps.Values(r.RejectedBy))) && x.Remedy != "" {
			return x.Remedy
		}
	}
	return "see what each was rejected for"
}
