package schema

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkBlock is what `viber config` costs beside the start of the process.
func BenchmarkBlock(b *testing.B) {
	root := b.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".claude"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(Path(root), []byte(Template(Newest)), 0o644); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		ReadFor(Root(root), root).Block()
	}
}
