// Package wire holds the public JSON shapes and how a scored entry becomes
// one. Static pages and live answers are both made here, so they cannot
// disagree; the OpenAPI document is generated from the same types.
//
// Members stand in their declared order. A pointer is a value that may be
// null. Times are ISO 8601 in UTC.
package wire
