package bucket

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"strings"

	"github.com/minio/minio-go/v7"
)

// S3 is a bucket behind the S3 protocol, or the part of one below a prefix.
type S3 struct {
	client         *minio.Client
	bucket, prefix string
}

// NewS3 is the bucket of a client that the roof has set up. prefix may be "".
func NewS3(client *minio.Client, bucket, prefix string) *S3 {
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	return &S3{client, bucket, prefix}
}

// Get implements Bucket.
func (s *S3) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	// One request: a lazy object asks for its head first, and fails where what it then reads was replaced meanwhile.
	o, info, _, err := (&minio.Core{Client: s.client}).GetObject(ctx, s.bucket, s.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", key, known(err))
	}
	if info.Metadata.Get("Content-Encoding") != "gzip" {
		return o, nil
	}
	plain, err := gzip.NewReader(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("get %s: %w", key, err), o.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{plain, o}, nil
}

// Put implements Bucket.
func (s *S3) Put(ctx context.Context, key string, body io.ReadSeeker, o Object) error {
	_, err := s.client.PutObject(ctx, s.bucket, s.prefix+key, body, o.Size, minio.PutObjectOptions{
		ContentType: o.Type, ContentEncoding: o.Encoding, CacheControl: o.Cache,
		// A body signed in chunks is sent with the coding aws-chunked, which some
		// stores then tell their readers of.
		SendContentMd5: true, DisableContentSha256: true,
	})
	if err != nil {
		return fmt.Errorf("put %s: %w", key, known(err))
	}
	return nil
}

// Copy implements Bucket.
func (s *S3) Copy(ctx context.Context, from, to string) error {
	_, err := s.client.CopyObject(ctx, minio.CopyDestOptions{Bucket: s.bucket, Object: s.prefix + to},
		minio.CopySrcOptions{Bucket: s.bucket, Object: s.prefix + from})
	if err != nil {
		return fmt.Errorf("copy %s to %s: %w", from, to, known(err))
	}
	return nil
}

// Exists implements Bucket.
func (s *S3) Exists(ctx context.Context, key string) (bool, error) {
	_, err := s.client.StatObject(ctx, s.bucket, s.prefix+key, minio.StatObjectOptions{})
	if err = known(err); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("head %s: %w", key, err)
	}
	return true, nil
}

// Delete implements Bucket.
func (s *S3) Delete(ctx context.Context, key string) error {
	err := known(s.client.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{}))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	return nil
}

// Sync implements Bucket: what a store has answered for is safe.
func (s *S3) Sync(context.Context) error { return nil }

// List implements Bucket.
func (s *S3) List(ctx context.Context, prefix string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for o := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}) {
			if o.Err != nil {
				yield(Listed{}, fmt.Errorf("list %s: %w", prefix, known(o.Err)))
				return
			}
			if !yield(Listed{strings.TrimPrefix(o.Key, s.prefix), o.Size}, nil) {
				return
			}
		}
	}
}

// known turns "there is no such object" into fs.ErrNotExist. A bucket that is
// missing stays an error of its own.
func known(err error) error {
	if err == nil {
		return nil
	}
	if r := minio.ToErrorResponse(err); r.Code == minio.NoSuchKey || r.StatusCode == http.StatusNotFound && r.Code != minio.NoSuchBucket {
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}
