package postgres_test

import (
	"testing"

	"github.com/assay-register/assay/dynamic/store/storetest"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

func fresh(b *testing.B) catalog.Store { return open(b, pgtest.NewStoreURL(b)) }

func BenchmarkPut(b *testing.B)  { storetest.BenchmarkPut(b, fresh) }
func BenchmarkScan(b *testing.B) { storetest.BenchmarkScan(b, fresh) }
func BenchmarkJobs(b *testing.B) { storetest.BenchmarkJobs(b, fresh) }
