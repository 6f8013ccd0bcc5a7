// Package series finds what tells the members of a series of datasets apart: the
// period or the version, stated or in a title, and the rest of the title that they
// share (decisions-2 §E).
package series
