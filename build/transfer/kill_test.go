package transfer_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/rendertest/childtest"
)

// TestMain lets the test binary be the import that is killed.
func TestMain(m *testing.M) {
	if file := os.Getenv("ASSAY_TEST_IMPORT"); file != "" {
		if err := importInto(os.Getenv("ASSAY_TEST_DB"), file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func importInto(db, file string) error {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, db)
	if err != nil {
		return err
	}
	defer st.Close()
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = transfer.Import(ctx, st, f, transfer.Options{Now: now, Batch: 20})
	return err
}

func child(db, file string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ASSAY_TEST_IMPORT="+file, "ASSAY_TEST_DB="+db)
	cmd.Stderr = os.Stderr
	if err := childtest.Tie(cmd); err != nil {
		panic(err) // before it is started there is room for a pipe
	}
	return cmd
}

// TestKilledImport kills an import at random moments and runs it again until
// it ends; the register must then be the one that an undisturbed import gives.
func TestKilledImport(t *testing.T) {
	rounds := 3
	if os.Getenv("ASSAY_SOAK") == "1" {
		rounds = 50
	}
	from := open(t)
	rich(t, from, 400)
	register := export(t, from)
	var lines bytes.Buffer
	for n := range 500 {
		fmt.Fprintln(&lines, bare(n, ""))
	}
	for name, data := range map[string][]byte{"restore": register, "merge": lines.Bytes()} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "in.ndjson")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			calm := filepath.Join(dir, "calm.db")
			if err := child(calm, file).Run(); err != nil {
				t.Fatal(err)
			}
			whole := time.Since(start)
			want := exportOf(t, calm)
			if name == "restore" && !bytes.Equal(want, register) {
				t.Fatal("an undisturbed restore differs")
			}
			for round := range rounds {
				db := filepath.Join(dir, fmt.Sprintf("killed-%d.db", round))
				kills := killUntilDone(t, db, file, whole)
				if got := exportOf(t, db); !bytes.Equal(got, want) {
					t.Fatalf("round %d, killed %d times: the register differs%s", round, kills, firstDifference(got, want))
				}
			}
		})
	}
}

func killUntilDone(t *testing.T, db, file string, whole time.Duration) (kills int) {
	t.Helper()
	for ; kills < 4; kills++ {
		cmd := child(db, file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(whole))
		_ = cmd.Process.Kill()
		if cmd.Wait() == nil {
			return kills
		}
	}
	if err := child(db, file).Run(); err != nil {
		t.Fatal(err)
	}
	return kills
}

func exportOf(t *testing.T, db string) []byte {
	t.Helper()
	st, err := sqlite.Open(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	return export(t, st)
}
