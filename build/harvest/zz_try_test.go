package harvest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestTry(t *testing.T) {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := harvest.LoadReference(ctx, st, sourcetest.Now); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 2; i++ {
		for _, s := range harvest.ShippedSources() {
			in := source.Input{Source: s}
			if s.Kind == "uk-api-catalogue" {
				p := sourcetest.Shared(t, "data/uk-api-catalogue")
				in.Name = "catalogue.csv"
				in.Files = os.DirFS(p)
				in.Open = func(context.Context) (io.ReadCloser, error) { return os.Open(p + "/catalogue.csv") }
			} else {
				in.Name = "api-gouv-fr"
				in.Files = os.DirFS(sourcetest.Shared(t, "data/api-gouv-fr"))
			}
			rep, err := harvest.Run(ctx, st, harvest.Connectors()[s.Kind], in, harvest.Options{Now: sourcetest.Now, Complete: true})
			fmt.Println(rep.Summary(), err)
			for _, x := range rep.Rejections {
				fmt.Println(x)
			}
		}
	}
	insts := map[string]string{}
	st.View(ctx, func(tx catalog.Tx) error {
		a, _ := tx.Institutions().All(ctx)
		for _, x := range a {
			insts[x.ID] = x.Key
		}
		n := 0
		no := map[string]int{}
		sig := map[string]int{}
		tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			n++
			if e.InstitutionID == "" {
				no[e.PublisherName]++
			}
			for _, s := range e.Signals {
				sig[string(s.Kind)+fmt.Sprint(s.Held)]++
				if s.Kind == "domain_verification" && !s.Held {
					fmt.Println(e.Name, s.Detail, s.EvidenceURL)
				}
			}
			if e.LicenseRaw != "" && e.LicenseID == "" {
				fmt.Println("LIC", e.LicenseRaw)
			}
			if n%90 == 0 {
				b, _ := json.MarshalIndent(e, "", " ")
				fmt.Println(string(b))
				p, _ := tx.Provenances().Get(ctx, e.ID)
				for _, x := range p.Rows {
					fmt.Println("  ", x.Field, x.Basis, x.UpstreamField, "|", x.Transform, "|", x.Note)
				}
			}
			return nil
		})
		fmt.Println(n, no, sig)
		ev, _ := tx.Events().Last(ctx)
		fmt.Println(ev)
		return nil
	})
}
