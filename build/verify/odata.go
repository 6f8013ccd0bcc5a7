package verify

import (
	"net/url"
	"strings"
)

// ODataURL is the address of the metadata document of a service (OData 4.01,
// part 1, section 11.1.2).
func ODataURL(root string) string {
	u, err := url.Parse(root)
	if err != nil {
		return root
	}
	if !strings.HasSuffix(u.Path, "/$metadata") {
		u.Path, u.RawPath = strings.TrimRight(u.Path, "/")+"/$metadata", ""
	}
	u.RawQuery = ""
	return u.String()
}
