//go:build !linux

package tree

import (
	"errors"
	"os"
)

// openBeneath is the way of os.Root only.
func openBeneath(*os.File, string) (*os.File, error) { return nil, errors.ErrUnsupported }

func opensBeneath(*os.File) bool { return false }
