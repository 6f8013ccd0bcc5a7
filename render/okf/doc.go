// Package okf renders the register as a bundle of the Open Knowledge Format
// v0.1 (GoogleCloudPlatform/knowledge-catalog, okf/SPEC.md @ ee67a5c): a tree of
// markdown files below /api/v1/okf/, the same tree as bundle.tar.gz, and a
// summary.
//
//	index.md                       root; frontmatter holds okf_version only
//	log.md                         what came, changed and went, by day
//	{apis,datasets,mcp-servers}/index.md and {slug}.md
//	countries/index.md             and {code}/index.md
//	institutions/index.md          and {key}/index.md
//
// An entry is a concept. A country or an institution is an index of its
// entries, not a concept: it has no resource of its own to describe, and a
// concept would need a body that grows without bound. An index of more than
// pageMax items is split by the letters with which slugs begin
// (by/{prefix}/index.md), so that a new entry changes one small page.
//
// Bytes are a function of the sources only. A concept shows the verdicts of the
// first recorded day on or after its last source change, verdicts_as_of names
// that day, and a link leads to the live ones (decisions §6); nothing here
// looks at checks, ranking or the day of the snapshot. So a build after new
// checks leaves every file, the archive included, as it is.
//
// Links inside concepts and the log begin with "/", the form that the
// specification recommends; those of an index are relative, as its format
// says, so that the tree can be browsed under any address. The archive has no
// top directory: a concept's id is its name there without ".md". Keys of OKF
// v0.2 (generated, sources, status) stand beside timestamp and # Citations; in
// v0.1 they are extensions.
//
// The frontmatter is written here and not by yaml.v3: every text is a
// double-quoted scalar, which no reader of YAML 1.1 or 1.2 takes for a date, a
// number or a boolean, and yaml.v3 does not bring a leading newline back. Tests
// read it with yaml.v3.
package okf
