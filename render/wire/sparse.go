package wire

import "reflect"

// Fields is the parameter that chooses members of entries in answers.
const Fields = "fields"

// FieldsParam chooses some of the members.
func FieldsParam(members []string, example ...string) Param {
	return Param{Name: Fields, In: "query", Kind: KindList, Enum: members, Max: len(members), Example: example,
		Description: "Names of members of entries: the answer has these only, whatever its schema requires, in their usual order, and its own manifest. A name that entries do not have here is an error (400) that names it."}
}

// ItemMembers are the names of the members of an entry in lists and searches, in their order.
func ItemMembers() []string { return membersOf(reflect.TypeFor[Item]()) }
