package web

import "testing"

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		header string
		small  Coding
		fast   Coding
	}{
		{"", Identity, Identity}, {"identity", Identity, Identity}, {"gzip", Gzip, Gzip}, {"x-gzip", Gzip, Gzip}, {"GZIP", Gzip, Gzip},
		{"gzip, deflate, br, zstd", Brotli, Zstd}, {"gzip, br", Brotli, Brotli}, {"deflate", Identity, Identity}, {"*", Brotli, Zstd},
		{"br;q=0.5, gzip", Gzip, Gzip}, {"br;q=0, *", Zstd, Zstd}, {"gzip;q=0", Identity, Identity}, {"*;q=0", Identity, Identity},
		{"gzip;q=0.5, identity", Identity, Identity}, {"identity;q=0.5, gzip;q=0.5", Gzip, Gzip}, {"identity;q=0, gzip;q=0.001", Gzip, Gzip},
		{"gzip;q=2", Identity, Identity}, {"gzip;q=NaN", Identity, Identity}, {"gzip;q=x, br", Brotli, Brotli}, {"gzip ; q=0.8 , br ;q=0.9", Brotli, Brotli},
		{"gzip;foo=1;Q=0", Identity, Identity}, {",,;;=,", Identity, Identity}, {"br;q=0.0001", Identity, Identity},
	} {
		if got := Negotiate(c.header, PreferSmall); got != c.small {
			t.Errorf("%q: %v, want %v", c.header, got, c.small)
		}
		if got := Negotiate(c.header, PreferFast); got != c.fast {
			t.Errorf("%q, fast: %v, want %v", c.header, got, c.fast)
		}
	}
}
