package gitx

import (
	"os"
	"path/filepath"
)

// InProgress names what git is in the middle of in this work tree ("a merge"), and the commands that end it, written so that
// quotes go around the whole. Both are empty when nothing is: a commit then concludes nothing but itself.
func (l Layout) InProgress() (what, out string) {
	for _, p := range []struct{ file, what, out string }{
		{"MERGE_HEAD", "a merge", "git commit' or 'git merge --abort"},
		{"CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue' or '--abort"},
		{"REVERT_HEAD", "a revert", "git revert --continue' or '--abort"},
		{"rebase-merge", "a rebase", "git rebase --continue' or '--abort"},
		{"rebase-apply", "a rebase or am", "git rebase --continue' or '--abort"},
	} {
		if _, err := os.Stat(filepath.Join(l.GitDir, p.file)); err == nil {
			return p.what, p.out
		}
	}
	return "", ""
}
