// Package build is the batch wing: it takes the rows of the store, freezes
// them into a snapshot, renders every format and keeps the published tree up
// to date. Its sub-packages harvest sources, verify entries and write files.
//
// A build makes two passes over the entries in id order. The first scores each
// row, writes the pages that show it alone and keeps a small line of it; the
// second writes the pages that set entries beside each other from those lines.
// So memory grows with the number of entries, never with the rendered bytes.
//
// It is larger than other packages because one build is one thing: its passes share the run
// (frame, records, bases, places of quoted fragments, the file that is written), and what
// writes single entries between builds (Rebuilder, Tailer, Linker) makes of them what its passes make. What
// stands by itself is a package below: output, publish, index, dump.
package build
