package samples

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A studioTask is one photograph in an export of Label Studio: JSON, or JSON-MIN,
// whose fields stand in the task itself.
type studioTask struct {
	Data        map[string]json.RawMessage `json:"data"`
	Annotations json.RawMessage            `json:"annotations"`
}

type studioAnnotation struct {
	Cancelled bool           `json:"was_cancelled"`
	Truth     bool           `json:"ground_truth"`
	Result    []studioResult `json:"result"`
}

type studioResult struct {
	ID     string      `json:"id"`
	Type   string      `json:"type"`
	From   string      `json:"from_name"`
	Width  float64     `json:"original_width"`
	Height float64     `json:"original_height"`
	Turned float64     `json:"image_rotation"`
	Value  studioValue `json:"value"`
}

// A studioValue holds places in per cent of the picture's width and height.
type studioValue struct {
	X          float64     `json:"x"`
	Y          float64     `json:"y"`
	W          float64     `json:"width"`
	H          float64     `json:"height"`
	Rotation   float64     `json:"rotation"`
	RadiusX    float64     `json:"radiusX"`
	RadiusY    float64     `json:"radiusY"`
	Points     [][]float64 `json:"points"`
	Rectangles []string    `json:"rectanglelabels"`
	Polygons   []string    `json:"polygonlabels"`
	Ellipses   []string    `json:"ellipselabels"`
	Labels     []string    `json:"labels"`
	Choices    []string    `json:"choices"`
	OwnWidth   float64     `json:"original_width"` // of JSON-MIN
	OwnHeight  float64     `json:"original_height"`
}

// studioShapes are the results with an area, by type.
var studioShapes = map[string]string{
	"rectanglelabels": "rectangle", "rectangle": "rectangle",
	"ellipselabels": "ellipse", "ellipse": "ellipse",
	"polygonlabels": "polygon", "polygon": "polygon",
}

// studioSizes returns the size of a picture by its name in an export.
type studioSizes func(name string) (image.Point, error)

// readLabelStudio reads tasks: an array of objects. Of several annotations of a
// task it takes the ground truth, or else the first that was not cancelled. A region
// may lack the size of its picture: sizeOf says it then.
func readLabelStudio(r io.Reader, file string, sizeOf studioSizes) ([]Photo, error) {
	d := json.NewDecoder(bufio.NewReaderSize(bound(r, maxJSONBytes), 1<<16))
	t, err := d.Token()
	if err != nil {
		return nil, jsonError(file, d, err)
	}
	if t != json.Delim('[') {
		return nil, at(file, 0, "%v, want [: this is not an export of Label Studio", t)
	}
	var g gather
	for i := 0; d.More(); i++ {
		if i == maxPhotos {
			return nil, at(file, 0, "more than %d tasks: %w", maxPhotos, ErrLimit)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, jsonError(file, d, err)
		}
		name, objects, err := studioPhoto(raw, sizeOf)
		if err == nil {
			if err = g.add(name, objects); err != nil {
				err = fmt.Errorf(": %w", err)
			}
		}
		if err != nil {
			return nil, at(file, 0, "[%d]%w", i, err)
		}
	}
	if _, err := d.Token(); err != nil { // the ]
		return nil, jsonError(file, d, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, at(file, 0, "something follows the last ]")
	}
	return g.photos, nil
}

// studioPhoto reads one task. Errors begin with the field.
func studioPhoto(raw json.RawMessage, sizeOf studioSizes) (name string, objects []Object, err error) {
	var t studioTask
	if err := studioDecode(raw, &t); err != nil {
		return "", nil, err
	}
	if t.Data == nil {
		return studioMin(raw, sizeOf)
	}
	if name = studioImage(t.Data); name == "" {
		return "", nil, errors.New(".data: no text that names a picture, want \"image\": \"...\"")
	}
	var all []studioAnnotation
	if t.Annotations == nil {
		return "", nil, errors.New(": no \"annotations\"; predictions are not read")
	}
	if err := studioDecode(t.Annotations, &all); err != nil {
		return "", nil, fmt.Errorf(".annotations%w", err)
	}
	chosen := -1
	for i, a := range all {
		if !a.Cancelled && (chosen < 0 || a.Truth && !all[chosen].Truth) {
			chosen = i
		}
	}
	if chosen < 0 {
		return name, nil, nil
	}
	if objects, err = studioObjects(all[chosen].Result, name, sizeOf); err != nil {
		err = fmt.Errorf(".annotations[%d].result%w", chosen, err)
	}
	return name, objects, err
}

// studioMin reads a task of JSON-MIN: of its fields that are arrays of places, the first
// by name is taken.
func studioMin(raw json.RawMessage, sizeOf studioSizes) (name string, objects []Object, err error) {
	var fields map[string]json.RawMessage
	if err := studioDecode(raw, &fields); err != nil {
		return "", nil, err
	}
	if name = studioImage(fields); name == "" {
		return "", nil, errors.New(": neither \"data\" nor a text that names a picture: this is not an export of Label Studio")
	}
	var found string
	var results []studioResult
	for key, raw := range fields {
		var values []studioValue
		if json.Unmarshal(raw, &values) != nil || len(values) == 0 {
			continue
		}
		var r []studioResult
		for _, v := range values {
			kind := ""
			switch {
			case v.Rectangles != nil || v.W > 0 && v.H > 0:
				kind = "rectangle"
			case v.Ellipses != nil || v.RadiusX > 0:
				kind = "ellipse"
			case len(v.Points) > 0:
				kind = "polygon"
			default:
				continue
			}
			r = append(r, studioResult{Type: kind, Width: v.OwnWidth, Height: v.OwnHeight, Value: v})
		}
		if r != nil && (results == nil || key < found) { // the first by name, not by chance
			found, results = key, r
		}
	}
	if objects, err = studioObjects(results, name, sizeOf); err != nil {
		err = fmt.Errorf(".%s%w", found, err)
	}
	return name, objects, err
}

// studioDecode decodes a value; the error begins with the field.
func studioDecode(raw json.RawMessage, to any) error {
	err := json.Unmarshal(raw, to)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf(".%s: a %s, want a %s", kind.Field, kind.Value, jsonKind(kind.Type))
	case errors.As(err, &kind):
		return fmt.Errorf(": a %s, want a JSON object as Label Studio exports it", kind.Value)
	case err != nil:
		return fmt.Errorf(": %w", err)
	}
	return nil
}

