package find

import (
	"image"
	"io"

	"haarlem/internal/jsonout"
)

// jsonReporter writes an object a picture: one a line, or as one array.
type jsonReporter struct {
	w     io.Writer
	array bool
	list  *jsonout.Array // once begun, if it is to be one
}

func (j *jsonReporter) begin() (err error) {
	if j.array {
		j.list, err = jsonout.NewArray(j.w)
	}
	return err
}

func (j *jsonReporter) picture(r *result) error {
	p := jsonout.Of(r.name, image.Pt(r.width, r.height), r.took, r.object, r.faces)
	for i, name := range r.objects {
		p.Faces[i].Object = name
	}
	if !j.array {
		return jsonout.WriteLine(j.w, p)
	}
	return j.list.Add(p)
}

func (j *jsonReporter) end(int, int) error {
	if !j.array {
		return nil
	}
	return j.list.End()
}
