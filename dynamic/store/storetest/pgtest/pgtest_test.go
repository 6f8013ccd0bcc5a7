package pgtest

import (
	"strings"
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

func TestNewURLGivesEachTestItsDatabase(t *testing.T) {
	a, b := NewURL(t), NewURL(t)
	if a == b {
		t.Errorf("both are %s", a)
	}
	if !strings.HasPrefix(a, "postgres:///test") {
		t.Errorf("URL %s", a)
	}
}
