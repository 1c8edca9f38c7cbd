package host

import (
	"fmt"
	"net/url"
	"slices"
	"sort"

	"viber/install/settings"
)

// Finding is something in a settings file that the client reads in another way than its author thinks.
type Finding struct {
	Path         string
	Line, Column int
	Problem      string
	WayOut       string
	WholeFile    bool // the client ignores the whole file for it
	Unsure       bool // a client newer than the known ones may take it
	HooksOff     bool // it switches all hooks off
}

// String returns path:line:column: problem; way out.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", f.Path, f.Line, f.Column, f.Problem, f.WayOut)
}

// Findings tells what Claude Code would silently ignore in the file, worst first. Text that it cannot read at all is a
// refusal of settings.Parse already.
func (c Claude) Findings(f *settings.File) []Finding {
	r := reader{client: c, path: f.Path}
	root := f.Root()
	r.keys(root)
	if off, ok := root.Get("disableAllHooks"); ok && off.True() {
		r.note(off, "disableAllHooks is true: no hook of any file runs, those of the user included",
			"remove the key to let hooks run")
		r.found[len(r.found)-1].HooksOff = true
	}
	if hooks, ok := root.Get("hooks"); ok {
		for _, event := range hooks.Children() {
			r.event(event)
		}
	}
	sort.SliceStable(r.found, func(i, j int) bool { return r.found[i].WholeFile && !r.found[j].WholeFile })
	return r.found
}

type reader struct {
	client Claude
	path   string
	found  []Finding
}

func (r *reader) note(at settings.Node, problem, wayOut string) {
	line, column := at.Position()
	r.found = append(r.found, Finding{Path: r.path, Line: line, Column: column, Problem: problem, WayOut: wayOut})
}

func (r *reader) event(event settings.Node) {
	if !r.client.Knows(event.Name) {
		r.unknownEvent(event)
		return
	}
	for _, group := range event.Children() {
		r.group(event.Name, group)
	}
}

// unknownEvent: the client drops it alone since 2.1.101, and the whole file before.
func (r *reader) unknownEvent(event settings.Node) {
	whole := r.client.Version.Known() && !r.client.Version.AtLeast(Version{2, 1, 101})
	what := fmt.Sprintf("Claude Code %s does not know the event %q and drops it", r.client.Version, event.Name)
	if whole {
		what = fmt.Sprintf("Claude Code %s does not know the event %q and ignores this whole file", r.client.Version, event.Name)
	}
	if !r.client.Version.Known() && eventSince(event.Name) != eventSince("") {
		return
	}
	r.note(event, what, "check its spelling")
	r.found[len(r.found)-1].WholeFile = whole
}

func (r *reader) group(event string, group settings.Node) {
	handlers, ok := group.Get("hooks")
	switch matcher, has := group.Get("matcher"); {
	case group.Kind() != "an object":
		r.malformed(event, group, "a group of hooks must be an object, not "+group.Kind())
	case !ok:
		r.malformed(event, group, `a group needs a list "hooks"; a handler stands where a group belongs`)
	case handlers.Kind() != "a list":
		r.malformed(event, handlers, `"hooks" of a group must be a list, not `+handlers.Kind())
	case has && matcher.Kind() != "a string":
		r.malformed(event, matcher, `"matcher" must be a string, not `+matcher.Kind())
	default:
		for _, h := range handlers.Children() {
			if at, fault := handlerFault(h); fault != "" {
				r.malformed(event, at, fault)
			}
		}
	}
}

// malformed: for the two events that may guard permissions, one bad entry costs the whole file.
func (r *reader) malformed(event string, at settings.Node, fault string) {
	guards := event == "PreToolUse" || event == "PermissionRequest"
	consequence := "Claude Code drops this entry"
	if guards {
		consequence = "Claude Code ignores this whole file, its permissions and env included"
	}
	r.note(at, fmt.Sprintf("%s: %s; %s", event, fault, consequence), "correct the entry or remove it")
	r.found[len(r.found)-1].WholeFile = guards
}

// handlerFault says what is wrong with one hook handler, empty when nothing is.
func handlerFault(h settings.Node) (settings.Node, string) {
	if h.Kind() != "an object" {
		return h, "a hook must be an object, not " + h.Kind()
	}
	kind, ok := h.Get("type")
	if !ok {
		return h, `a hook needs a "type"`
	}
	needs := required(kind.Text())
	if needs == nil {
		return kind, fmt.Sprintf("the hook type %q is unknown", kind.Text())
	}
	for _, key := range needs {
		value, ok := h.Get(key)
		if !ok {
			return h, fmt.Sprintf("a hook of type %s needs %q", kind.Text(), key)
		}
		if value.Kind() != "a string" {
			return value, fmt.Sprintf("%q must be a string, not %s", key, value.Kind())
		}
	}
	for _, field := range h.Children() {
		if fault := fieldFault(kind.Text(), field); fault != "" {
			return field, fault
		}
	}
	return h, ""
}

// required lists the strings a handler of the type cannot do without; nil for an unknown type.
func required(kind string) []string {
	switch kind {
	case "command":
		return []string{"command"}
	case "http":
		return []string{"url"}
	case "mcp_tool":
		return []string{"server", "tool"}
	case "prompt", "agent":
		return []string{"prompt"}
	}
	return nil
}

// fieldFault says what is wrong with one field of a handler; fields its type does not have are passed over.
func fieldFault(handler string, field settings.Node) string {
	if want := fieldKind(handler, field.Name); want == "" {
		return ""
	} else if field.Kind() != want {
		return fmt.Sprintf("%q must be %s, not %s", field.Name, want, field.Kind())
	}
	notString := func(n settings.Node) bool { return n.Kind() != "a string" }
	switch text := field.Text(); {
	case field.Name == "timeout" && !field.Above():
		return `"timeout" must be above 0`
	case field.Name == "url" && !isURL(text):
		return fmt.Sprintf(`"url" must be a URL, not %q`, text)
	case field.Name == "args" && slices.ContainsFunc(field.Children(), notString):
		return `"args" must hold strings only`
	case field.Name == "onFailure" && text != "continue" && text != "block":
		return fmt.Sprintf(`"onFailure" must be "continue" or "block", not %q`, text)
	case field.Name == "shell" && text != "bash" && text != "powershell":
		return fmt.Sprintf(`"shell" must be "bash" or "powershell", not %q`, text)
	}
	return ""
}

// fieldKind returns the type a field of a handler must have, empty for one the handler does not have.
func fieldKind(handler, field string) string {
	switch field {
	case "timeout":
		return "a number"
	case "if", "statusMessage":
		return "a string"
	case "once":
		return "a boolean"
	case "url":
		if handler == "http" {
			return "a string"
		}
	case "onFailure":
		if handler == "command" || handler == "http" {
			return "a string"
		}
	}
	if handler != "command" {
		return ""
	}
	switch field {
	case "args":
		return "a list"
	case "async", "asyncRewake":
		return "a boolean"
	case "shell":
		return "a string"
	}
	return ""
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "")
}

// Read parses a settings file and refuses it (exit code 3) as well where the client would ignore it whole for something
// in it: nothing viber writes there would count.
func (c Claude) Read(path string, text []byte) (*settings.File, []Finding, error) {
	f, err := settings.Parse(path, text)
	if err != nil {
		return nil, nil, err
	}
	found := c.Findings(f)
	for _, bad := range found {
		if bad.WholeFile && !bad.Unsure {
			return nil, nil, &settings.Refusal{Path: path, Line: bad.Line, Column: bad.Column, Cause: bad.Problem, WayOut: bad.WayOut}
		}
	}
	return f, found, nil
}
