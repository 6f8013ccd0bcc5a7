package screens

import "testing"

func TestALoginLeadsNowhereElse(t *testing.T) {
	for to, want := range map[string]string{
		"":                              "/admin",
		"/admin":                        "/admin",
		"/admin/queue?kind=reports":     "/admin/queue?kind=reports",
		"/administrator":                "/admin",
		"//evil.example/admin/":         "/admin",
		"https://evil.example/admin":    "/admin",
		"/admin/\\evil.example":         "/admin",
		"/admin/x\r\nSet-Cookie: a=b":   "/admin",
		"/entry/rivers":                 "/admin",
		"javascript:alert(1)//admin/":   "/admin",
		"/admin?x=https://evil.example": "/admin?x=https://evil.example",
	} {
		if got := within(to); got != want {
			t.Errorf("%q leads to %q, not %q", to, got, want)
		}
	}
}

func TestTypedValues(t *testing.T) {
	for _, x := range []struct{ field, text, want string }{
		{"name", `a "b"`, `"a \"b\""`}, {"tags", "water, rivers\nlakes", `["water","rivers","lakes"]`}, {"tags", " , ", `[]`}, {"third_party", "true", "true"},
	} {
		got, err := typed(x.field, x.text)
		if err != nil || string(got) != x.want {
			t.Errorf("%s %q is %s, %v, not %s", x.field, x.text, got, err, x.want)
		}
	}
	if _, err := typed("third_party", "perhaps"); err == nil {
		t.Error("perhaps is a boolean")
	}
}
