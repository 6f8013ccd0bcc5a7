// Package verdictlog serves the log of verdicts (render/translog) from the folder of the
// site: its files as they lie there, and proofs about entries.
package verdictlog

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/translog"
)

// Handlers answers from the log of a folder. It keeps the index of the present checkpoint open.
type Handlers struct {
	Folder  string
	Library *query.Library

	mu  sync.Mutex
	log *translog.Log
}

func (h *Handlers) fetch(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(h.Folder, filepath.FromSlash(name)))
}

// Present is the log as it is now; nil says that the register keeps none.
func (h *Handlers) Present() (*translog.Log, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	signed, err := h.fetch(translog.CheckpointFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if h.log == nil || !bytes.Equal(h.log.Signed(), signed) {
		if h.log, err = translog.OpenLog(os.DirFS(h.Folder)); err != nil {
			return nil, err
		}
	}
	return h.log, nil
}

// tilePath are the paths of tiles and bundles below tile/ (C2SP tlog-tiles).
var tilePath = regexp.MustCompile(`^(entries|[0-9]{1,2})/(x[0-9]{3}/){0,5}[0-9]{3}(\.p/[0-9]{1,3})?$`)

var noLog = web.NotFound("This register keeps no log of verdicts.")

// Checkpoint answers the signed note of the present size.
func (h *Handlers) Checkpoint() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return h.stored(w, r, translog.CheckpointFile, web.Head{Type: translog.TypeNote, Cache: web.CacheMutable}, noLog)
	}
}

var noTile = web.NotFound("The log has no such file: take the whole tile in place of a part of it, or a newer checkpoint.")

// Tile answers a tile of hashes or a bundle of leaves.
func (h *Handlers) Tile() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("path")
		if !tilePath.MatchString(name) {
			return noTile
		}
		return h.stored(w, r, translog.TileDir+"/"+name, web.Head{Type: translog.TypeTile, Cache: web.CacheHashed}, noTile)
	}
}

// Sums answers the signed sums of the exports.
func (h *Handlers) Sums() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return h.stored(w, r, translog.SumsFile, web.Head{Type: translog.TypeNote, Cache: web.CacheMutable}, noLog)
	}
}

// Keys answers the leaves that name the keys of the log.
func (h *Handlers) Keys() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return h.proof(w, r, translog.KindKey, (*translog.Log).First, web.CacheMutable)
	}
}

// Entry answers the leaves about an entry below the first checkpoints that have them.
func (h *Handlers) Entry() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, ok := strings.CutSuffix(r.PathValue("id"), ".json")
		if !ok {
			return noTile
		}
		return h.proof(w, r, id, (*translog.Log).First, web.CacheMutable)
	}
}

func (h *Handlers) stored(w http.ResponseWriter, r *http.Request, name string, head web.Head, missing error) error {
	body, err := h.fetch(name)
	if errors.Is(err, fs.ErrNotExist) {
		return missing
	}
	if err != nil {
		return err
	}
	return (&web.Document{Head: head, Body: web.NewBody(body)}).Write(w, r)
}

// Proof answers the leaves about an entry, proven below the present checkpoint.
func (h *Handlers) Proof() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		id, err := query.ParseLogProof(values)
		if err != nil {
			return err
		}
		s, err := h.Library.At(r.Context(), "")
		if err != nil {
			return err
		}
		if p := s.Find(id); p.Standing == query.Visible || p.Standing == query.Moved {
			id = p.ID
		}
		return h.proof(w, r, id, (*translog.Log).Now, web.CacheLive)
	}
}

func (h *Handlers) proof(w http.ResponseWriter, r *http.Request, id string, of func(*translog.Log, string) (*translog.Proof, error), cache string) error {
	log, err := h.Present()
	if err != nil {
		return err
	}
	if log == nil {
		return noLog
	}
	p, err := of(log, id)
	if err != nil {
		return err
	}
	if len(p.Leaves) == 0 {
		return web.NotFound("The log says nothing about this entry.")
	}
	body, err := jsonx.Marshal(p)
	if err != nil {
		return err
	}
	return (&web.Document{Head: web.Head{Type: artifact.JSON, Cache: cache}, Body: web.NewBody(append(body, '\n'))}).Write(w, r)
}
