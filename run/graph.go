package run

import (
	"slices"
	"strings"
)

// graph answers whether one task comes before another. before[i] is the set of task i's direct and indirect dependencies.
type graph struct{ before []bits }

type bits []uint64

func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bits) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bits) union(other bits) {
	for i := range other {
		b[i] |= other[i]
	}
}

// newGraph builds the sets in one pass: every dependency stands earlier in the file.
func newGraph(p *Plan, position map[string]int) *graph {
	g := &graph{before: make([]bits, len(p.Tasks))}
	size := (len(p.Tasks) + 63) / 64
	for i, t := range p.Tasks {
		b := make(bits, size)
		for _, e := range t.Deps {
			if at, known := position[e.Text]; known && at < i && !b.has(at) {
				b.add(at)
				b.union(g.before[at])
			}
		}
		g.before[i] = b
	}
	return g
}

// ordered reports whether a path leads from one of the two tasks to the other.
func (g *graph) ordered(i, j int) bool { return g.before[i].has(j) || g.before[j].has(i) }

// redundant checks for a dependency that another entry of the same line already reaches.
func (v *validator) redundant() {
	if v.Frozen {
		return
	}
	for i, t := range v.plan.Tasks {
		reached := v.reachedThrough(t)
		for _, e := range t.Deps {
			at := v.position[e.Text]
			if through, ok := reached[at]; ok && through != at {
				v.task(i, e.Pos, "depends-on", "drop it", "Depends-on %s is redundant: %s already depends on it", e.Text, v.plan.Tasks[through].ID)
				delete(reached, at)
			}
		}
	}
}

// reachedThrough maps each dependency of t that another one comes after to the first such other.
func (v *validator) reachedThrough(t *Task) map[int]int {
	reached := make(map[int]int)
	if len(t.Deps) < 2 {
		return reached
	}
	direct := make(map[int]bool, len(t.Deps))
	for _, e := range t.Deps {
		direct[v.position[e.Text]] = true
	}
	for at := range direct {
		for _, e := range t.Deps {
			if through := v.position[e.Text]; v.graph.before[through].has(at) {
				reached[at] = through
				break
			}
		}
	}
	return reached
}

// collisions checks that tasks sharing a file are ordered; one finding a pair and file.
func (v *validator) collisions() {
	holders := v.holders()
	for i, t := range v.plan.Tasks {
		seen := make(map[string]bool, len(t.Paths))
		for _, e := range t.Paths {
			key := samePath(e.Text)
			if seen[key] {
				continue
			}
			seen[key] = true
			for _, other := range holders[key] {
				if other >= i || len(v.found) > maxFindings {
					break
				}
				if !v.graph.ordered(i, other) {
					v.task(i, e.Pos, "collision", "let one depend on the other, or give the file to one of them",
						"%s and %s both change %s and neither comes first", v.plan.Tasks[other].ID, t.ID, e.Text)
				}
			}
		}
	}
}

// holders maps each path to the tasks whose Files list it, in plan order.
func (v *validator) holders() map[string][]int {
	m := make(map[string][]int)
	for i, t := range v.plan.Tasks {
		for _, e := range t.Paths {
			key := samePath(e.Text)
			if h := m[key]; len(h) == 0 || h[len(h)-1] != i {
				m[key] = append(h, i)
			}
		}
	}
	return m
}

// contractFiles checks where contracts are declared and that their users come after their writers.
func (v *validator) contractFiles() {
	holders := v.holders()
	users := make(map[string][]int)
	for i, t := range v.plan.Tasks {
		for _, e := range t.UsesIDs {
			if u := users[e.Text]; len(u) == 0 || u[len(u)-1] != i {
				users[e.Text] = append(u, i)
			}
		}
	}
	for _, c := range v.plan.Contracts {
		writers := v.declared(c, holders, users[c.ID])
		if !v.Frozen {
			v.usersAfterWriters(c, users[c.ID], writers)
		}
	}
}

// declared checks the paths of one contract and returns its writers: holders that use it.
func (v *validator) declared(c *Contract, holders map[string][]int, users []int) []int {
	var writers []int
	uses := make(map[int]bool, len(users))
	for _, u := range users {
		uses[u] = true
	}
	for _, e := range c.Paths {
		if problem, remedy := badPath(e.Text); problem != "" && !strings.Contains(problem, "quoting") {
			v.add(e.Pos, "contract-file", c.ID, remedy, "contract %s: File entry %q %s", c.ID, e.Text, problem)
			continue
		}
		held := holders[samePath(e.Text)]
		if len(held) == 0 {
			if !v.InTree(e.Text) {
				v.add(e.Pos, "contract-file", c.ID, "add it to a task's Files, or name a file that exists",
					"contract %s: no task holds File %s and the tree does not have it", c.ID, e.Text)
			}
			continue
		}
		own := slices.DeleteFunc(slices.Clone(held), func(i int) bool { return !uses[i] })
		if len(own) == 0 {
			v.add(e.Pos, "contract-file", c.ID, "add the contract to Uses of one of them",
				"contract %s: File %s is held by %s, none of which names it in Uses", c.ID, e.Text, v.names(held))
		}
		writers = append(writers, own...)
	}
	slices.Sort(writers)
	return slices.Compact(writers)
}

func (v *validator) usersAfterWriters(c *Contract, users, writers []int) {
	for _, u := range users {
		for _, w := range writers {
			if w >= u || len(v.found) > maxFindings {
				break
			}
			if !v.graph.before[u].has(w) {
				t := v.plan.Tasks[u]
				v.task(u, t.DependsOn.Pos, "contract-order", "add "+v.plan.Tasks[w].ID+" to its Depends-on",
					"it uses contract %s, which %s writes, without depending on it (Depends-on)", c.ID, v.plan.Tasks[w].ID)
			}
		}
	}
}

func (v *validator) names(tasks []int) string {
	ids := make([]string, len(tasks))
	for i, t := range tasks {
		ids[i] = v.plan.Tasks[t].ID
	}
	return strings.Join(ids, ", ")
}
