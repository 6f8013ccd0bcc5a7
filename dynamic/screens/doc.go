// Package screens answers the pages on which people write: suggesting a
// source, reporting a problem, watching an entry, and the desk of moderators
// and administrators. A page does nothing by itself: what a form says goes to
// the operation of the interface that does it, so that people and programs
// meet the same rules. The pages work without JavaScript.
package screens
