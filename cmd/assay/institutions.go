package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

func (a *app) institutions() *cobra.Command {
	cmd := &cobra.Command{Use: "institutions", GroupID: groupKeep, Short: "Look at institutions, and name, place and merge them", Args: noSuch,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(a.listInstitutions(), a.showInstitution(),
		a.listedWords("alias", "NAME", "Give an institution other names, in any language", "  assay institutions alias be-statbel 'INS' 'NIS' --reason 'names before 2003'",
			func(r *wire.InstitutionRequest) *[]string { return r.Aliases }),
		a.listedWords("domain", "HOST", "Say which hosts belong to an institution", "  assay institutions domain be-statbel statbel.fgov.be --reason 'its own site'",
			func(r *wire.InstitutionRequest) *[]string { return &r.OfficialDomains }),
		a.tied("parent", "PARENT", "Say what an institution is a part of", "  assay institutions parent be-statbel be-economie --reason 'organisation chart'",
			func(r *wire.InstitutionRequest, to *string) { r.Parent = to }),
		a.tied("merge", "INTO", "Say which institution another one turned out to be", "  assay institutions merge statbel-2 be-statbel --reason 'the same office'",
			func(r *wire.InstitutionRequest, to *string) { r.MergedInto = to }))
	return cmd
}

func (a *app) listInstitutions() *cobra.Command {
	var state, country string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the institutions", Args: noArgs,
		Annotations: kept("nothing was changed"),
		Example:     "  assay institutions list --state stated --country BE",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if state != "" {
				if err := catalog.OneOf("--state", catalog.InstitutionState(state), catalog.InstitutionStates()); err != nil {
					return err
				}
			}
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				all, err := allInstitutions(cmd.Context(), st)
				if err != nil {
					return err
				}
				list := slices.DeleteFunc(slices.Clone(all), func(i catalog.Institution) bool {
					return state != "" && string(cmp.Or(i.State, catalog.InstitutionKnown)) != state || country != "" && !strings.EqualFold(i.CountryCode, country)
				})
				if asJSON {
					return writeInstitutions(cmd, list)
				}
				return printInstitutions(cmd, list, all)
			})
		},
	}
	cmd.Flags().StringVar(&state, "state", "", "only those that are known, or that a catalogue stated")
	cmd.Flags().StringVar(&country, "country", "", "only those of a country, as two letters")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (a *app) showInstitution() *cobra.Command {
	return &cobra.Command{
		Use: "show INSTITUTION", Short: "Show what the register knows of an institution, as JSON", Args: cobra.ExactArgs(1),
		Annotations: kept("nothing was changed"),
		Example:     "  assay institutions show be-statbel",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				var found *catalog.Institution
				err := st.View(cmd.Context(), func(tx catalog.Tx) (err error) {
					found, err = admin.FindInstitution(cmd.Context(), tx, args[0])
					return err
				})
				if err != nil {
					return fmt.Errorf("show %s: %w", args[0], err)
				}
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(wire.NewAdminInstitution(found))
			})
		},
	}
}

// listedWords is a command that adds words to a list of an institution, or takes
// them out.
func (a *app) listedWords(name, word, short, example string, of func(*wire.InstitutionRequest) *[]string) *cobra.Command {
	var remove bool
	cmd := a.explained(&cobra.Command{
		Use: name + " INSTITUTION " + word + "… --reason TEXT", Short: short, Args: cobra.MinimumNArgs(2), Example: example,
		Long:        short + ", by its key or id. With --remove those that are given are taken away.",
		Annotations: kept("all of it was changed, or nothing; assay institutions show tells"),
	}, name, func(ctx context.Context, st catalog.Store, args []string, why string) (string, error) {
		i, err := admin.ChangeInstitution(ctx, st, args[0], commandLine, now(), func(r *wire.InstitutionRequest) error {
			r.Reason = why
			list := of(r)
			*list = slices.DeleteFunc(slices.Clone(*list), func(has string) bool { return slices.Contains(args[1:], has) })
			if !remove {
				*list = append(*list, args[1:]...)
			}
			return nil
		})
		return fmt.Sprintf("%s has aliases %q, domains %q", i.Key, i.Aliases, i.OfficialDomains), err
	})
	cmd.Flags().BoolVar(&remove, "remove", false, "take them away")
	return cmd
}

// tied is a command that leads from an institution to another one, or takes that
// back.
func (a *app) tied(name, word, short, example string, set func(*wire.InstitutionRequest, *string)) *cobra.Command {
	var remove bool
	cmd := a.explained(&cobra.Command{
		Use: name + " INSTITUTION {" + word + "|--remove} --reason TEXT", Short: short, Example: example,
		Long:        short + ", both by key or id. With --remove that is taken back.",
		Annotations: kept("it was changed, or not; assay institutions show tells"),
		Args: func(_ *cobra.Command, args []string) error {
			if want := map[bool]int{true: 1, false: 2}[remove]; len(args) != want {
				return fmt.Errorf("it takes the institution and %s, or the institution and --remove", word)
			}
			return nil
		},
	}, name, func(ctx context.Context, st catalog.Store, args []string, why string) (string, error) {
		to := ""
		if !remove {
			to = args[1]
		}
		i, err := admin.ChangeInstitution(ctx, st, args[0], commandLine, now(), func(r *wire.InstitutionRequest) error {
			r.Reason = why
			set(r, &to)
			return nil
		})
		return fmt.Sprintf("%s: %s %s", i.Key, name, cmp.Or(to, "taken away")), err
	})
	cmd.Flags().BoolVar(&remove, "remove", false, "take it back")
	return cmd
}

func allInstitutions(ctx context.Context, st catalog.Store) (all []catalog.Institution, err error) {
	err = st.View(ctx, func(tx catalog.Tx) (err error) {
		all, err = tx.Institutions().All(ctx)
		return err
	})
	slices.SortFunc(all, func(a, b catalog.Institution) int { return cmp.Compare(a.Key, b.Key) })
	return all, err
}

func writeInstitutions(cmd *cobra.Command, list []catalog.Institution) error {
	shown := []wire.AdminInstitution{}
	for i := range list {
		shown = append(shown, wire.NewAdminInstitution(&list[i]))
	}
	return json.NewEncoder(cmd.OutOrStdout()).Encode(shown)
}

// printInstitutions writes the table of a list; all names those that they are
// tied to.
func printInstitutions(cmd *cobra.Command, list, all []catalog.Institution) error {
	keys := map[string]string{}
	for i := range all {
		keys[all[i].ID] = all[i].Key
	}
	w := tabwriter.NewWriter(legible{cmd.OutOrStdout()}, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tSTATE\tCOUNTRY\tPART OF\tMERGED INTO\tNAME")
	for i := range list {
		x := &list[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", x.Key, cmp.Or(x.State, catalog.InstitutionKnown), cmp.Or(x.CountryCode, "-"),
			cmp.Or(keys[x.ParentID], "-"), cmp.Or(keys[x.MergedIntoID], "-"), x.Name)
	}
	return w.Flush()
}
