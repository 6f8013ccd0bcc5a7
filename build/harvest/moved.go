package harvest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// hostsMax is how many hosts of a source are remembered, the newest ones.
const hostsMax = 8

// moved are the hosts that a source had before: its upstream references begin
// with them, and its IRIs may lie there.
type moved struct {
	now    string
	former []string
}

func movedKey(sourceID string) string { return "harvest.hosts." + sourceID }

// load reads where the source was at earlier runs, and notes where it is.
func (m *moved) load(ctx context.Context, st catalog.Store, sourceID, host string) error {
	m.now, m.former = host, nil
	if host == "" {
		return nil
	}
	return st.Update(ctx, func(tx catalog.Tx) error {
		value, err := tx.Meta().Get(ctx, movedKey(sourceID))
		if err != nil {
			return fmt.Errorf("read the hosts of %s: %w", sourceID, err)
		}
		var hosts []string
		if value != "" {
			if err := json.Unmarshal([]byte(value), &hosts); err != nil {
				return fmt.Errorf("read the hosts of %s: %w", sourceID, err)
			}
		}
		m.former = slices.DeleteFunc(slices.Clone(hosts), func(h string) bool { return h == host })
		if len(hosts) > 0 && hosts[len(hosts)-1] == host {
			return nil
		}
		doc, err := json.Marshal(append(m.former[max(0, len(m.former)-hostsMax+1):len(m.former):len(m.former)], host))
		if err != nil {
			return fmt.Errorf("encode the hosts of %s: %w", sourceID, err)
		}
		return tx.Meta().Set(ctx, movedKey(sourceID), string(doc))
	})
}

// refs are those that the record had where the source was before, the newest
// first, and before its IRIs were of https, or of http.
func (m *moved) refs(c *candidate) (list []string) {
	for _, ref := range c.refs {
		before, after, ok := strings.Cut(ref.Ref, ":http")
		if secure := strings.HasPrefix(after, "s://"); !ok || ref.Basis == source.RefStated {
			continue
		} else if secure {
			list = append(list, before+":http"+after[1:])
		} else if strings.HasPrefix(after, "://") {
			list = append(list, before+":https"+after)
		}
	}
	for _, host := range slices.Backward(m.former) {
		for _, ref := range c.refs {
			if rest, ok := strings.CutPrefix(ref.Ref, m.now+":"); ok {
				list = append(list, host+":"+rest)
				if other := strings.Replace(rest, "://"+m.now+"/", "://"+host+"/", 1); other != rest {
					list = append(list, host+":"+other)
				}
			}
		}
	}
	return list
}
