package main

import (
	"image"
	"io"

	"haarlem/cascade"
	"haarlem/report"
)

// What programs get is described in package report.
type (
	jsonPicture = report.Picture
	jsonFace    = report.Face
)

func newJSONFace(f cascade.Detection) jsonFace { return report.FaceOf(f) }

// jsonReporter writes an object a picture: one a line, or as one array.
type jsonReporter struct {
	w     io.Writer
	array bool
	list  *report.Array // once begun, if it is to be one
}

func (j *jsonReporter) begin() (err error) {
	if j.array {
		j.list, err = report.NewArray(j.w)
	}
	return err
}

func (j *jsonReporter) picture(r *result) error {
	p := report.Of(r.name, image.Pt(r.width, r.height), r.took, r.object, r.faces)
	if !j.array {
		return report.WriteLine(j.w, p)
	}
	return j.list.Add(p)
}

func (j *jsonReporter) end(int, int) error {
	if !j.array {
		return nil
	}
	return j.list.End()
}

// roundScore leaves out the digits that float32 sums do not have.
func roundScore(s float64) float64 { return report.RoundScore(s) }
