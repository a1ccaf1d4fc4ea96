package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/jsonout"
	"haarlem/internal/obscure"
	"haarlem/landmarks"
	"haarlem/picture"
)

// found is what was found in one picture.
type found struct {
	name   string
	image  image.Image
	object cascade.Object
	took   time.Duration
	faces  []detector.Detection
}

// json is what jsonout says about a picture.
func (f *found) json() jsonout.Picture {
	return jsonout.Of(f.name, f.image.Bounds().Size(), f.took, f.object, f.faces)
}

// A form is a kind of answer.
type form struct {
	kind  string // its media type
	drawn bool   // it is a picture
	for1  bool   // it is for one picture
	forN  bool   // it is for several pictures
	write func(*found, *query) ([]byte, error)
}

// forms are the kinds of answers. The first one that fits is taken where a client
// takes any.
var forms = []*form{
	{kind: "application/json", for1: true, write: writeJSON},
	{kind: "application/x-ndjson", for1: true, forN: true, write: writeLine},
	{kind: "text/csv", for1: true, write: writeCSV},
	{kind: "image/jpeg", for1: true, drawn: true, write: writeJPEG},
	{kind: "image/png", for1: true, drawn: true, write: func(f *found, q *query) ([]byte, error) {
		var b bytes.Buffer
		err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, drawn(f, q))
		return b.Bytes(), err
	}},
	{kind: mixedReplace, forN: true, drawn: true, write: writeJPEG},
}

// mixedReplace is what cameras send and browsers show in place of a picture: pictures
// one after another, as the parts of a body.
const mixedReplace = "multipart/x-mixed-replace"

// answerBoundary separates the parts of an answer.
const answerBoundary = "haarlem-picture"

// header is the Content-Type of an answer.
func (f *form) header() string {
	if f.kind == mixedReplace {
		return f.kind + ";boundary=" + answerBoundary
	}
	return f.kind
}

// piece is the answer for one of several pictures: a line, or a part with a picture or
// with a line that says what is wrong with it.
func (f *form) piece(data []byte, wrong bool) []byte {
	if f.kind != mixedReplace {
		return data
	}
	kind := "image/jpeg"
	if wrong {
		kind = "application/json"
	}
	part := fmt.Appendf(nil, "--%s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", answerBoundary, kind, len(data))
	return append(append(part, data...), "\r\n"...)
}

// end is what follows the last of several pictures.
func (f *form) end() string {
	if f.kind != mixedReplace {
		return ""
	}
	return "--" + answerBoundary + "--\r\n"
}

func writeJPEG(f *found, q *query) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, drawn(f, q), &jpeg.Options{Quality: 90})
	return b.Bytes(), err
}

// chooseForm returns the answer that the header Accept prefers: of those with the
// largest q the first in forms. No header takes anything.
func chooseForm(accept []string, several bool) (*form, error) {
	var best *form
	quality := 0.0
	var kinds []string
	for _, f := range forms {
		if several && !f.forN || !several && !f.for1 {
			continue
		}
		kinds = append(kinds, f.kind)
		if q := accepted(accept, f.kind); q > quality {
			best, quality = f, q
		}
	}
	if best == nil {
		return nil, &failure{http.StatusNotAcceptable, "accept", "the header Accept takes none of the answers that there are: " + strings.Join(kinds, ", ")}
	}
	return best, nil
}

// accepted returns the q of the most specific range that fits a kind.
func accepted(accept []string, kind string) float64 {
	if len(accept) == 0 {
		return 1
	}
	group, _, _ := strings.Cut(kind, "/")
	quality, specific := 0.0, 0
	for _, line := range accept {
		for _, part := range strings.Split(line, ",") {
			name, parameters, err := mime.ParseMediaType(part)
			if err != nil {
				continue
			}
			fits := map[string]int{"*/*": 1, group + "/*": 2, kind: 3}[name]
			if fits <= specific {
				continue
			}
			q, err := strconv.ParseFloat(parameters["q"], 64)
			if err != nil || !(q >= 0 && q <= 1) {
				q = 1
			}
			quality, specific = q, fits
		}
	}
	return quality
}

func writeJSON(f *found, _ *query) ([]byte, error) {
	var b bytes.Buffer
	list, err := jsonout.NewArray(&b)
	if err != nil {
		return nil, err
	}
	if err := list.Add(f.json()); err != nil {
		return nil, err
	}
	err = list.End()
	return b.Bytes(), err
}

func writeLine(f *found, _ *query) ([]byte, error) {
	line, err := json.Marshal(f.json())
	return append(line, '\n'), err
}

func writeCSV(f *found, q *query) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	columns := jsonout.Columns{Angles: q.rotated()}
	if q.points != nil {
		columns.Points = len(q.points.Mean)
	}
	_ = w.Write(columns.Heading()) // into memory
	for _, face := range f.json().Faces {
		_ = w.Write(columns.Line(f.name, &face))
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// What is drawn into a picture that is an answer.
const (
	drawNothing  = ""
	drawBoxes    = "boxes"
	drawBlur     = "blur"
	drawPixelate = "pixelate"
)

// drawn returns the picture with what the option draw asks for.
func drawn(f *found, q *query) *image.RGBA {
	if q.hides() {
		boxes := make([]image.Rectangle, len(f.faces))
		for i := range boxes {
			boxes[i] = f.faces[i].Box
		}
		switch {
		case q.solid:
			all := obscure.Copy(f.image)
			picture.Cover(all, boxes, q.margin)
			return all
		case q.draw == drawBlur:
			return picture.Blur(f.image, boxes, q.margin)
		}
		return picture.Pixelate(f.image, boxes, q.margin)
	}
	marks := make([]picture.Mark, len(f.faces))
	for i, face := range f.faces {
		marks[i] = picture.Mark{Box: face.Box, Label: strconv.FormatFloat(face.Score, 'f', 2, 64)}
	}
	img := picture.Annotate(f.image, marks)
	for _, face := range f.faces {
		landmarks.Draw(img, face.Points, face.Box.Dx())
	}
	return img
}
