package sequence

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/render/translog"
)

// metaSize names, in the store, how many leaves were signed, with their root and the name of the log.
const metaSize = "log_size"

// continues holds the folder to what the store knows to be signed.
func (s *sequencer) continues(signed known) error {
	size, origin := s.folder.Size(), s.folder.origin()
	switch {
	case signed.origin != "" && signed.origin != origin && size == 0:
		return nil // a log of another name begins
	case signed.origin != "" && signed.origin != origin:
		return fmt.Errorf("%w (it is %s, the register signed %s)", ErrForked, origin, signed.origin)
	case signed.tree.N > size:
		return fmt.Errorf("%w (%d leaves of %d)", ErrOlder, size, signed.tree.N)
	case signed.origin == "" || size == 0:
		return nil
	}
	if err := translog.Consistent(translog.Files(os.DirFS(s.folder.dir)), signed.tree, s.folder.last.Tree); err != nil {
		return fmt.Errorf("%w (%w)", ErrForked, err)
	}
	return nil
}

// known is what the store knows of a log: what was signed of it last, and its name.
type known struct {
	tree   tlog.Tree
	origin string
}

func (k known) String() string { return fmt.Sprintf("%d %s %s", k.tree.N, k.tree.Hash, k.origin) }

// parseKnown reads what the store has; one of an earlier version has the size alone.
func parseKnown(text string) (k known, err error) {
	size, rest, whole := strings.Cut(text, " ")
	if text == "" {
		return k, nil
	}
	if k.tree.N, err = strconv.ParseInt(size, 10, 64); err == nil && whole {
		root, origin, _ := strings.Cut(rest, " ")
		k.origin = origin
		k.tree.Hash, err = tlog.ParseHash(root)
	}
	if err != nil {
		err = fmt.Errorf("%s in the store: %w", metaSize, err)
	}
	return k, err
}
