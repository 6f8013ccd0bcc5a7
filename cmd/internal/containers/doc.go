// Package containers compares what a snapshot file could be made of. It is a module of
// its own, so that the containers that were not chosen are no dependencies of Assay:
//
//	cd cmd/internal/containers && go test -run '^$' -bench . -benchtime 3x
//
// ASSAY_SNAPSHOT names a snapshot file (assay build) whose entries are taken
// instead of generated ones. site/docs/design.md has the figures and the choice.
package containers
