package evidence

import (
	"context"
	"errors"
	"net/http"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/redact"
	"github.com/assay-register/assay/render/wire"
)

// Record shows what sources published of an entry, without personal data.
func (d *Handlers) Record() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, err := d.Library.At(r.Context(), "")
		if err != nil {
			return err
		}
		name := r.PathValue("idOrSlug")
		place := s.Find(name)
		if place.Standing == query.Moved {
			web.Redirect(w, r, wire.Path(s.Site, entryPrefix+place.ID+"/record"))
			return nil
		}
		if err := absent(name, place); err != nil {
			return err
		}
		return d.records(w, r, place.ID, false)
	}
}

// WholeRecord shows administrators what sources published of an entry.
func (d *Handlers) WholeRecord() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("id")
		if s, err := d.Library.At(r.Context(), ""); err == nil {
			if p := s.Find(id); p.ID != "" {
				id = p.ID
			}
		}
		return d.records(w, r, id, true)
	}
}

func (d *Handlers) records(w http.ResponseWriter, r *http.Request, id string, whole bool) error {
	list, err := Published(r.Context(), d.Store, id, whole)
	if err != nil {
		return err
	}
	if len(list.Records) == 0 {
		return web.NotFound("No record of a source is kept of this entry: a harvest keeps them from now on, and a suggestion has none.")
	}
	body, err := web.JSON(list)
	if err != nil {
		return err
	}
	h := web.Head{Type: artifact.JSON, Cache: web.CacheLive}
	if whole {
		h.Cache = web.CacheNever
	}
	return (&web.Document{Head: h, Body: web.NewBody(body)}).Write(w, r)
}

// Published reads what sources published of an entry: the present records, and with whole
// those before them, too, nothing withheld.
func Published(ctx context.Context, st catalog.Store, id string, whole bool) (out wire.PublishedRecords, err error) {
	out = wire.PublishedRecords{EntryID: id, Rule: redact.Published(), Records: []wire.PublishedRecord{}}
	err = st.View(ctx, func(tx catalog.Tx) error {
		list, err := tx.RawRecords().Of(ctx, id)
		if err != nil {
			return err
		}
		out.Records = out.Records[:0]
		for i := range list {
			var body []byte
			if whole || list[i].SupersededAt.IsZero() {
				if body, err = unpack(ctx, tx, list[i].SHA256); err != nil {
					return err
				}
			}
			out.Records = append(out.Records, wire.NewPublishedRecord(&list[i], body, whole))
		}
		return nil
	})
	return out, err
}

// Present is what a source publishes of an entry now, with the source and the media type; nil where
// none is kept.
func Present(ctx context.Context, tx catalog.Tx, id string) (source, media string, body []byte, err error) {
	list, err := tx.RawRecords().Of(ctx, id)
	if err != nil || len(list) == 0 || !list[0].SupersededAt.IsZero() {
		return "", "", nil, err
	}
	body, err = unpack(ctx, tx, list[0].SHA256)
	return list[0].SourceID, list[0].Media, body, err
}

// unpack decompresses the bytes of a record, nil where they are not kept.
func unpack(ctx context.Context, tx catalog.Tx, sum string) ([]byte, error) {
	packed, err := tx.RawRecords().Body(ctx, sum)
	if err != nil || packed == nil {
		return nil, err
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(catalog.RawRecordMax+1<<10))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	body, err := z.DecodeAll(packed, []byte{})
	if err != nil {
		return nil, errors.Join(errors.New("record "+sum), err)
	}
	return body, nil
}
