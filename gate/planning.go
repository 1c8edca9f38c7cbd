package gate

import (
	"fmt"
	"io"
	"strings"
)

// PlanningOptions say what to judge. Spec is the document the global constraints must stand in; nil means none, and so
// does one without text. With Plan set, that object is judged instead of a file.
type PlanningOptions struct {
	File  string
	Stdin io.Reader
	Spec  string // path, empty for none
	Plan  *Planning
	tweak
}

// CheckPlanning judges a plan: ids, files, dependencies, review focus, constraints.
func CheckPlanning(o PlanningOptions) Result {
	const name = "planning"
	r := &report{}
	in := plannedWith{}
	if o.Plan != nil {
		in.Planning = *o.Plan
	} else if res, ok := read(name, o.File, o.Stdin, o.tweak, &in.Planning, r); !ok {
		return res
	}
	if o.Spec != "" {
		spec, err := readBounded(o.Spec, nil)
		if err != nil {
			return unreadable(name, o.File, err)
		}
		in.spec = folded(string(spec))
	}
	apply(planningRules(), in, r, o.without)
	res := r.result(name, o.File)
	res.Summary = fmt.Sprintf(", %d tasks", len(in.Tasks))
	return res
}

// read loads the file of a gate; ok is false when the answer is final already.
func read(name, file string, stdin io.Reader, t tweak, v any, r *report) (Result, bool) {
	data, err := readBounded(file, stdin)
	if err != nil {
		return unreadable(name, file, err), false
	}
	s, err := shapeOf(name, t)
	if err != nil {
		return unreadable(name, file, err), false
	}
	if !load(data, s, v, r) {
		return r.result(name, file), false
	}
	return Result{}, true
}

type plannedWith struct {
	Planning
	spec string // white space folded; empty for none
}

func planningRules() []rule[plannedWith] {
	return []rule[plannedWith]{
		{"has-tasks", hasTasks},
		{"unique-ids", uniqueTaskIDs},
		{"relative-files", relativeFiles},
		{"unique-files", uniqueFiles},
		{"known-dependencies", knownDependencies},
		{"no-self-dependency", noSelfDependency},
		{"acyclic", acyclic},
		{"known-owner", knownOwner},
		{"verbatim-constraints", verbatimConstraints},
	}
}

func hasTasks(p plannedWith, r *report) {
	if len(p.Tasks) == 0 {
		r.wrong("/tasks", "the plan has no task", "at least one task")
	}
}

func uniqueTaskIDs(p plannedWith, r *report) {
	first := map[TaskID]int{}
	for i, t := range p.Tasks {
		if j, seen := first[t.ID]; seen && t.ID != "" {
			r.wrong(at("tasks", i, "id"), fmt.Sprintf("%s is the id of task %d too", short(string(t.ID)), j), "an id of its own")
			continue
		}
		first[t.ID] = i
	}
}

func relativeFiles(p plannedWith, r *report) {
	for i, t := range p.Tasks {
		for j, f := range t.Files {
			checkPath(f, at("tasks", i, "files", j), r)
		}
	}
}

func uniqueFiles(p plannedWith, r *report) {
	for i, t := range p.Tasks {
		seen := map[string]bool{}
		for j, f := range t.Files {
			if seen[clean(f)] {
				r.wrong(at("tasks", i, "files", j), short(string(f))+" stands twice in this task", "each file once")
			}
			seen[clean(f)] = true
		}
	}
}

func taskIDs(p plannedWith) map[TaskID]bool {
	ids := map[TaskID]bool{}
	for _, t := range p.Tasks {
		ids[t.ID] = true
	}
	return ids
}

func knownDependencies(p plannedWith, r *report) {
	ids := taskIDs(p)
	for i, t := range p.Tasks {
		for j, d := range t.DependsOn {
			if d != "" && !ids[d] {
				r.wrong(at("tasks", i, "dependsOn", j), "no task is called "+short(string(d)), "the id of a task of this plan")
			}
		}
	}
}

func noSelfDependency(p plannedWith, r *report) {
	for i, t := range p.Tasks {
		for j, d := range t.DependsOn {
			if d != "" && d == t.ID {
				r.wrong(at("tasks", i, "dependsOn", j), "the task depends on itself", "another task's id")
			}
		}
	}
}

// acyclic names each cycle once, at its first task of the file.
func acyclic(p plannedWith, r *report) {
	index := map[TaskID]int{}
	for i, t := range p.Tasks {
		if _, seen := index[t.ID]; !seen {
			index[t.ID] = i
		}
	}
	state := make([]int, len(p.Tasks)) // 0 new, 1 on the way, 2 done
	for start := range p.Tasks {
		walkDependencies(p.Tasks, index, state, start, r)
	}
}

// walkDependencies is a depth-first walk without recursion: a plan may be one long chain.
func walkDependencies(tasks []PlannedTask, index map[TaskID]int, state []int, start int, r *report) {
	if state[start] != 0 {
		return
	}
	type step struct{ task, next int }
	way := []step{{start, 0}}
	state[start] = 1
	for len(way) > 0 {
		top := &way[len(way)-1]
		deps := tasks[top.task].DependsOn
		if top.next == len(deps) {
			state[top.task] = 2
			way = way[:len(way)-1]
			continue
		}
		j := top.next
		top.next++
		to, known := index[deps[j]]
		if !known || to == top.task {
			continue
		}
		switch state[to] {
		case 0:
			state[to] = 1
			way = append(way, step{to, 0})
		case 1:
			var names []string
			for _, s := range way {
				if len(names) > 0 || s.task == to {
					names = append(names, string(tasks[s.task].ID))
				}
			}
			r.wrong(at("tasks", top.task, "dependsOn", j), "a cycle: "+strings.Join(append(names, string(tasks[to].ID)), " -> "), "dependencies without a cycle")
		}
	}
}

func knownOwner(p plannedWith, r *report) {
	ids := taskIDs(p)
	for i, f := range p.ReviewFocus {
		if f.OwnerTaskID != "" && !ids[f.OwnerTaskID] {
			r.wrong(at("reviewFocus", i, "ownerTaskId"), "no task is called "+short(string(f.OwnerTaskID)), "the id of the task whose tests add this input")
		}
	}
}

func verbatimConstraints(p plannedWith, r *report) {
	if p.spec == "" {
		return
	}
	for i, c := range p.GlobalConstraints {
		if !strings.Contains(p.spec, folded(string(c))) {
			r.wrong(at("globalConstraints", i), short(string(c))+" does not stand in the spec", "the spec's own words, verbatim")
		}
	}
}

// folded makes every run of white space one blank.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }
