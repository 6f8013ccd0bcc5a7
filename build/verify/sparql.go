package verify

// sparqlURL asks whether there is anything at all (SPARQL 1.1 Protocol, query
// via GET).
func sparqlURL(endpoint string) string { return withQuery(endpoint, [2]string{"query", "ASK {}"}) }
