package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/edge"
	"github.com/assay-register/assay/render/wire"
)

// edgeFiles are the configuration of servers and hosts for a site, and their digest.
func (p *publisher) edgeFiles(ctx context.Context) ([]edge.File, string, error) {
	in, err := p.built.Open(ctx, "/snapshot.json", artifact.JSON)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	var page wire.SnapshotPage
	if err := json.NewDecoder(io.LimitReader(in, stateMax)).Decode(&page); err != nil {
		return nil, "", fmt.Errorf("/snapshot.json: %w", err)
	}
	files, err := edge.Files(page.BaseURL)
	sum := sha256.New()
	for i := range files {
		sum.Write([]byte(files[i].Path + "\x00"))
		sum.Write(files[i].Body)
	}
	return files, hex.EncodeToString(sum.Sum(nil)[:12]), err
}

// putEdge lays the configuration of servers beside the pages. A file of the same bytes
// stays as it is, so that nobody reloads for nothing.
func (p *publisher) putEdge(ctx context.Context, files []edge.File) error {
	for i := range files {
		key, body := edge.Dir+"/"+files[i].Path, files[i].Body
		old, err := readSmall(ctx, p.bucket, key)
		if err != nil {
			return err
		}
		if bytes.Equal(old, body) {
			continue
		}
		if err := p.bucket.Put(ctx, key, bytes.NewReader(body), bucket.Object{Type: artifact.Text, Cache: noStore, Size: int64(len(body))}); err != nil {
			return err
		}
	}
	return nil
}
