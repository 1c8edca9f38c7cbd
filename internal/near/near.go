// Package near finds the known word that a mistyped one most likely means.
package near

// Word returns the one of known that differs from name by the fewest mistakes, or nothing when none is near: one mistake is
// forgiven, in longer words one for every three letters. A mistake is a letter too many, missing, wrong, or exchanged with
// its neighbour.
func Word(name string, known []string) string {
	best, least := "", max(1, len(name)/3)+1
	for _, k := range known {
		if d := mistakes(name, k); d < least && d < len(k) {
			best, least = k, d
		}
	}
	return best
}

// mistakes counts the mistakes between a and b.
func mistakes(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j]+cost, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
