package bucket

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// Target is where a site is published to: a directory, or a bucket and the
// prefix of the site's keys in it.
type Target struct {
	Dir, Bucket, Prefix string
	Keys                Keys
}

// targetForms says how a target is written.
const targetForms = "use s3://BUCKET/PREFIX or file://DIR"

// prefixMax bounds a prefix in bytes: a key has at most 1,024, routes included.
const prefixMax = 512

// ParseTarget reads a target, s3://BUCKET/PREFIX or file://DIR, and the way to
// form keys, "" for that of the target. Bucket names follow the rules of S3. The
// error says what to write instead.
func ParseTarget(to, keys string) (Target, error) {
	scheme, rest, _ := strings.Cut(to, "://")
	t := Target{Keys: ByRoute}
	if scheme == "file" {
		t.Keys = ByFile
	}
	if keys != "" {
		var err error
		if t.Keys, err = ParseKeys(keys); err != nil {
			return t, err
		}
	}
	switch {
	case rest == "" || !utf8.ValidString(to) || strings.ContainsFunc(to, unicode.IsControl):
		return t, fmt.Errorf("--to %q: %s", to, targetForms)
	case scheme == "file" && t.Keys != ByFile:
		return t, fmt.Errorf("--keys %s: a directory cannot hold a page at %q and pages below it; use an object store", keys, "/api/v1/entries")
	case scheme == "file":
		t.Dir = rest
		return t, nil
	case scheme == "s3":
		t.Bucket, t.Prefix, _ = strings.Cut(rest, "/")
		t.Prefix = strings.Trim(t.Prefix, "/")
		return t, t.checkBucket(to)
	}
	return t, fmt.Errorf("--to %q: %s", to, targetForms)
}

func (t *Target) checkBucket(to string) error {
	if err := s3utils.CheckValidBucketNameStrict(t.Bucket); err != nil {
		return fmt.Errorf("--to %q: %w; %s", to, err, targetForms)
	}
	if t.Prefix == "" {
		return nil
	}
	for part := range strings.SplitSeq(t.Prefix, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, `\?#`) {
			return fmt.Errorf("--to %q: the prefix has a part %q, which stores and readers take for something else; give another one", to, part)
		}
	}
	if len(t.Prefix) > prefixMax {
		return fmt.Errorf("--to: a prefix has at most %d bytes, this one %d", prefixMax, len(t.Prefix))
	}
	return nil
}
