// Package publish publishes a site that a build wrote into a bucket: an object
// store or a directory. It moves only what differs, in an order in which no
// reader meets a name that leads to nothing, and keeps what it replaced for a
// while, so that an earlier snapshot can be brought back.
//
// What it knows lies in the bucket, below ".assay/", and is never served:
//
//	state.json                    the generations, that is the publishes that ended
//	gen/N/manifest.ndjson.gz      the keys of generation N with their versions
//	gen/N/plan.ndjson.gz          what the publish under way means to do
//	gen/N/progress.json           how much of the plan is done for certain
//	gen/N/kept/KEY                an object as it was in generation N, replaced since
package publish
