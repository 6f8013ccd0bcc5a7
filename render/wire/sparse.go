package wire

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Fields is the parameter that chooses members of entries in answers.
const Fields = "fields"

// FieldsParam chooses some of the members.
func FieldsParam(members []string, example ...string) Param {
	return Param{Name: Fields, In: "query", Kind: KindList, Enum: members, Max: len(members), Example: example,
		Description: "Names of members of entries: the answer has these only, whatever its schema requires, in their usual order, and its own manifest. A name that entries do not have here is an error (400) that names it."}
}

// ItemMembers are the members of entries in lists and searches, EntryMembers those of one
// entry.
func ItemMembers() []string { return itemMembers() }

// EntryMembers are the members of one entry but for the manifest, which every answer has.
func EntryMembers() []string { return entryMembers() }

var (
	itemMembers  = sync.OnceValue(func() []string { return membersOf(reflect.TypeFor[Item]()) })
	entryMembers = sync.OnceValue(func() []string { return membersOf(reflect.TypeFor[Entry]()) })
)

// membersOf are the names of the members of a type, in their order.
func membersOf(t reflect.Type) []string {
	var out []string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && !f.Anonymous && name != "" && name != "-" && name != "manifest" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
