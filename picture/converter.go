package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Converter is a program of this machine that makes PNG files of HEIC and AVIF
// pictures, which phones take and which are not decoded here.
type Converter struct {
	// Program is the file of the program.
	Program string

	arguments func(in, out string) []string
}

// converters are the programs that are looked for, the best first. Of ffmpeg some
// versions take one tile of a HEIC picture for all of it.
var converters = []struct {
	name      string
	arguments func(in, out string) []string
}{
	{"heif-dec", func(in, out string) []string { return []string{in, out} }},     // libheif from 1.18 on
	{"heif-convert", func(in, out string) []string { return []string{in, out} }}, // before
	{"sips", func(in, out string) []string { return []string{"-s", "format", "png", in, "--out", out} }},
	{"magick", func(in, out string) []string { return []string{in + "[0]", "-auto-orient", out} }},
}

// FindConverter looks for a program on the PATH. It returns nil if there is none.
func FindConverter() *Converter {
	for _, c := range converters {
		if program, err := exec.LookPath(c.name); err == nil {
			return &Converter{program, c.arguments}
		}
	}
	return nil
}

// Converts reports whether it is for pictures of that kind.
func (c *Converter) Converts(k Kind) bool { return c != nil && (k == heic || k == avif) }

// conversionTime is the longest that a conversion may take.
const conversionTime = time.Minute

// read converts a file and reads what comes out.
func (c *Converter) read(path string, o *Options) (*Picture, error) {
	folder, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	// The name is this program's, so that none is taken for an option or a format.
	in, out := filepath.Join(folder, "in.heic"), filepath.Join(folder, "out.png")
	if err := copyFile(in, path); err != nil {
		return nil, named(path, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), conversionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Program, c.arguments(in, out)...)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("it took longer than %v", conversionTime)
		} else if text := strings.TrimSpace(said.String()); text != "" {
			err = errors.New(clip(strings.ReplaceAll(text, folder+string(filepath.Separator), "")))
		}
		return nil, fmt.Errorf("%s: %w: %s: %w", path, ErrDamaged, c.Program, err)
	}
	f, err := os.Open(out)
	if errors.Is(err, os.ErrNotExist) { // of several pictures in a file the first
		f, err = os.Open(filepath.Join(folder, "out-1.png"))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s made no picture of it", path, ErrDamaged, c.Program)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, named(path, err)
	}
	p, err := decode(io.NewSectionReader(f, 0, info.Size()), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func copyFile(to, from string) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

// clip shortens what a program said.
func clip(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > 200 {
		text = text[:200] + "..."
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
