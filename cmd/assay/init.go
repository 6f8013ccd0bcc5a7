package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/cmd/internal/setup"
)

// initial is the configuration file of a new register.
//
//go:embed init.yaml
var initial []byte

func (a *app) initCmd() *cobra.Command {
	return &cobra.Command{
		Use: "init", Short: "Write a commented assay.yaml and prepare the store", Args: cobra.NoArgs,
		GroupID: groupBegin, Annotations: kept("a file that was written stays; remove it before the next assay init"),
		Example: `  mkdir register && cd register && assay init`,
		Long: "Writes the file assay.yaml, in which every setting of a register is explained, into the present directory\n" +
			"and prepares the store that it names. It asks nothing and overwrites nothing. What root\n" +
			"writes belongs to the owner of the directory.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := cmd.Flags().Lookup("config").Value.String()
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s is there already: edit it, or remove it first", path)
			}
			if err != nil {
				return fmt.Errorf("init: %w", err)
			}
			if _, err = f.Write(initial); err != nil {
				return errors.Join(fmt.Errorf("init: %w", err), f.Close())
			}
			if err := errors.Join(f.Close(), setup.Hand(path)); err != nil {
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
