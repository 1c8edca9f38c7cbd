package cli

import (
	"strings"
	"sync"

	"github.com/urfave/cli/v2"
)

// rawFlags tells help and completion of the options that readRaw reads; nothing parses by them.
func rawFlags(options []string) []cli.Flag {
	var all []cli.Flag
	for _, option := range append(options, "json") {
		name, takesValue := strings.CutSuffix(option, "=")
		if usage := rawOption(option); takesValue {
			all = append(all, &cli.StringFlag{Name: name, Usage: usage})
		} else {
			all = append(all, &cli.BoolFlag{Name: name, Usage: usage})
		}
	}
	return all
}

// rawOption says what an option of the contract commands means; one name means the same in all of them. A name that is a
// switch in one and takes a value in others stands twice, once with its "=".
func rawOption(option string) string {
	meanings := rawMeanings()
	if usage, ok := meanings[option]; ok {
		return usage
	}
	return meanings[strings.TrimSuffix(option, "=")]
}

// rawMeanings is the table of rawOptions: the command tree asks for a hundred of them each time it is built.
var rawMeanings = sync.OnceValue(func() map[string]string {
	meanings := map[string]string{}
	for line := range strings.Lines(rawOptions) {
		option, usage, _ := strings.Cut(strings.TrimSpace(line), " ")
		meanings[option] = usage
	}
	return meanings
})

const rawOptions = `
advisory a ` + "`TEXT`" + ` of an advisory finding that the text must name; may come more than once
all finished runs too
answer the ` + "`ID`" + ` of the option that is chosen; several with commas where the question takes several
apply write the correction into the file
base the ` + "`BRANCH`" + ` it starts from, or is compared with
branch the new ` + "`BRANCH`" + `
cached ` + "`TOKENS`" + ` read from the cache
check the ` + "`FILE`" + ` of the scope check
claim what the log must show: ` + "`red`" + ` or green
confirm do exactly what the dry run with this ` + "`ID`" + ` showed
criteria the ` + "`FILE`" + ` of criteria the review answers
diff a patch ` + "`FILE`" + `, or the directory of a review
diff-files a ` + "`FILE`" + ` that lists the changed files, - for standard input
dir the ` + "`DIR`" + ` to use instead of the usual one
dry-run print what would be done, and its id
file the ` + "`PATH`" + ` of a file in the repository
finding the ` + "`FINGERPRINT`" + ` of a finding
findings the ` + "`FILE`" + ` of the others' findings
from-plan a ` + "`PLAN`" + ` whose tasks are checked
head the ` + "`COMMIT`" + ` the review was made of
id the ` + "`ID`" + ` it has in the list
if-stale only when the state is newer than what was written last
if-version only when the state still has version ` + "`N`" + `
in ` + "`TOKENS`" + ` that went in
in-place write the result into the files
issue what is wrong, in a ` + "`TEXT`" + `
json print JSON
keep leave the work tree where it is
kind the ` + "`KIND`" + ` of it
limit at most ` + "`N`" + `
local bring the commits into the local branch only
make print the size alone
max-age a lock older than ` + "`TIME`" + ` (30m, 2h) may be taken over
merge a ` + "`FILE`" + ` with a JSON merge patch, - for standard input
model the ` + "`MODEL`" + ` that was asked
option an answer as ` + "`ID=TEXT`" + `; comes once for each
out ` + "`TOKENS`" + ` that came out
outcome ` + "`useful`" + `, dead_end or corrected
output the ` + "`FILE`" + ` that gets the result
owner ` + "`WHO`" + ` holds the lock
part print the part ` + "`N`" + ` of it
parts what the reviewers look for, as ` + "`A,B`" + `
patch a diff in a ` + "`FILE`" + `
patch-range the changes of the commits ` + "`A...B`" + `
path the ` + "`PATH`" + ` of a file; may come more than once
pid the lock ends with the process ` + "`PID`" + `
plan the ` + "`FILE`" + ` of the plan
previous the ` + "`FILE`" + ` of the round before
question only when it still waits on the question ` + "`ID`" + `
rebuttal wait for the answers of the round's rebuttal
ref the pull request, as #12 or another ` + "`REF`" + `
repo look into the repository at ` + "`DIR`" + `
reviewers-dir the ` + "`DIR`" + ` of the reviews
risk a ` + "`RISK`" + ` the text must speak of; may come more than once
run the ` + "`RUN`" + ` by its key, its end or #N
runs the runs alone, without the changes of the branch
scope what it is about: a ` + "`FILE`" + ` of the scope, or a glob of paths
seconds wait at most ` + "`N`" + ` seconds
since only what is newer than ` + "`TIME`" + `
spec the ` + "`FILE`" + ` of the specification
state a state ` + "`FILE`" + ` instead of a run
statement the ` + "`TEXT`" + ` to remember
step the ` + "`STEP`" + ` that asks
summary the ` + "`FILE`" + ` of the plan's summary
task the ` + "`TASK`" + ` it came from
text the question's ` + "`TEXT`" + `
tiers the model tiers, lowest first, as ` + "`A,B,C`" + `
triage wait for the triage after that
triage= the ` + "`FILE`" + ` of the triage
yes do it without a question; refused for coding agents
`
