// Package output is what a build leaves in a folder: snapshot files, or a tree of
// artifacts. It reads either as a site, and keeps the tree: it writes what changed
// through atomic renames and removes what is gone, so that a reader of the tree never
// meets a torn file, and a build that is killed leaves only files that the next one
// replaces (decisions §2).
package output
