package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseAssignments reads KEY=VALUE words into a merge patch. KEY may be dotted; VALUE is JSON, or else a text; null removes.
func ParseAssignments(words []string) (Tree, error) {
	patch := Tree{}
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not KEY=VALUE", w)
		}
		var at map[string]any = patch
		parts := strings.Split(key, ".")
		for _, p := range parts[:len(parts)-1] {
			next, is := at[p].(map[string]any)
			if !is {
				next = map[string]any{}
				at[p] = next
			}
			at = next
		}
		at[parts[len(parts)-1]] = plainValue(value)
	}
	return patch, nil
}

func plainValue(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return text
	}
	return v
}

// ParsePatch reads a JSON merge patch (RFC 7396).
func ParsePatch(data []byte) (Tree, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var patch Tree
	if err := d.Decode(&patch); err != nil || patch == nil {
		return nil, fmt.Errorf("the patch is not a JSON object: %w", orElse(err, errors.New("null")))
	}
	return patch, nil
}

// reserved are the fields that have commands of their own.
func reserved() []string { return []string{"version", "updatedAt", "lastAnswer", "circuitBreaker"} }

// Merge applies a merge patch to the state.
func (f StateFile) Merge(want int64, patch Tree) (RunState, error) {
	for _, name := range reserved() {
		if _, there := patch[name]; there {
			return RunState{}, fmt.Errorf("%s is not set by hand; it has a command of its own", name)
		}
	}
	return f.Swap(want, func(_ RunState, tree Tree) error {
		merge(tree, patch)
		return nil
	})
}

func merge(into, patch map[string]any) {
	for k, v := range patch {
		child, isObject := v.(map[string]any)
		switch {
		case v == nil:
			delete(into, k)
		case isObject:
			old, is := into[k].(map[string]any)
			if !is {
				old = map[string]any{}
			}
			merge(old, child)
			into[k] = old
		default:
			into[k] = v
		}
	}
}

// At returns the value a JSON pointer names in the tree.
func (t Tree) At(pointer string) (any, error) {
	var at any = map[string]any(t)
	if pointer == "" || pointer == "/" {
		return at, nil
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		switch x := at.(type) {
		case map[string]any:
			v, there := x[part]
			if !there {
				return nil, fmt.Errorf("there is no %s", pointer)
			}
			at = v
		case []any:
			i, err := strconv.Atoi(part)
			if i < 0 {
				i += len(x)
			}
			if err != nil || i < 0 || i >= len(x) {
				return nil, fmt.Errorf("there is no %s", pointer)
			}
			at = x[i]
		default:
			return nil, fmt.Errorf("there is no %s", pointer)
		}
	}
	return at, nil
}

// Ask parks the run on a question.
func (f StateFile) Ask(want int64, q Question) (RunState, error) {
	if err := q.check(); err != nil {
		return RunState{}, err
	}
	return f.Swap(want, func(s RunState, tree Tree) error {
		if s.PendingQuestion != nil && s.PendingQuestion.ID != q.ID {
			return fmt.Errorf("the run waits for question %s already", s.PendingQuestion.ID)
		}
		tree["waitingFor"], tree["status"] = "question", "waiting"
		delete(tree, "pendingQuestion")
		return tree.put("pendingQuestion", q)
	})
}

func (q Question) check() error {
	switch {
	case q.ID == "" || q.Text == "":
		return errors.New("a question needs an id and a text")
	case q.Kind != "free" && len(q.Options) == 0:
		return fmt.Errorf("a %s question needs options", q.Kind)
	}
	seen := map[string]bool{}
	for _, o := range q.Options {
		if o.ID == "" || strings.ContainsAny(o.ID, ", \t\n") || seen[o.ID] {
			return fmt.Errorf("option id %q is empty, holds a comma or blank, or stands twice", o.ID)
		}
		seen[o.ID] = true
	}
	return nil
}

// Reply is an answer as it was given: option ids separated by commas, or the text of a free question. Question, when not
// empty, must be the id of the question that waits.
type Reply struct {
	Question, Answer string
}

// Choose checks a reply against the question that waits and returns the answer to record.
func (s RunState) Choose(r Reply) (Answer, error) {
	q := s.PendingQuestion
	switch {
	case q == nil:
		return Answer{}, errors.New("the run waits for no answer")
	case r.Question != "" && r.Question != q.ID:
		return Answer{}, &MovedError{Want: s.Version, Have: s.Version}
	case q.Kind == "free":
		if strings.TrimSpace(r.Answer) == "" {
			return Answer{}, errors.New("the answer is empty")
		}
		return Answer{QuestionID: q.ID, OptionIDs: []string{}, Text: r.Answer}, nil
	}
	ids := []string{r.Answer}
	if q.Kind == "multi" {
		ids = strings.Split(r.Answer, ",")
	}
	for i, id := range ids {
		if !slices.ContainsFunc(q.Options, func(o Option) bool { return o.ID == id }) || slices.Index(ids, id) != i {
			return Answer{}, fmt.Errorf("%q is no answer to %s; choose %s", id, q.ID, q.choices())
		}
	}
	return Answer{QuestionID: q.ID, OptionIDs: ids}, nil
}

func (q Question) choices() string {
	var ids []string
	for _, o := range q.Options {
		ids = append(ids, o.ID)
	}
	word := "one of "
	if q.Kind == "multi" {
		word = "any of "
	}
	return word + strings.Join(ids, ", ")
}

// Answer records a reply to the question that waits and lets the run go on, in one swap. The state must still have the
// version that was read.
func (f StateFile) Answer(read RunState, r Reply) (RunState, error) {
	chosen, err := read.Choose(r)
	if err != nil {
		return RunState{}, err
	}
	chosen.At = f.stamp()
	return f.Swap(read.Version, func(s RunState, tree Tree) error {
		delete(tree, "pendingQuestion")
		delete(tree, "waitingFor")
		delete(tree, "lastAnswer")
		if s.Status == "waiting" {
			tree["status"] = "running"
			if s.Owner == nil || s.ownerGone() { // nobody is there to go on: the run can be resumed
				tree["status"] = "stopped"
			}
		}
		return tree.put("lastAnswer", chosen)
	})
}
