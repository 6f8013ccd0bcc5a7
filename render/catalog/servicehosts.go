package catalog

import "slices"

// ServiceHosts are the hosts that serve the entry: of its interface, its endpoint or its files,
// and where it has none of these, that of its page.
func (e *Entry) ServiceHosts() []string {
	var addresses, hosts []string
	if e.API != nil {
		addresses = append(addresses, e.API.BaseURL, e.API.OpenAPIURL, e.API.GraphQLURL, e.API.PingURL)
	}
	if e.MCP != nil {
		addresses = append(addresses, e.MCP.EndpointURL)
	}
	if e.Dataset != nil {
		for i := range e.Dataset.Distributions {
			addresses = append(addresses, e.Dataset.Distributions[i].DownloadURL, e.Dataset.Distributions[i].AccessURL)
		}
	}
	for _, a := range addresses {
		if h := Host(a); h != "" && !slices.Contains(hosts, h) {
			hosts = append(hosts, h)
		}
	}
	if h := Host(e.PrimarySourceURL); len(hosts) == 0 && h != "" {
		hosts = append(hosts, h)
	}
	return hosts
}
