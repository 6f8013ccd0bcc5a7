// Package schemaorg describes entries and the register in the vocabulary of
// schema.org, as JSON-LD blocks that HTML pages embed for search engines.
//
// A dataset is a Dataset, an API a WebAPI, an MCP server a SoftwareApplication,
// the register a DataCatalog. Members are those that schema.org defines for the
// type: a WebAPI is a Service, which has no licence and no keywords. What is
// not known is left out; nothing is guessed to please a validator.
//
// The blocks are compact JSON that holds none of the characters that could end
// a script element.
package schemaorg
