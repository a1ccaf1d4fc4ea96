package measuring

import (
	"encoding/csv"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"haarlem/internal/app/output"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
)

const (
	errorColumns = 16
	errorRows    = 12
	errorCell    = 88
	worstShown   = 6
)

// drawMisses writes images of each contender's errors to a folder: sheets of
// misses and of false positives, a list of both in the sheets' order, and the
// photographs with most errors.
func drawMisses(set *eval.Set, m eval.Matcher, alarms int, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("-misses: %w", err)
	}
	save := func(name string, img image.Image) error {
		return output.WritePNG(filepath.Join(folder, name), img)
	}
	for c, contender := range set.Contenders {
		e := set.Errors(c, m, alarms)
		name := FileName(contender.Name)
		for kind, crops := range map[string][]eval.Crop{"misses": e.Misses, "false-positives": e.FalsePositives} {
			const page = errorColumns * errorRows
			for i := 0; i < len(crops); i += page {
				sheet, err := set.Sheet(crops[i:min(i+page, len(crops))], errorColumns, errorCell)
				if err != nil {
					return err
				}
				if err := save(fmt.Sprintf("%s-%s-%d.png", name, kind, i/page+1), sheet); err != nil {
					return err
				}
			}
		}
		if err := writeErrors(set, e, filepath.Join(folder, name+"-errors.csv")); err != nil {
			return err
		}
		for i, p := range e.Worst[:min(worstShown, len(e.Worst))] {
			img, err := set.Draw(p, e)
			if err != nil {
				return err
			}
			if err := save(fmt.Sprintf("%s-worst-%d.png", name, i+1), img); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeErrors lists the errors in the order in which the sheets show them.
func writeErrors(set *eval.Set, e *eval.Errors, path string) error {
	return samples.WriteAtomically(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		c.Write([]string{"error", "file", "x", "y", "width", "height", "score"})
		for _, kind := range []struct {
			name  string
			crops []eval.Crop
		}{{"miss", e.Misses}, {"", e.FalsePositives}} {
			for _, v := range kind.crops {
				name, score := kind.name, ""
				if name == "" {
					name = v.Kind.String()
					score = strconv.FormatFloat(v.Rank, 'g', 6, 64)
				}
				c.Write([]string{
					name, set.Photos[v.Photo].File, strconv.Itoa(v.Box.Min.X), strconv.Itoa(v.Box.Min.Y),
					strconv.Itoa(v.Box.Dx()), strconv.Itoa(v.Box.Dy()), score,
				})
			}
		}
		c.Flush()
		return c.Error()
	})
}
