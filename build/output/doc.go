// Package output is what a build leaves in a folder, snapshot files, as others read it: a
// site with its documents, the forms in which they are stored elsewhere, and which files
// stay for how long (decisions-2 §F).
package output
