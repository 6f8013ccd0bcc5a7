package transfer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/transfer"
)

func TestRoundTrip(t *testing.T) {
	from := open(t)
	rich(t, from, 121)
	want := export(t, from)
	if again := export(t, from); !bytes.Equal(want, again) {
		t.Fatal("two exports of one register differ")
	}
	for _, kind := range []string{"institution", "licence", "source", "entry", "check_state", "profile", "override", "target", "evidence",
		"score_day", "use_day", "check_day", "check", "incident", "event"} {
		if !bytes.Contains(want, []byte(`{"kind":"`+kind+`"`)) {
			t.Errorf("the register has no %s", kind)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(want)
	_ = z.Close()
	for name, data := range map[string][]byte{
		"plain": want, "gzip": packed.Bytes(), "byte order mark": append([]byte("\xef\xbb\xbf"), want...),
		"crlf": bytes.ReplaceAll(want, []byte("\n"), []byte("\r\n")), "no final line feed": bytes.TrimSuffix(want, []byte("\n")),
		"empty lines": bytes.ReplaceAll(want, []byte("\n"), []byte("\n\n")),
	} {
		t.Run(name, func(t *testing.T) {
			to := open(t)
			r := load(t, to, data)
			if r.Mode != "restore" || r.Rejected != 0 || r.Lines != bytes.Count(want, []byte("\n")) {
				t.Fatalf("report %+v", r)
			}
			if got := export(t, to); !bytes.Equal(got, want) {
				t.Fatalf("the export of the import differs%s", firstDifference(got, want))
			}
			if again := load(t, to, data); again.Mode != "merge" || again.Created+again.Updated+again.Rejected != 0 || again.Unchanged != 121 {
				t.Fatalf("a second import: %s%v", again.Summary(), again.Rejections)
			}
			if got := export(t, to); !bytes.Equal(got, want) {
				t.Fatalf("a second import changed the register%s", firstDifference(got, want))
			}
		})
	}
}

func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "\n got " + a[i] + "\nwant " + b[i]
		}
	}
	return " in length"
}

func TestMergeIntoAnotherRegister(t *testing.T) {
	from, to := open(t), open(t)
	rich(t, from, 50)
	rich(t, to, 20)
	r := load(t, to, export(t, from))
	if r.Mode != "merge" || r.Created != 30 || r.Unchanged != 20 || r.Rejected != 0 || r.Skipped["event"] == 0 {
		t.Fatalf("%s%v", r.Summary(), r.Rejections)
	}
	if r = load(t, to, export(t, from)); r.Unchanged != 50 {
		t.Fatalf("again: %s%v", r.Summary(), r.Rejections)
	}
}

func TestResumeOfTruncatedRestore(t *testing.T) {
	from, to := open(t), open(t)
	rich(t, from, 300)
	want := export(t, from)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(want)
	_ = z.Close()
	r := load(t, to, packed.Bytes()[:packed.Len()*2/3])
	if r.Mode != "restore" || r.RejectedBy[source.CodeTruncatedGzip] != 1 || r.Restored["entry"] == 0 {
		t.Fatalf("%s%v", r.Summary(), r.Rejections)
	}
	other := open(t)
	rich(t, other, 2)
	_, err := transfer.Import(context.Background(), to, bytes.NewReader(export(t, other)), transfer.Options{Now: now})
	if !errors.Is(err, transfer.ErrOtherRestore) {
		t.Fatalf("another file into an unfinished restore: %v", err)
	}
	if r = load(t, to, want); r.Mode != "restore" || r.Resumed == 0 || r.Rejected != 0 {
		t.Fatalf("%s%v", r.Summary(), r.Rejections)
	}
	if got := export(t, to); !bytes.Equal(got, want) {
		t.Fatalf("the resumed restore differs%s", firstDifference(got, want))
	}
}
