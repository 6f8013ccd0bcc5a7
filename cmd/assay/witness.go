package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/witness"
)

func (a *app) witness() *cobra.Command {
	var state, logKey string
	cmd := &cobra.Command{
		Use: "witness URL|DIR", Short: "Cosign the log of another register, if it continues what was seen", Args: cobra.ExactArgs(1),
		GroupID: groupKeep, Annotations: kept("what was seen before is kept, and nothing was signed"),
		Example: `  assay key create witness.key --base-url https://witness.example
  assay witness https://register.example --state seen --signing-key witness.key --log-key 'register.example/log+1234abcd+AQ…'
  assay witness https://register.example --state seen --signing-key witness.key`,
		Long: "Fetches the checkpoint of a log of verdicts, proves from its tiles that it continues the one that was seen last,\n" +
			"keeps it, and prints it with the witness's cosignature (C2SP tlog-cosignature). A log that contradicts what was\n" +
			"seen is an error, and both checkpoints stay in the folder of the state. Let a timer run it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			keys, err := a.signing()
			if err != nil {
				return err
			}
			if keys == nil {
				return fmt.Errorf("--signing-key: name the key of the witness; assay key create makes one")
			}
			site, err := a.pages(args[0])
			if err != nil {
				return err
			}
			if err := os.MkdirAll(state, 0o755); err != nil {
				return err
			}
			if logKey, err = keyText(logKey); err != nil {
				return err
			}
			w := witness.Witness{State: state, Private: keys[len(keys)-1].Private, Now: now()}
			seen, err := w.Look(output.Log(cmd.Context(), site), logKey)
			if err != nil {
				return err
			}
			a.say("%s: %d leaves, %d when it was seen last", seen.Origin, seen.Now, seen.Before)
			_, err = cmd.OutOrStdout().Write(seen.Cosigned)
			return err
		},
	}
	cmd.Flags().StringVar(&state, "state", "witness", "folder with what was seen last of each log")
	cmd.Flags().StringVar(&logKey, "log-key", "", "public key that signs the log (assay key show), or a file with such keys; it is kept, so it is needed once, and again when the log has a new one")
	return cmd
}
