package snapshot

import (
	"net/netip"
	"strings"

	"golang.org/x/net/idna"
)

// HostName is a host, with or without a port, as routes have it: the name in ASCII (RFC 5891), "" for one that is
// neither a name of the DNS nor an address. Addresses come from catalogues, and "http://../" is one.
func HostName(host string) string {
	name, port := host, ""
	if at := strings.LastIndexByte(host, ':'); at >= 0 && !isAddress(host) {
		name, port = strings.Trim(host[:at], "[]"), host[at:]
	}
	if isAddress(name) && allDigits(port) {
		return host
	}
	ascii, err := idna.Punycode.ToASCII(name)
	if err != nil || len(ascii) > 253 || !allDigits(port) {
		return ""
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return ""
		}
	}
	return ascii + port
}

func isAddress(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Zone() == ""
}

// allDigits tells it of a port behind its colon; no port is one.
func allDigits(port string) bool {
	return port == "" || port != ":" && strings.Trim(port[1:], "0123456789") == ""
}
