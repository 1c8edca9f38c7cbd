package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"viber/internal/exit"
	"viber/run"
)

// Commit is `viber commit <message> [selector...]`: it commits everything, or the paths named, under the message as given
// (commit contract, 9.9).
func Commit(ctx context.Context, c run.Call) error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		fmt.Fprintln(c.Err, "error: missing required parameter 'message'")
		fmt.Fprintln(c.Err, "usage: commit <message> [all | <path>...]")
		return exit.Status(exit.Failed)
	}
	s, err := readSelector(ctx, c, c.Args[1:])
	if err != nil {
		return report(c, err)
	}
	if len(s.missing) > 0 {
		return report(c, faultf(codeUnknown, "none of the named paths exists: %s - nothing committed", strings.Join(s.missing, " ")))
	}
	err = commitSelected(ctx, c, s)
	if code(err) == codeNoChanges {
		_, err = fmt.Fprintln(c.Out, "Nothing to commit.")
		return err
	}
	var f *fault
	if errors.As(err, &f) && f.code == codeRefused {
		refusal := *f
		refusal.code = exit.Failed
		err = &refusal
	}
	return report(c, err)
}

func commitSelected(ctx context.Context, c run.Call, s selector) error {
	r, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.awaitIndexLock(); err != nil {
		return err
	}
	earlier, err := r.recover(ctx)
	if err != nil {
		return err
	}
	j := &job{form: form{kind: freeForm}, plan: &planFile{plan: &run.Plan{}}, subject: c.Args[0]}
	if s.all() {
		j.paths = []named{{given: ".", path: "."}}
	} else if err = r.inProgress(); err == nil { // a commit of some paths would conclude the merge without the others
		j.paths = r.name(s.paths)
	}
	if err == nil {
		err = r.land(ctx, j)
	}
	if code(err) == codeNoChanges && earlier.is(c.Args) {
		return earlier.tell(r)
	}
	if err == nil && !j.unsettled {
		r.forget()
	}
	return err
}
