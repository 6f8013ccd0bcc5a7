package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/output"
)

// Forms of a site on disk.
const (
	formTree = "tree"
	formFile = "file"
)

// formOf adds the flag that says in which form a site is built.
func (a *app) formOf(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.form, "form", "", "how the site lies on disk: tree (a file for each document) or file (one file for each snapshot); what the directory holds if empty, else tree")
}

// shape says in which form a build writes.
func (a *app) shape(o *build.Options) error {
	there, err := formIn(o.Out)
	if err != nil {
		return err
	}
	switch {
	case a.form != "" && a.form != formTree && a.form != formFile:
		return fmt.Errorf("--form %s: use %s or %s", a.form, formTree, formFile)
	case a.form != "" && there != "" && a.form != there:
		return fmt.Errorf("--form %s: %s holds a site as a %s; choose an empty directory", a.form, o.Out, there)
	case a.form != "":
		there = a.form
	}
	o.File = there == formFile
	return nil
}

// formIn is the form of the site in a directory, "" where there is none.
func formIn(dir string) (string, error) {
	id, err := output.Present(dir)
	if err != nil || id != "" {
		return formFile, err
	}
	if id, err = output.Current(dir); err != nil || id != "" {
		return formTree, err
	}
	return "", nil
}
