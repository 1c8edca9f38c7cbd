package run

import (
	"os"
	"path/filepath"
)

// LearningFiles are the files of a run that the ledgers read: the salvaged copies first, because the work tree they came
// from may be gone. A path that is empty has no file.
func (f Stored) LearningFiles() (triage, state string) {
	s, _, _ := f.Load()
	salvage := filepath.Join(f.Dir, "salvage")
	runs := filepath.FromSlash("docs/" + settings(f.Project).Value("directories.runs") + "/" + f.Key)
	places := []string{filepath.Join(salvage, "run", "work"), filepath.Join(salvage, "run"), f.Dir, filepath.Join(f.Project, runs, "work"), filepath.Join(f.Project, runs)}
	if s.WorktreePath != "" {
		places = append(places, filepath.Join(s.WorktreePath, runs, "work"), filepath.Join(s.WorktreePath, runs))
	}
	for _, dir := range places {
		if triage = filepath.Join(dir, "triage-output.json"); isRegular(triage) {
			break
		}
		triage = ""
	}
	for _, dir := range []string{salvage, f.Dir} {
		if state = filepath.Join(dir, StateName); isRegular(state) {
			return triage, state
		}
	}
	return triage, ""
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// FlushStamp is the file that remembers what the last flush of the run read.
func (f Stored) FlushStamp() string { return filepath.Join(f.Dir, "flushed") }
