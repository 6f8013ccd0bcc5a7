package pages

import (
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// linkable tells that a page may link an address: http or https, well-formed.
func linkable(address string) bool {
	rest, web := strings.CutPrefix(address, "https://")
	if !web {
		rest, web = strings.CutPrefix(address, "http://")
	}
	return web && (simple(rest) || catalog.CheckURL("url", address) == nil)
}

// simple tells of most addresses that they are well-formed: behind the scheme
// they have a name, a slash and letters that need no second look.
func simple(rest string) bool {
	name, path, found := strings.Cut(rest, "/")
	return found && name != "" && within(name, inName) && within(path, inPath) && len("https://")+len(rest) <= catalog.URLMax
}

// within tells that text has letters of a kind, or of those before it, only.
func within(s string, kind byte) bool {
	for i := range len(s) {
		if k := letters[s[i]]; k == 0 || k > kind {
			return false
		}
	}
	return true
}

// Where the letters of an address may stand without a second look; 0 is
// nowhere.
const (
	inName = 1 + iota
	inPath
)

var letters = func() (letters [256]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		letters[c], letters[c-'a'+'A'] = inName, inName
	}
	for _, c := range []byte("0123456789-.") {
		letters[c] = inName
	}
	for _, c := range []byte("/?#=&;:@!$'()*+,_~") {
		letters[c] = inPath
	}
	return letters
}()

// encoded are the letters that may stand in an address but not in an attribute
// of one.
const encoded = " \"<>\\^`{|}[]"

// encodeAddress writes what may stand in an address but not in an attribute of
// one as percent codes.
func encodeAddress(s string) string {
	if within(s, inPath) || !strings.ContainsAny(s, encoded) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; strings.IndexByte(encoded, c) >= 0 {
			b.WriteString("%" + strings.ToUpper(strconv.FormatInt(int64(c), 16)))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
