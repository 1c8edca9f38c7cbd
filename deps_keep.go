//go:build depskeep

package main

import (
	_ "aead.dev/minisign"
	_ "github.com/AlecAivazis/survey/v2"
	_ "github.com/BurntSushi/toml"
	_ "github.com/Masterminds/semver/v3"
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/bluekeyes/go-gitdiff/gitdiff"
	_ "github.com/bmatcuk/doublestar/v4"
	_ "github.com/gofrs/flock"
	_ "github.com/google/jsonschema-go/jsonschema"
	_ "github.com/google/renameio/v2"
	_ "github.com/hashicorp/go-getter/v2"
	_ "github.com/natefinch/atomic"
	_ "github.com/sourcegraph/go-diff/diff"
	_ "github.com/tailscale/hujson"
	_ "github.com/zalando/go-keyring"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/cpu"
	_ "golang.org/x/text/unicode/norm"
	_ "gopkg.in/yaml.v3"
	_ "mvdan.cc/sh/v3/syntax"
)
