package wire

import "reflect"

// Routes of the documents about how the register judges, and how well.
const (
	RouteMethodology = "/api/v1/methodology"
	RouteStatus      = "/api/v1/status"
)

// qualityOperations say how entries are judged and how the register itself
// does.
func qualityOperations() []Operation {
	ops := []Operation{
		{ID: "getMethodology", Path: RouteMethodology, Summary: "How entries are judged",
			Description: "Every axis, rule, weight and formula of the scores and every rung of the maturity ladder. With the published answers of an entry it is all that is needed to recompute its scores to the last digit.",
			Response:    reflect.TypeFor[Methodology]()},
		{ID: "getStatus", Path: RouteStatus, Summary: "How well the register does its work",
			Description: "Honesty figures: how fresh and how stable the verdicts are, how many of them were wrong at once, and how many fields have a source; the hosts that are down, and those that cannot be checked as often as others.",
			Response:    reflect.TypeFor[RegisterStatus]()},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Static, ops[i].Sealed, ops[i].Media = TagCatalog, true, true, MediaJSON
		ops[i].Problems, ops[i].Cache = problemsPlain, CacheRevalidate
	}
	return append(ops, Operation{ID: "getRules", Path: RouteRules, Summary: "The rules of scores as data", Tag: TagCatalog, Static: true,
		Description: "What the methodology says in words, as data for a program that makes the scores again: the condition of each rule over the members of published JSON, its points, " +
			"how rules make an axis and axes a score. `/verify` and `assay verify-bundle` are driven by it.",
		Media: MediaJSON, Problems: problemsPlain, Cache: CacheRevalidate})
}
