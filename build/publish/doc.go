// Package publish keeps a tree of artifacts on disk: it writes what changed
// through atomic renames, removes what is gone, and checks a published tree.
// A reader of the tree never meets a torn file, and a build that is killed
// leaves only files that the next one replaces (decisions §2).
package publish
