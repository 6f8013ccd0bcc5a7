package main

import (
	"fmt"

	"github.com/assay-register/assay/cmd/internal/names"
	"github.com/assay-register/assay/render/search/thesaurus"
)

// takeNames reads the tables of names that the register brings itself.
func (a *app) takeNames() error {
	list, sum, err := names.Read(a.names)
	if err != nil {
		return fmt.Errorf("--names: %w", err)
	}
	thesaurus.Extend(list)
	a.site.Names = sum
	return nil
}
