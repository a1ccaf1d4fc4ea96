package cascade

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// treesXML is the "xml-trees" of fileCascades for OpenCV 4.6, which loads it.
const treesXML = `<?xml version="1.0"?>
<opencv_storage>
<haar_trees-2 type_id="opencv-cascade-classifier">
  <stageType>BOOST</stageType>
  <featureType>HAAR</featureType>
  <height>20</height>
  <width>24</width>
  <stageParams>
    <maxWeakCount>2</maxWeakCount></stageParams>
  <featureParams>
    <maxCatCount>0</maxCatCount></featureParams>
  <stageNum>1</stageNum>
  <stages>
    <!-- stage 0 -->
    <_>
      <maxWeakCount>2</maxWeakCount>
      <stageThreshold>-1.1</stageThreshold>
      <weakClassifiers>
        <_>
          <internalNodes>
            2 1 0 -0.027
            0 -1 1 0.05
            -2 -3 2 -0.129</internalNodes>
          <leafValues>
            -0.8 0.6 0.9 0.044</leafValues></_>
        <_>
          <internalNodes>
            -1 0 1 0.5</internalNodes>
          <leafValues>
            1 -1</leafValues></_></weakClassifiers></_></stages>
  <features>
    <_>
      <rects>
        <_>
          0 0 24 20 -1</_>
        <_>
          0 0 12 10 2</_>
        <_>
          12 10 12 10 2.25</_></rects></_>
    <_>
      <rects>
        <_>
          2 3 8 6 -1</_>
        <_>
          2 5 8 2 3</_></rects></_>
    <_>
      <rects>
        <_>
          10 1 6 3 -1</_>
        <_>
          12 3 2 3 3</_></rects>
      <tilted>1</tilted></_></features></haar_trees-2>
</opencv_storage>
`

func TestEncodeOpenCV(t *testing.T) {
	if got := string(encodeOpenCV(t, fileCascades()["xml-trees"])); got != treesXML {
		t.Errorf("got\n%s\nwant\n%s", got, treesXML)
	}
}

func TestOpenCVRoundTrip(t *testing.T) {
	cascades := fileCascades()
	cascades["xml-many"] = stumps(500)
	cascades["xml-new"] = newFormCascade()
	cascades["xml-old"] = oldFormCascade()
	cascades["xml-lbp2"] = lbpCascade()
	for name, c := range cascades {
		if !strings.HasPrefix(name, "xml-") {
			continue
		}
		// The first reading moves thresholds to values that the format can
		// express.
		first, err := Read(bytes.NewReader(encodeOpenCV(t, c)), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name != "xml-many" && !reflect.DeepEqual(first, c) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, first, c)
		}
		second, err := Read(bytes.NewReader(encodeOpenCV(t, first)), nil)
		if err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("%s: another cascade the second time: %v", name, err)
		}
	}
}

// OpenCV ignores the children of stumps, so a reversed stump has its leaves
// exchanged.
func TestEncodeOpenCVTurnedStump(t *testing.T) {
	c := newFormCascade()
	n := &c.Weak[1].Nodes[0]
	n.Left, n.Right = -1, 0
	got := must.Get(Read(bytes.NewReader(encodeOpenCV(t, c)), nil))
	want := newFormCascade()
	l := want.Weak[1].Leaves
	l[0], l[1] = l[1], l[0]
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEncodeOpenCVRefuses(t *testing.T) {
	for _, test := range []struct {
		of, want string
		is       error
		change   func(*Cascade)
	}{
		{"soft", "MinStdDev 0.5, want 10", ErrOpenCV, func(c *Cascade) {}},
		{"soft", "weak classifier 0 is a histogram", ErrOpenCV, func(c *Cascade) { c.MinStdDev = 10 }},
		{"xml-stumps", "behind exit 0 the score does not restart", ErrOpenCV, func(c *Cascade) { c.Exits[0].Restart = false }},
		{"xml-stumps", "MinStdDev 9", ErrOpenCV, func(c *Cascade) { c.MinStdDev = 9 }},
		{"xml-stumps", "no exits", ErrModel, func(c *Cascade) { c.Exits = nil }},
	} {
		c := fileCascades()[test.of]
		test.change(c)
		var b bytes.Buffer
		err := c.EncodeOpenCV(&b)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) || b.Len() > 0 {
			t.Errorf("error %v and %d bytes, want %q and none", err, b.Len(), test.want)
		}
	}
	if err := newFormCascade().EncodeOpenCV(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want the writer's", err)
	}
}

// What the format cannot express and OpenCV ignores is left out.
func TestEncodeOpenCVLeavesOut(t *testing.T) {
	c := newFormCascade()
	c.Name = "Größe 24"
	c.Calibration = &Calibration{Slope: 1}
	c.Provenance.Note = "--> & <"
	c.Exits[1].Restart = false // no effect at the end
	got, err := Read(bytes.NewReader(encodeOpenCV(t, c)), nil)
	if err != nil || !reflect.DeepEqual(got, newFormCascade()) {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, want := range map[string]string{"a-1": "a-1", "1a": "", "_": "", "_a": "_a", "cascade": "", "a b": ""} {
		c.Name = name
		got, err := Read(bytes.NewReader(encodeOpenCV(t, c)), nil)
		if err != nil || got.Name != want {
			t.Errorf("name %q became %q, %v", name, got.Name, err)
		}
	}
}

// A threshold in the file is the largest whose difference is not above the
// model's.
func TestOpenCVThreshold(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		x := math.Float32frombits(random.Uint32())
		if !isFinite(float64(x)) {
			continue
		}
		// Thresholds that were read are matched exactly.
		read := x - openCVEpsilon
		if back := openCVThreshold(read) - openCVEpsilon; back != read {
			t.Fatalf("%v from a file becomes %v", read, back)
		}
		// Any other is approximated from below, as closely as possible.
		y := openCVThreshold(x)
		if y-openCVEpsilon > x {
			t.Fatalf("%v becomes %v", x, y-openCVEpsilon)
		}
		if next := math.Nextafter32(y, float32(math.Inf(1))); isFinite(float64(next)) && next-openCVEpsilon <= x {
			t.Fatalf("%v: %v, but %v is closer", x, y, next)
		}
	}
	for _, x := range []float32{0, openCVEpsilon, -openCVEpsilon, 1, math.MaxFloat32, -math.MaxFloat32} {
		if got := openCVThreshold(x) - openCVEpsilon; got != x {
			t.Errorf("%v becomes %v", x, got)
		}
	}
}
