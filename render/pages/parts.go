package pages

import (
	"github.com/assay-register/assay/render/catalog"
)

// stateClasses give a state its colour and its picture, which the style sheet
// draws; the word stands beside them.
var stateClasses = map[catalog.VerificationState]string{
	catalog.StateVerified: "ok", catalog.StateStale: "warn", catalog.StateFailing: "bad", catalog.StateUnverified: "idle",
}
