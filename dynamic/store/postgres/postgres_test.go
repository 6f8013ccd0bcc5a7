package postgres_test

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/storetest"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

func TestMain(m *testing.M) {
	storetest.Child(postgres.Open)
	pgtest.Main(m)
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) catalog.Store { return open(t, pgtest.NewStoreURL(t)) })
}

func open(t testing.TB, url string) catalog.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestKill(t *testing.T) { storetest.Kill(t, postgres.Open, pgtest.NewURL(t)) }

func TestProcesses(t *testing.T) { storetest.Processes(t, postgres.Open, pgtest.NewURL(t)) }

func TestOpenNamesTheDatabase(t *testing.T) {
	url := strings.Replace(pgtest.NewURL(t), "/test", "/absent", 1)
	_, err := postgres.Open(t.Context(), url)
	if err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("error %v, want one that names the database", err)
	}
}

func TestOpenHidesThePassword(t *testing.T) {
	for _, url := range []string{"postgres://u:secret@127.0.0.1:1/db?connect_timeout=1", "postgres://u:secret@[::1:x/db"} {
		_, err := postgres.Open(t.Context(), url)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v, want one without the password", err)
		}
	}
}
