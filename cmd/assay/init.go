package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/cmd/internal/setup"
)

func (a *app) initCmd() *cobra.Command {
	return &cobra.Command{
		Use: "init", Short: "Write a commented assay.yaml and prepare the store", Args: noArgs,
		GroupID: groupBegin, Annotations: kept("a file that was written stays; remove it before the next assay init"),
		Example: `  mkdir register && cd register && assay init`,
		Long: "Writes the file assay.yaml, in which every setting of a register is explained, into the present directory\n" +
			"and prepares the store that it names. It asks nothing and overwrites nothing. What root\n" +
			"writes belongs to the owner of the directory.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := cmd.Flags().Lookup("config").Value.String()
			switch err := initialTo(path); {
			case errors.Is(err, fs.ErrExist):
				return fmt.Errorf("%s is there already: edit it, or remove it first", path)
			case err != nil:
				return fmt.Errorf("init: %w", err)
			}
			st, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			if err := st.Close(); err != nil {
				return err
			}
			a.say("wrote %s and prepared the store %s", path, setup.Redact(a.db))
			a.say("next: edit name, base_url and sources in %s, then run: assay harvest && assay build", path)
			return nil
		},
	}
}
