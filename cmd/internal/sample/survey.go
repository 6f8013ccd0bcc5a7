package sample

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/assay-register/assay/build/survey"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

//go:embed data/*
var files embed.FS

// beforeSlot is about when the earlier data of a source were looked at.
const beforeSlot = slots / 2

// survey replays the closer looks of a slot: each source is looked at when it
// last answered openly, some of them in the middle of their trace, too.
func (l *loader) survey(ctx context.Context, slot int) error {
	for _, r := range l.records {
		id, trace := l.ids[r], l.traces[r]
		if id == "" || trace == "" || r.Data == (data{}) && r.MCP == nil {
			continue
		}
		file := ""
		switch slot {
		case strings.LastIndexByte(trace, 'U'):
			file = r.Data.File
		case beforeSlot + strings.IndexByte(trace[beforeSlot:], 'U'):
			if file = r.Data.Before; file == "" {
				continue
			}
		default:
			continue
		}
		if err := l.look(ctx, r, slot, file); err != nil {
			return fmt.Errorf("%s: %w", r.place, err)
		}
	}
	return nil
}

// look lets the register look at the source of a record, which answers with a
// file.
func (l *loader) look(ctx context.Context, r *record, slot int, file string) error {
	e, err := l.current(ctx, r)
	if err != nil || e.Status != catalog.StatusActive || e.MergedIntoID != "" {
		return err
	}
	o := verify.Outcome{Check: check(e, r, slot, 'U')}
	if r.MCP != nil {
		o.Server = &verify.Server{Version: r.MCP.Version, Protocol: "2025-11-25", HasTools: len(r.MCP.Tools) > 0, Tools: e.MCP.Tools}
	}
	var failure error
	s := &survey.Surveyor{Store: l.st, Run: catalog.NewID("verify-run", slotAt(slot).Format(time.RFC3339)),
		Clock: func() time.Time { return o.Check.At.Add(2 * time.Second) }, Report: func(_ string, err error) { failure = err }}
	if s.Survey(ctx, &http.Client{Transport: answers(file)}, e.ID, &o) == verify.SurveyFailed {
		return fmt.Errorf("look at %s: %w", file, failure)
	}
	return nil
}

func (l *loader) current(ctx context.Context, r *record) (e *catalog.Entry, err error) {
	err = l.st.View(ctx, func(tx catalog.Tx) error {
		e, err = l.entry(ctx, tx, r)
		return err
	})
	return e, err
}

// answers is an internet that answers everything with one file.
type answers string

// RoundTrip implements http.RoundTripper.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := files.ReadFile(path.Join("data", string(a)))
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
}
