//go:build !unix

package setup

// Public does nothing where files have no such modes.
func Public() {}

// Hand does nothing where root is nobody.
func Hand(...string) error { return nil }

// Own allows all where root is nobody.
func Own(string) error { return nil }
