package sequence

import (
	"slices"
	"time"

	"github.com/assay-register/assay/render/translog"
)

// published tells of the entries that a snapshot shows and no leaf names. Their topics are
// held to the index in one pass; what is in memory is 16 bytes an entry.
func (s *sequencer) published(h *Head) error {
	if h.Each == nil {
		return nil
	}
	topics := make([]translog.Topic, 0, h.Entries)
	err := h.Each(func(id string, _ time.Time) error {
		topics = append(topics, translog.TopicOf(id))
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(topics, translog.Topic.Compare)
	lacking, err := s.folder.index.Lacking(slices.Compact(topics))
	if err != nil {
		return err
	}
	for i := range s.batch {
		delete(lacking, s.batch[i].about)
	}
	if len(lacking) == 0 {
		return nil
	}
	return h.Each(func(id string, published time.Time) error {
		if !lacking[translog.TopicOf(id)] {
			return nil
		}
		return s.add(&translog.Leaf{Version: 1, Type: translog.KindPublished, At: instant(published), Epoch: s.cursor.Epoch, Event: h.Through, Entry: id})
	})
}
