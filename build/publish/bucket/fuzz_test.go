package bucket

import (
	"strings"
	"testing"
)

// FuzzTarget: what --to is given names a directory or a bucket that the store's
// own rules allow, or is refused with words that say what to write.
func FuzzTarget(f *testing.F) {
	for _, to := range []string{"s3://bucket/prefix", "s3://bucket", "s3://bucket//a/", "s3://b/../c", "s3://bucket?acl", "s3:///x", "file:///srv/www", "file://", "file://a\x00b",
		"S3://bucket", "http://bucket/", "bucket", "", "s3://buc ket/x", "s3://bucket/a\nb", "s3://127.0.0.1/x", "s3://bucket/.assay"} {
		f.Add(to, "")
		f.Add(to, "file")
	}
	f.Fuzz(func(t *testing.T, to, keys string) {
		target, err := ParseTarget(to, keys)
		switch {
		case err != nil:
			if text := err.Error(); !strings.Contains(text, "--") || len(text) < 15 {
				t.Errorf("%q, %q: %v", to, keys, err)
			}
			return
		case (target.Dir == "") == (target.Bucket == ""):
			t.Errorf("%q names %+v", to, target)
		case target.Dir != "" && (to != "file://"+target.Dir || target.Keys != ByFile):
			t.Errorf("%q names the directory %q with keys %d", to, target.Dir, target.Keys)
		}
		whole := target.Bucket + "/" + target.Prefix
		if strings.ContainsAny(whole, "?#\\\x00\n") || strings.Contains("/"+whole+"/", "/../") || strings.Contains(target.Prefix, "//") {
			t.Errorf("%q names the bucket %q and the prefix %q", to, target.Bucket, target.Prefix)
		}
	})
}
