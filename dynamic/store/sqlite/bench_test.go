package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/dynamic/store/storetest"
	"github.com/assay-register/assay/render/catalog"
)

func fresh(b *testing.B) catalog.Store { return open(b, filepath.Join(b.TempDir(), "a.db")) }

func BenchmarkPut(b *testing.B)  { storetest.BenchmarkPut(b, fresh) }
func BenchmarkScan(b *testing.B) { storetest.BenchmarkScan(b, fresh) }
func BenchmarkJobs(b *testing.B) { storetest.BenchmarkJobs(b, fresh) }
