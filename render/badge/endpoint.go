package badge

import "github.com/assay-register/assay/render/wire"

// CacheSeconds is how long shields.io may keep an endpoint's answer, its own
// least for this kind.
const CacheSeconds = 300

// Endpoint is the badge as a value for shields.io. An error keeps its colour
// whatever the address of the badge asks for.
func (b *Badge) Endpoint(isError bool) wire.BadgeEndpoint {
	return wire.BadgeEndpoint{SchemaVersion: 1, Label: clean(b.Label), Message: clean(b.Message), Color: b.Colour.Hex(),
		LabelColor: labelFill, IsError: isError, CacheSeconds: CacheSeconds}
}
