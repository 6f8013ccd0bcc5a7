package snapshot_test

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/snapshot"
)

func TestHostName(t *testing.T) {
	for host, want := range map[string]string{
		"data.example.gov": "data.example.gov", "data.example.gov:8080": "data.example.gov:8080", "my_host.example": "my_host.example",
		"данные.рф": "xn--80ahe5aa8f.xn--p1ai", "bücher.example:81": "xn--bcher-kva.example:81",
		"192.0.2.1": "192.0.2.1", "192.0.2.1:80": "192.0.2.1:80", "2001:db8::1": "2001:db8::1", "[2001:db8::1]:81": "[2001:db8::1]:81",
		"": "", ".": "", "..": "", "a..b": "", ".a": "", "a.": "", "a/b": "", "a b": "", "a?b": "", "%2e": "", "a:": "", "a:b": "", ":80": "", "fe80::1%25eth0": "",
		"A.example": "", strings.Repeat("a.", 150) + "a": "", "'quoted'.example": "",
	} {
		if got := snapshot.HostName(host); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}
