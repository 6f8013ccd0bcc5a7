package bucket

import (
	"context"
	"io"
	"iter"
	"time"
)

// Books begins the keys of what a publish knows of the bucket, which nobody serves. At
// StateKey are the publishes that ended; without it the bucket is no site yet.
const (
	Books    = ".assay/"
	StateKey = Books + "state.json"
)

// Object describes an object to who serves it. Empty fields are not sent.
type Object struct {
	// Type is the media type, Encoding the content coding of the stored bytes,
	// Cache the Cache-Control.
	Type, Encoding, Cache string
	// Size is that of the stored bytes.
	Size int64
	// Modified is the time of modification on disk; a directory keeps it,
	// because a server takes a compressed form only if it bears the time of its
	// document.
	Modified time.Time
}

// Bucket is where sites are published to. Each call stands alone: an object is
// replaced as a whole or not at all.
type Bucket interface {
	// Get reads an object in its plain form; fs.ErrNotExist when there is none.
	Get(ctx context.Context, key string) (io.ReadCloser, error)
	// Put writes an object. It may read the body more than once.
	Put(ctx context.Context, key string, body io.ReadSeeker, o Object) error
	// Copy makes an object of another with its description.
	Copy(ctx context.Context, from, to string) error
	Exists(ctx context.Context, key string) (bool, error)
	// Delete removes an object; that there is none is no error.
	Delete(ctx context.Context, key string) error
	// Sync returns when all that was done before outlives a loss of power.
	Sync(ctx context.Context) error
	// List yields the objects whose key begins with a prefix that ends in "/", or all for
	// "", in any order.
	List(ctx context.Context, prefix string) iter.Seq2[Listed, error]
}

// Listed is an object of a list with its size in bytes, as it is stored.
type Listed struct {
	Key  string `json:"key"`
	Size int64  `json:"size"`
}
