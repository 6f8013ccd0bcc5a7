package main

import (
	"strings"
	"testing"
)

func TestWhoIsToldOfDisabledWebhooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ flag, contact, want, fault string }{
		{"", "", "", ""},
		{"", "https://register.example/contact", "", ""},
		{"", "office@register.example", "office@register.example", ""},
		{"", "mailto:office@register.example", "office@register.example", ""},
		{"ops@register.example", "office@register.example", "ops@register.example", ""},
		{"Ops <ops@register.example>", "office@register.example", "", "--operator-mail"},
		{"ops", "office@register.example", "", "--operator-mail"},
	} {
		got, err := (&notifyFlags{operator: c.flag}).told(c.contact)
		if got != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q, %q: %q, %v", c.flag, c.contact, got, err)
		}
	}
}
