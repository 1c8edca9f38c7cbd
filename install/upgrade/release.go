package upgrade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/Masterminds/semver/v3"

	"viber/internal/exit"
	"viber/internal/fsx"
)

// release is one release for this system, and how to get its files.
type release struct {
	version *semver.Version
	// get puts the file called name into the new file dst.
	get func(ctx context.Context, name, dst string, limit int64) error
}

// release finds the release that was asked for: the archive of --from, or the newest one the constraint allows.
func (u *upgrader) release(ctx context.Context) (release, error) {
	if u.From != "" {
		return u.releaseFrom()
	}
	source := Source{URL: u.Source, Client: NewClient(u.Source)}
	version, err := source.Newest(ctx, u.Constraint)
	if err != nil {
		return release{}, err
	}
	fetch := Fetcher{Client: source.Client, Progress: u.progress()}
	return release{version: version, get: func(ctx context.Context, name, dst string, limit int64) error {
		return fetch.Get(ctx, source.AssetURL(version.String(), name), dst, limit)
	}}, nil
}

// releaseFrom reads --from: an archive with its checksums and signatures beside it, on this machine or at an https address.
func (u *upgrader) releaseFrom() (release, error) {
	base := u.From[strings.LastIndexAny(u.From, `/\`)+1:]
	version, err := archiveVersion(base)
	if err != nil {
		return release{}, err
	}
	beside := strings.TrimSuffix(u.From, base)
	r := release{version: version}
	if strings.HasPrefix(u.From, "https://") {
		fetch := Fetcher{Client: NewClient(u.From), Progress: u.progress()}
		r.get = func(ctx context.Context, name, dst string, limit int64) error {
			return fetch.Get(ctx, beside+name, dst, limit)
		}
		return r, nil
	}
	if strings.Contains(u.From, "://") {
		return release{}, exit.With(exit.Usage, fmt.Errorf("--from %s: a file or an https address is needed", u.From))
	}
	if !filepath.IsAbs(u.From) {
		beside = filepath.Join(u.Env.Dir, beside)
	}
	r.get = func(_ context.Context, name, dst string, limit int64) error {
		return u.copyBounded(filepath.Join(beside, name), dst, limit)
	}
	return r, nil
}

// archiveVersion reads the version from the archive's name and checks that it is one for this system.
func archiveVersion(base string) (*semver.Version, error) {
	m := regexp.MustCompile(`^viber_(.+)_([a-z]+)_([a-z0-9]+)\.(?:tar\.gz|zip)$`).FindStringSubmatch(base)
	if m == nil {
		return nil, exit.With(exit.Usage, fmt.Errorf("--from %s: not the name of a release archive, such as %s", base, Name("1.2.3", runtime.GOOS, runtime.GOARCH)))
	}
	version, err := semver.StrictNewVersion(m[1])
	if err != nil || base != Name(m[1], runtime.GOOS, runtime.GOARCH) {
		return nil, exit.With(exit.Refused, fmt.Errorf("--from %s: is not for this system; take viber_<version>_%s_%s", base, runtime.GOOS, runtime.GOARCH))
	}
	return version, nil
}

func (u *upgrader) copyBounded(from, to string, limit int64) error {
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: not there; an archive needs its checksums and their signatures beside it", from)
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() > limit:
		return fmt.Errorf("%s: not a file of a release (at most %d MB)", from, limit>>20)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return u.Env.Files.Write(to, data, fsx.Options{Mode: 0o600})
}

// prepare fetches the release's files into a folder beside the target, proves them, and leaves the new binary there, tried
// but not yet in its place. clean removes the folder.
func (u *upgrader) prepare(ctx context.Context, r release) (next string, clean func(), err error) {
	keys, err := u.keys()
	if err != nil {
		return "", nil, err
	}
	dir := u.swap.staging()
	if err := u.Env.Files.MkdirAll(dir, 0o700); err != nil {
		return "", nil, exit.With(exit.Refused, fmt.Errorf("%s cannot be replaced: %w; run the upgrade as the owner of that folder, or install viber in a folder of yours", u.target, err))
	}
	clean = func() { _ = u.Env.Files.RemoveAll(dir) }
	next = filepath.Join(dir, filepath.Base(u.target))
	if err = u.fill(ctx, r, keys, dir, next); err != nil {
		clean()
	}
	return next, clean, err
}

func (u *upgrader) fill(ctx context.Context, r release, keys Keys, dir, next string) error {
	program, err := fetchProgram(ctx, r, keys, dir)
	if err != nil {
		return exit.With(exit.Refused, err)
	}
	if err := u.Env.Files.Write(next, program, fsx.Options{Mode: 0o755}); err != nil {
		return err
	}
	if err := Probe(ctx, next, r.version.String(), u.childEnv()); err != nil {
		return exit.With(exit.Refused, err)
	}
	return nil
}

// fetchProgram gets the archive, its signature, the signed checksums, and returns the program when all of them hold.
func fetchProgram(ctx context.Context, r release, keys Keys, dir string) ([]byte, error) {
	version := r.version.String()
	archive, sums := Name(version, runtime.GOOS, runtime.GOARCH), ChecksumsName(version)
	files := map[string][]byte{}
	for _, f := range []struct {
		name  string
		limit int64
	}{{sums, textLimit}, {sums + ".minisig", textLimit}, {archive + ".minisig", textLimit}, {archive, archiveLimit}} {
		dst := filepath.Join(dir, f.name)
		if err := r.get(ctx, f.name, dst, f.limit); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(dst)
		if err != nil {
			return nil, err
		}
		files[f.name] = data
	}
	if err := keys.Verify(files[sums], files[sums+".minisig"], version, sums); err != nil {
		return nil, err
	}
	if err := CheckSum(files[sums], files[archive], archive); err != nil {
		return nil, err
	}
	if err := keys.Verify(files[archive], files[archive+".minisig"], version, archive); err != nil {
		return nil, err
	}
	return Program(archive, files[archive], runtime.GOOS)
}

func (u *upgrader) keys() (Keys, error) {
	text := u.Keys
	if u.KeyFile != "" {
		data, err := os.ReadFile(u.KeyFile)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	keys, err := ParseKeys(text)
	if err == nil && len(keys) == 0 {
		err = exit.With(exit.Refused, errors.New("this build knows no signing key, so nothing can be verified; name one with --key FILE"))
	}
	return keys, err
}

func (u *upgrader) progress() func(name string, done, total int64) {
	if !u.Env.Streams.Progress() {
		return nil
	}
	last := int64(-1)
	return func(name string, done, total int64) {
		if step := done >> 18; step != last || done == total {
			last = step
			fmt.Fprintf(u.Env.Streams.Err, "\r%s %.1f of %.1f MB ", name, float64(done)/(1<<20), float64(total)/(1<<20))
			if done == total {
				fmt.Fprint(u.Env.Streams.Err, "\r\x1b[K")
			}
		}
	}
}
