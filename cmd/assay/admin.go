package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/render/catalog"
)

// commandLine is who changes tokens here: whoever can reach the store.
var commandLine = access.Actor{By: "cli", Name: "command line"}

func (a *app) admin() *cobra.Command {
	cmd := &cobra.Command{Use: "admin", GroupID: groupKeep, Short: "Administer the register", Args: noSuch,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	token := &cobra.Command{Use: "token", Short: "Bearer tokens with a role", Args: noSuch,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	token.AddCommand(a.createToken(), a.listTokens(), a.revokeToken())
	cmd.AddCommand(token, a.redact(), a.duplicates(), a.decideDuplicate(), a.unmerge())
	return cmd
}

func (a *app) createToken() *cobra.Command {
	var role, holder string
	cmd := &cobra.Command{
		Use: "create --role ROLE", Short: "Make a token and print it; it is shown this once", Args: noArgs,
		Annotations: kept("no token was printed, so none is of use; assay admin token list shows what there is"),
		Example:     `  assay admin token create --role moderator --name "Ada of the data office"`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				secret, t, err := access.Create(cmd.Context(), st, catalog.Role(role), holder, commandLine, now())
				if err != nil {
					return err
				}
				a.say("token %s with the role %s", t.ID, t.Role)
				fmt.Fprintln(cmd.OutOrStdout(), secret)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&role, "role", "", "what the token may do: "+strings.Join(roles(), " or "))
	cmd.Flags().StringVar(&holder, "name", "", "what the holder of the token is called")
	cmd.Flags().Lookup("name").Annotations = map[string][]string{setup.Spoken: {}}
	return cmd
}

func (a *app) listTokens() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the tokens", Args: noArgs,
		Annotations: kept("nothing was changed"),
		Example:     `  assay admin token list`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				var all []catalog.Token
				err := st.View(cmd.Context(), func(tx catalog.Tx) (err error) {
					all, err = tx.Tokens().All(cmd.Context())
					return err
				})
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(legible{cmd.OutOrStdout()}, 0, 8, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tROLE\tCREATED\tREVOKED\tNAME")
				for _, t := range all {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.ID, t.Role, instant(t.CreatedAt), instant(t.RevokedAt), t.Name)
				}
				return w.Flush()
			})
		},
	}
}

func (a *app) revokeToken() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "End the right of a token", Args: cobra.ExactArgs(1),
		Annotations: kept("assay admin token list shows whether it is revoked"),
		Example:     `  assay admin token revoke 01JD0T9V7J`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				t, err := access.Revoke(cmd.Context(), st, args[0], commandLine, now())
				if err != nil {
					return err
				}
				a.say("token %s of %q is revoked", t.ID, t.Name)
				return nil
			})
		},
	}
}

func (a *app) redact() *cobra.Command {
	return a.explained(&cobra.Command{
		Use: "redact ID --reason TEXT", Short: "Take a submission out of the store", Args: cobra.ExactArgs(1),
		Long: "Takes the texts and addresses of a submission, and of a candidate that was rejected, out of the store for good.\n" +
			"State and times stay, and an audit row says who did it and why. While a submission waits, its contact and notes\n" +
			"go and the rest stays to be decided on; an entry that was made of it and is public stays as it is.",
		Annotations: kept("all of it was redacted, or nothing; run it again"),
		Example:     "  assay admin redact 6f1c2f9e-6f0e-5d3b-9d5c-0c8b2b1f7a11 --reason 'asked by the person named'",
	}, "redact", func(ctx context.Context, st catalog.Store, args []string, why string) (string, error) {
		done, err := admin.Redact(ctx, st, args[0], why, commandLine, now())
		return "redacted" + named(" submission", done.Submission) + named(" candidate", done.Entry), err
	})
}

// explained completes a command that changes the store and is given a reason: do
// makes the change and says what was done, doing names it in errors.
func (a *app) explained(cmd *cobra.Command, doing string, do func(ctx context.Context, st catalog.Store, args []string, why string) (string, error)) *cobra.Command {
	var why string
	cmd.Flags().StringVar(&why, "reason", "", "why; it is kept in the audit log")
	cmd.Flags().Lookup("reason").Annotations = map[string][]string{setup.Spoken: {}}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.withStore(cmd.Context(), func(st catalog.Store) error {
			said, err := do(cmd.Context(), st, args, why)
			if err != nil {
				return fmt.Errorf("%s %s: %w", doing, strings.Join(args, ", "), err)
			}
			a.say("%s", said)
			return nil
		})
	}
	return cmd
}

func named(what string, id *string) string {
	if id == nil {
		return ""
	}
	return what + " " + *id
}

// withStore opens the store for one task.
func (a *app) withStore(ctx context.Context, do func(catalog.Store) error) error {
	st, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	return do(st)
}

func instant(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

func roles() []string {
	var words []string
	for _, r := range catalog.Roles() {
		words = append(words, string(r))
	}
	return words
}
