package source

import "testing"

// TestReadAgain holds what is kept of a description to being what is kept of it when another register reads it from
// this one.
func TestReadAgain(t *testing.T) {
	for in, want := range map[string]string{
		"&lt;em&gt;Gulls&lt;/em&gt; by &lt;a href=\"https://a.example/\"&gt;us&lt;/a&gt;": "Gulls by us",
		"&amp;lt;p&amp;gt;One&amp;lt;/p&amp;gt;&lt;p&gt;Two":                              "One\n\nTwo",
		"groups (former&gt;&lt;neo), <b>all</b>":                                          "groups (former><neo), all",
		"<p>Use List&lt;T&gt; if a &lt; b</p>":                                            "Use List<T> if a < b",
		"<p>See https://a.example/?a=1&amp;copy=2</p>":                                    "See https://a.example/?a=1&copy=2",
		"AT&amp;amp;T":                        "AT&T",
		"**Rivers** &lt;b&gt;of&lt;/b&gt; it": "Rivers of it",
	} {
		got, _, _ := readable(in)
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
		if again, _, _ := readable(got); again != got {
			t.Errorf("%q is %q, and read again %q", in, got, again)
		}
	}
}
