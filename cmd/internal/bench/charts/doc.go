// Package charts holds the pictures on entries' pages to a recount of the files that were sampled.
//
// The test profiles files of many forms, renders their pages in every language, and hands both to recount.py,
// which shares no code with what drew them: it reads each file anew with Python's own readers, counts what a
// picture says, and compares that with the words, the tables and the lengths in the pages.
package charts