// studioImage returns the name of the picture among the fields of a task: that
// called image, or else the first by name that names a file.
func studioImage(fields map[string]json.RawMessage) string {
	best, name := "", ""
	for key, raw := range fields {
		var text string
		if json.Unmarshal(raw, &text) != nil || text == "" {
			continue
		}
		plain := strings.ToLower(text)
		if at := strings.IndexByte(plain, '?'); at >= 0 && !strings.Contains(plain, "?d=") {
			plain = plain[:at]
		}
		if key != "image" && !hasEnding(plain) {
			continue
		}
		if name == "" || key == "image" || best != "image" && key < best {
			best, name = key, text
		}
	}
	return name
}

func hasEnding(name string) bool {
	return slices.ContainsFunc(endings(), func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// studioObjects makes objects of the results of one annotation. Choices about a
// region are its tags, by the name of the control. Without a picture there are none.
func studioObjects(results []studioResult, name string, sizeOf studioSizes) ([]Object, error) {
	var objects []Object
	var size image.Point   // of the picture, where a region does not say it
	of := map[string]int{} // a region's object
	for i, r := range results {
		shape, ok := studioShapes[r.Type]
		if !ok {
			continue
		}
		if k, twice := of[r.ID]; twice && r.ID != "" { // <Rectangle> and <Labels>: the same region again
			if c := r.Value.class(); c != "" {
				objects[k].tag("class", c)
			}
			continue
		}
		if r.Width == 0 && r.Height == 0 {
			if size == (image.Point{}) {
				var err error
				if size, err = sizeOf(name); err != nil {
					// The picture is missing, or cannot be read: whoever reads
					// pictures says so, and its objects are of no use.
					return nil, nil
				}
			}
			r.Width, r.Height = float64(size.X), float64(size.Y)
		}
		box, err := r.box(shape)
		if err == nil {
			err = checkBox(box)
		}
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		o := Object{Box: box}
		if c := r.Value.class(); c != "" {
			o.tag("class", c)
		}
		of[r.ID] = len(objects)
		objects = append(objects, o)
	}
	for _, r := range results {
		k, ok := of[r.ID]
		switch {
		case !ok || r.ID == "":
		case r.Type == "choices" && r.From != "" && len(objects[k].Tags) < maxColumns:
			objects[k].tag(r.From, strings.Join(r.Value.Choices, ","))
		case r.Type == "labels" && r.Value.class() != "":
			objects[k].tag("class", r.Value.class())
		}
	}
	return objects, nil
}

func (v *studioValue) class() string {
	for _, names := range [][]string{v.Rectangles, v.Ellipses, v.Polygons, v.Labels} {
		if len(names) > 0 {
			return names[0]
		}
	}
	return ""
}

// box returns the box around a region, in pixels.
func (r *studioResult) box(shape string) (image.Rectangle, error) {
	none := image.Rectangle{}
	if r.Turned != 0 {
		return none, fmt.Errorf("\"image_rotation\" is %v: the picture was turned in Label Studio; turn the file instead", r.Turned)
	}
	if !(r.Width >= 1 && r.Height >= 1) || checkPlace(r.Width) != nil || checkPlace(r.Height) != nil {
		return none, fmt.Errorf("\"original_width\" and \"original_height\" are %v and %v, want the picture's size in pixels", r.Width, r.Height)
	}
	v := &r.Value
	for i, p := range [...]float64{v.X, v.Y, v.W, v.H, v.RadiusX, v.RadiusY} {
		if !(math.Abs(p) <= maxPercent) {
			return none, fmt.Errorf("%q is %v, want per cent of the picture", [...]string{"x", "y", "width", "height", "radiusX", "radiusY"}[i], p)
		}
	}
	if !(math.Abs(v.Rotation) <= 3600) {
		return none, fmt.Errorf("\"rotation\" is %v, want degrees", v.Rotation)
	}
	sin, cos := math.Sincos(v.Rotation * math.Pi / 180)
	sx, sy := r.Width/100, r.Height/100
	x, y := float64(v.X*sx), float64(v.Y*sy)
	switch shape {
	case "rectangle": // turned about its top left corner
		w, h := float64(v.W*sx), float64(v.H*sy)
		if !(w > 0 && h > 0) {
			return none, fmt.Errorf("a rectangle of %v by %v per cent, want more than 0", v.W, v.H)
		}
		if v.Rotation == 0 {
			return edges(x, y, x+w, y+h), nil
		}
		wx, wy, hx, hy := float64(w*cos), float64(w*sin), -float64(h*sin), float64(h*cos)
		return around([][]float64{{x, y}, {x + wx, y + wy}, {x + hx, y + hy}, {x + wx + hx, y + wy + hy}}), nil
	case "ellipse": // turned about its middle
		rx, ry := v.RadiusX*sx, v.RadiusY*sy
		if !(rx > 0 && ry > 0) {
			return none, fmt.Errorf("an ellipse with radii of %v and %v per cent, want more than 0", v.RadiusX, v.RadiusY)
		}
		dx, dy := math.Hypot(rx*cos, ry*sin), math.Hypot(rx*sin, ry*cos)
		return edges(x-dx, y-dy, x+dx, y+dy), nil
	}
	if len(v.Points) < 3 {
		return none, fmt.Errorf("a polygon of %d points, want 3 at least", len(v.Points))
	}
	var points [][]float64
	for i, p := range v.Points {
		if len(p) != 2 || !(math.Abs(p[0]) <= maxPercent && math.Abs(p[1]) <= maxPercent) {
			return none, fmt.Errorf("points[%d] is %v, want x and y in per cent of the picture", i, p)
		}
		points = append(points, []float64{p[0] * sx, p[1] * sy})
	}
	return around(points), nil
}

// studioUpload is what Label Studio puts before the name of an uploaded file.
var studioUpload = regexp.MustCompile(`^[0-9a-f]{8}-(.+)$`)

// studioNames are the names under which a picture of an export may be found: as it
// is, its last parts, fewer and fewer, and without what an upload added.
func studioNames(name string) []string {
	all := []string{name}
	if u, err := url.Parse(name); err == nil {
		name = u.Path
		if d := u.Query().Get("d"); d != "" { // /data/local-files/?d=...
			name = d
		}
	}
	parts := strings.Split(strings.Trim(strings.ReplaceAll(name, `\`, "/"), "/"), "/")
	for i := max(0, len(parts)-8); i < len(parts); i++ {
		if part := strings.Join(parts[i:], "/"); part != "" && filepath.IsLocal(filepath.FromSlash(part)) {
			all = append(all, part)
		}
	}
	if m := studioUpload.FindStringSubmatch(parts[len(parts)-1]); m != nil && filepath.IsLocal(m[1]) {
		all = append(all, m[1])
	}
	return all
}
