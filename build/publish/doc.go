// Package publish brings a bucket, an object store or a directory, up to date with a site
// that a build wrote. It compares the index of the site with that of what the bucket
// received last, moves only what differs, in an order in which no reader meets a name that
// leads to nothing, and keeps what it replaced for a while, so that an earlier snapshot
// can be brought back. Lists are read in order and lie in temporary files, so the memory
// that it takes does not grow with the site, and the bucket is listed only where its index
// is missing.
//
// It is one package of more than 1,500 lines because the plan, the books and what carries
// the plan out know the same few types, and a reader follows one publish through all of them.
//
// What it knows lies in the bucket, below ".assay/", and is never served:
//
//	state.json                    the generations, that is the publishes that ended
//	gen/N/manifest.ndjson.gz      the index: the keys of generation N with their versions
//	gen/N/plan.ndjson.gz          what the publish under way means to do
//	gen/N/progress.json           how much of the plan is done for certain
//	gen/N/kept/KEY                an object as it was in generation N, replaced since
//	gen/N/kept.ndjson.gz          the names of these, once the next publish ended
//	edge/                         the configuration of servers for the site (render/edge)
package publish
