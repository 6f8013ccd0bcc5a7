package sequence

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
)

// metaLost names, in the store, the tombstones of entries that a restore lost.
const metaLost = "restore_lost"

// Lost are the tombstones of entries that were published and that a restore lost, by their ids.
func Lost(ctx context.Context, tx catalog.Tx) (list []snapshot.Tombstone, err error) {
	text, err := tx.Meta().Get(ctx, metaLost)
	if err != nil || text == "" {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("%s in the store: %w", metaLost, err)
	}
	return list, nil
}

// lost takes note of the entries of the snapshot that the register does not answer for any more, when the
// operator goes on without them: for the tombstones of builds, and with a leaf each.
func (s *sequencer) lost(ctx context.Context) error {
	if !s.opts.Resume || s.opts.Head == nil || s.opts.Head.Lines == nil {
		return nil
	}
	list, have, err := s.answered(ctx)
	if err != nil {
		return err
	}
	told, moved := len(list), map[string]time.Time{}
	err = s.opts.Head.Lines(func(id, slug string, published int64) {
		at, there := have[translog.TopicOf(id)]
		if there && at != 0 && at != published {
			moved[id] = time.Unix(published, 0).UTC()
		}
		if !there {
			list = append(list, snapshot.Tombstone{ID: id, Slug: slug, Reason: snapshot.ReasonRemoved, At: s.opts.Now.UTC().Truncate(time.Second)})
		}
	})
	if err = errors.Join(err, s.republish(ctx, moved)); err != nil || len(list) == told {
		return err
	}
	s.report.Lost = len(list) - told
	for _, t := range list[told:] {
		if err := s.add(&translog.Leaf{Version: 1, Type: translog.KindLost, At: instant(s.opts.Now), Epoch: s.cursor.Epoch, Event: s.cursor.Number, Entry: t.ID}); err != nil {
			return err
		}
	}
	slices.SortFunc(list, func(a, b snapshot.Tombstone) int { return cmp.Compare(a.ID, b.ID) })
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return s.st.Update(ctx, func(tx catalog.Tx) error { return tx.Meta().Set(ctx, metaLost, string(text)) })
}

// republish gives entries that came back after a restore, and so anew, the times of publication that
// the site promised.
func (s *sequencer) republish(ctx context.Context, moved map[string]time.Time) error {
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(moved)), readEvents) {
		err := s.st.Update(ctx, func(tx catalog.Tx) error {
			list, err := tx.Entries().Get(ctx, chunk...)
			if err != nil {
				return err
			}
			writes := make([]catalog.Write, len(list))
			for i := range list {
				e := &list[i]
				at := moved[e.ID]
				change := catalog.FieldChange{Field: "published_at", From: quoted(e.PublishedAt), To: quoted(at)}
				e.PublishedAt = at
				writes[i] = catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: s.opts.Now, Changes: []catalog.FieldChange{change}}}}
			}
			return tx.Entries().Put(ctx, writes...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// answered are the entries that the store answers for, with the Unix time of publication of those that
// have a page and 0 for a tombstone, and the tombstones of those that were lost before.
func (s *sequencer) answered(ctx context.Context) (list []snapshot.Tombstone, have map[translog.Topic]int64, err error) {
	have = map[translog.Topic]int64{}
	err = s.st.View(ctx, func(tx catalog.Tx) (err error) {
		if list, err = Lost(ctx, tx); err != nil {
			return err
		}
		for i := range list {
			have[translog.TopicOf(list[i].ID)] = 0
		}
		return tx.Entries().Keys(ctx, func(k *catalog.Key) error {
			buried := (k.Status == catalog.StatusRemoved || k.Status == catalog.StatusPending) && !k.PublishedAt.IsZero()
			if buried {
				have[translog.TopicOf(k.ID)] = 0
			}
			if !buried && k.Visible(s.opts.Now) {
				have[translog.TopicOf(k.ID)] = k.PublishedAt.Unix()
			}
			return nil
		})
	})
	return list, have, err
}

func quoted(t time.Time) json.RawMessage {
	return json.RawMessage(`"` + t.UTC().Format(time.RFC3339) + `"`)
}
