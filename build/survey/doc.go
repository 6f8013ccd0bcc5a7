// Package survey takes the closer look at a source that has just answered a
// check: it samples the data of a dataset, reads the OpenAPI document of an
// API, and takes over what an MCP server said in its handshake. What it finds
// becomes the entry's profile and, where the publisher said nothing, members of
// the entry, marked as observed by the register.
package survey
