package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/mailer"
	"github.com/assay-register/assay/cmd/internal/setup"
)

// Bounds of settings that are meant for no more.
const (
	day      = 24 * time.Hour
	lineMax  = 200
	hostsMax = 5000
)

// limits says what each setting may be, by the name of its flag; those of one
// name mean the same in every command but one that is named before it.
func limits() map[string]func(string) error {
	return map[string]func(string) error{
		"name": setup.Line(lineMax), "base-url": setup.BaseURL, "license": setup.License, "contact": setup.Contact,
		"db": setup.Store, "log": setup.OneOf("text", "json"),
		"approve-at": setup.Between(1, 100), "quarantine-at": setup.Between(1, 100),

		"kind": setup.OneOf(harvest.Kinds()...), "lint kind": setup.OneOf(lintKinds()...), "country": setup.Country, "official": setup.Line(lineMax), "blocklist": setup.Each(setup.Host),
		"concurrency": setup.Between(1, hostsMax), "gap": setup.Span(0, time.Hour), "publish-window": setup.Span(0, 30*day), "keep-records": setup.Span(0, setup.Forever),
		"cadence": setup.Span(time.Minute, setup.Forever), "confirm-after": setup.Span(0, time.Hour), "timeout": setup.Span(time.Second, 5*time.Minute),
		"survey-every": setup.SpanOrNever(time.Hour, setup.Forever), "rate-per-host": setup.Rate(1000), "checks": setup.Between(1, 64),

		"at": setup.Instant, "keep-snapshots": setup.Between(1, 1000), "keep-for": setup.Span(0, setup.Forever), "uploads": setup.Between(1, 1000),
		"to": setup.Target, "keys": setup.OneOf("route", "file"), "s3-endpoint": setup.Endpoint,

		"addr": setup.Address, "trusted-proxies": setup.Each(setup.Network), "mcp-origins": setup.Each(setup.Origin),
		"rebuild-quiet": setup.Span(time.Second, day), "rebuild-latest": setup.Span(time.Second, 7*day),
		"smtp": setup.Address, "smtp-tls": setup.OneOf(mailer.TLSStart, mailer.TLSFull, mailer.TLSNone),
		"mail-from": setup.Mailbox, "operator-mail": setup.Mail, "role": setup.OneOf(roles()...),
	}
}

// limit gives every flag of a command and those below it its rule; numbers and
// durations without one are never negative.
func limit(cmd *cobra.Command) {
	rules := limits()
	each := func(of string, f *pflag.Flag) {
		if f.Annotations[setup.Spoken] != nil {
			return
		}
		rule := rules[of+" "+f.Name]
		if rule == nil {
			rule = rules[f.Name]
		}
		switch {
		case rule != nil:
		case f.Value.Type() == "int":
			rule = setup.Between(0, setup.Any)
		case f.Value.Type() == "duration":
			rule = setup.Span(0, setup.Forever)
		default:
			return
		}
		setup.Limit(f, rule)
	}
	cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { each(path(cmd), f) })
	for _, c := range every(cmd) {
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { each(path(c), f) })
	}
}
