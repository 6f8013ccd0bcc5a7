package badge

import "github.com/assay-register/assay/render/catalog"

// said is the word and the colour of one value.
type said struct {
	word   string
	colour Colour
}

var tiers = map[catalog.MQATier]Colour{
	catalog.TierExcellent: Green, catalog.TierGood: Olive, catalog.TierFair: Yellow,
	catalog.TierPoor: Orange, catalog.TierUnranked: Grey,
}

var states = map[catalog.VerificationState]said{
	catalog.StateVerified: {"verified", Green}, catalog.StateStale: {"stale", Orange},
	catalog.StateFailing: {"failing", Red}, catalog.StateUnverified: {"unverified", Grey},
}

var types = map[catalog.EntryType]string{
	catalog.TypeAPI: "API", catalog.TypeDataset: "dataset", catalog.TypeMCPServer: "MCP server",
}

// A key or an account is no fault of a source, so no such class is red.
var accesses = map[catalog.FreeAccessClass]said{
	catalog.AccessFreeNoAuth: {"free, no key", Green}, catalog.AccessFreeKey: {"free, key required", Olive},
	catalog.AccessFreeTrial: {"free trial", Yellow}, catalog.AccessFreeOSSEdu: {"free for open source and education", Olive},
	catalog.AccessNotFree: {"not free", Orange}, catalog.AccessUnknown: {"unknown", Grey},
}
