package wire

// MediaTriG is TriG (RDF 1.1 TriG).
const MediaTriG = "application/trig"

// ldesOperations are the DCAT-AP catalogue as an event stream.
func ldesOperations() []Operation {
	generation := Param{Name: "generation", In: "path", Kind: KindString, Pattern: snapshotPattern, Means: snapshotMeans, Description: "The snapshot with which the feed began.", Example: exampleSnapshot}
	ops := []Operation{
		{ID: "getLDES", Path: "/api/v1/ldes", Summary: "Changes as an event stream", Media: MediaTurtle,
			Description: "The DCAT-AP catalog as a Linked Data Event Stream in the form of a DCAT-AP Feed: each version of an entry is an activity that creates, updates or deletes it. " +
				"A reader that was here yesterday fetches what changed."},
		{ID: "getLDESShape", Path: "/api/v1/ldes/shape.ttl", Summary: "Shape of the event stream", Media: MediaTurtle, Description: "The SHACL shape of the activities."},
		{ID: "getLDESDay", Path: "/api/v1/ldes/{generation}/{day}.ttl", Summary: "A day of the event stream", Media: MediaTurtle, Problems: []int{404, 422},
			Params:      []Param{generation, {Name: "day", In: "path", Kind: KindString, Format: "date", Description: "UTC day.", Example: "2026-11-24"}},
			Description: "Leads to the fragments of one UTC day. The feed leads to its days."},
		{ID: "getLDESFragment", Path: "/api/v1/ldes/{generation}/{n}.trig", Summary: "A fragment of the event stream", Media: MediaTriG, Problems: []int{404, 422}, Cache: CacheHashed,
			Params:      []Param{generation, {Name: "n", In: "path", Kind: KindInteger, Min: 1, Description: "Number of the fragment.", Example: 1}},
			Description: "Up to 100 activities, each with the entry's DCAT-AP in the named graph of the activity. It never changes."},
	}
	return ops
}
