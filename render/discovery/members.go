package discovery

import "maps"

// memberDescriptions describe the members of the components, by
// "Component.member" or, where the meaning is the same everywhere, by
// "member".
var memberDescriptions = united(sharedMembers, entryMembers, qualityMembers, evidenceMembers, logMembers, pastMembers, searchMembers, changeMembers, adminMembers)

// united panics when two areas describe one member: the program would
// otherwise depend on their order.
func united(areas ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, area := range areas {
		for member := range area {
			if _, twice := all[member]; twice {
				panic("described twice: " + member)
			}
		}
		maps.Copy(all, area)
	}
	return all
}
