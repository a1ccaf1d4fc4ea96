package find

import (
	"bytes"
	"fmt"
	"io"

	"haarlem/cascade"
	"haarlem/internal/app/console"
)

// textReporter writes for people.
type textReporter struct {
	w        io.Writer
	pictures int
	object   cascade.Object
}

func (t *textReporter) begin() error { return nil }

func (t *textReporter) picture(r *result) error {
	t.pictures++
	t.object = r.object
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %dx%d, %s, %.1f ms\n", console.Printable(r.name), r.width, r.height, console.CountObjects(len(r.faces), r.object), float64(r.took.Microseconds())/1e3)
	for i, f := range r.faces {
		size := fmt.Sprintf("%dx%d", f.Box.Dx(), f.Box.Dy())
		fmt.Fprintf(&b, "  at %5d,%-5d  %-11s  score %8s  neighbors %d", f.Box.Min.X, f.Box.Min.Y, size, console.Score(f.Score), f.Neighbors)
		if f.Angle != 0 {
			fmt.Fprintf(&b, "  angle %.0f", f.Angle)
		}
		if r.objects != nil {
			fmt.Fprintf(&b, "  %s", r.objects[i])
		}
		b.WriteByte('\n')
	}
	_, err := t.w.Write(b.Bytes())
	return err
}

func (t *textReporter) end(pictures, faces int) error {
	if t.pictures < 2 {
		return nil
	}
	_, err := fmt.Fprintf(t.w, "%s in %s\n", console.CountObjects(faces, t.object), console.Count(pictures, "picture"))
	return err
}
