// Package okfcheck judges a bundle of the Open Knowledge Format v0.1 by the
// rules that the specification writes with MUST and SHOULD
// (GoogleCloudPlatform/knowledge-catalog, okf/SPEC.md @ ee67a5c). No outside
// checker of v0.1 exists; this one is written from the specification and shares
// no code with the renderer.
//
//	M1  every .md but index.md and log.md begins with a YAML block that parses (§9.1)
//	M2  its type is a text that is not empty; the file is UTF-8 (§4, §4.1, §9.2)
//	M3  index.md and log.md never hold a concept (§3.1)
//	M4  index.md: no frontmatter but okf_version in the root; headings, each
//	    over entries "* [Title](url) - description" (§6)
//	M5  log.md: date groups "## YYYY-MM-DD", newest first, entries below (§7)
//	S1  title, S2 description on one line, S3 resource as an absolute URI,
//	S4  tags as a list of texts, S5 timestamp as ISO 8601 with its offset (§4.1)
//	S6  structured body: at least one heading (§4.2)
//	S7  # Schema, # Examples and # Citations at level one; citations are the
//	    last section, numbered from 1: [1] [title](url) (§4.2, §8)
//	S8  index entries repeat the description of the concept (§6)
//	S9  links of concepts and logs into the bundle begin with "/" (§5.1) and
//	    every link into the bundle leads to a file
//	S10 every concept can be reached from the root by indexes (§6)
//	S11 the root declares its version as a text (§11)
//	S12 names of files are [A-Za-z0-9_][A-Za-z0-9_.-]* (reference agent)
package okfcheck
