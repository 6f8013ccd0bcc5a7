package claims

import (
	"context"
	"errors"
	"net/http"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

func newOwnerReport(r *catalog.Report) wire.OwnerReport {
	return wire.OwnerReport{PublicReport: wire.NewPublicReport(r), Public: r.Public()}
}

// Reports is the operation claimReports.
func (g *Group) Reports(w http.ResponseWriter, r *http.Request) error {
	q, err := query.ReadPlain(r, wire.ClaimReportsParams())
	if err != nil {
		return err
	}
	out := wire.OwnerReports{Items: []wire.OwnerReport{}}
	_, err = g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		out.Items = out.Items[:0]
		e, err := g.own(ctx, tx, c, q["entry"])
		if err != nil {
			return err
		}
		list, err := tx.Reports().Of(ctx, e.ID)
		for i := len(list) - 1; i >= 0; i-- {
			if !list[i].Hidden && list[i].State != catalog.ReportDismissed {
				out.Items = append(out.Items, newOwnerReport(&list[i]))
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, out)
}

// AnswerReport is the operation answerReport.
func (g *Group) AnswerReport(w http.ResponseWriter, r *http.Request) error {
	var ask wire.ReportAnswerRequest
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	var report *catalog.Report
	_, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) (err error) {
		report, err = tx.Reports().Get(ctx, r.PathValue("report"))
		if errors.Is(err, catalog.ErrNotFound) {
			return web.NotFound("There is no report with this id.")
		}
		if err != nil {
			return err
		}
		if _, err := g.own(ctx, tx, c, report.EntryID); err != nil {
			return err
		}
		if report.Hidden || report.State == catalog.ReportDismissed {
			return conflict("A moderator dismissed this report: there is nothing to answer.")
		}
		if err := report.Answer(c.ID, ask.Answer, g.now()); errors.Is(err, catalog.ErrConflict) {
			return conflict("This report has many answers already.")
		} else if err != nil {
			return err
		}
		if err := tx.Reports().Put(ctx, *report); err != nil {
			return err
		}
		return tx.Events().Append(ctx, catalog.SaidEvent(report.EntryID, catalog.FieldReports, "", string(report.State), g.now()))
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, newOwnerReport(report))
}
