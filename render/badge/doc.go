// Package badge draws the small pictures that a page shows beside a link: a
// label and a message on two fills (specification, "Badges (SVG)").
//
// The measures are those of badge-maker 6.0.0, the library behind shields.io,
// so that our badges stand in a row with others: the same height, margins and
// text widths. The colours are our own, as its own miss the contrast of 4.5 to
// 1 that WCAG 2.2 (1.4.3) asks for; there is no gradient and no shadow, which
// would change it. What a badge says is always in its words, never in its
// colour alone (WCAG 1.4.1).
//
// All functions are pure; the service uses them for its live answers.
package badge
