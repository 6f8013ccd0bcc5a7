// Package snapshot is the frozen catalog: what is visible at one instant,
// scored, totally ordered, indexed and hashed. It holds a small line per entry
// and never the rendered bytes, so its size is bounded by the number of
// entries; every static page and every live answer is made from it, which is
// why they cannot disagree.
package snapshot
