package samples

import (
	"image"
	"reflect"
	"strings"
	"testing"
)

const imglabText = `<?xml version='1.0' encoding='ISO-8859-1'?>
<?xml-stylesheet type='text/xsl' href='image_metadata_stylesheet.xsl'?>
<dataset>
<name>faces</name>
<comment>box and image are words</comment>
<images>
  <image file='a&amp;b.png' width='40' height='30'>
    <box top='2' left='1' width='9' height='18' occluded='1' gender='female'>
      <label>face</label>
      <part name='10' x='7' y='8'/>
      <part name='9' x='5' y='6'/>
    </box>
    <box top='-1' left='3' width='4' height='5' ignore='1'/>
  </image>
  <image file='none.png'>
  </image>
  <image file='a&amp;b.png'>
    <box top='0' left='0' width='1' height='1'><part name='9' x='1' y='1'/></box>
  </image>
</images>
</dataset>`

func TestImglab(t *testing.T) {
	put(t, map[string][]byte{"set/t.xml": []byte(imglabText), "set/a&b.png": nil, "none.png": nil})
	want := []Photo{
		{"set/a&b.png", []Object{
			{Box: image.Rect(1, 2, 10, 20), Tags: map[string]string{"class": "face", "occluded": "1", "gender": "female"}, Marks: []Point{{5, 6}, {7, 8}}},
			{Box: image.Rect(3, -1, 7, 4), Ignore: true},
			{Box: image.Rect(0, 0, 1, 1)}, // lacks a part
		}},
		{"none.png", nil},
	}
	for _, f := range []Format{Auto, Imglab} {
		got, err := ReadTruth("set/t.xml", f)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got  %+v, %v\nwant %+v", f, got, err, want)
		}
	}
}

// dlib writes names as it is given them, and always says that they are ISO 8859-1.
func TestImglabNames(t *testing.T) {
	text := func(name string) string {
		return "<?xml version='1.0' encoding='ISO-8859-1'?><dataset><images><image file='" + name + "'/></images></dataset>"
	}
	for _, name := range []string{"M\u00fcller.png", "M\xfcller.png"} {
		photos, err := readImglab(strings.NewReader(text(name)), "t.xml")
		if err != nil || len(photos) != 1 || photos[0].File != "M\u00fcller.png" {
			t.Errorf("%q: %+v, %v", name, photos, err)
		}
	}
}

func TestImglabErrors(t *testing.T) {
	in := func(inner string) string {
		return "<dataset><images>\n<image file='a'>" + inner + "</image></images></dataset>"
	}
	box := func(attributes string) string { return in("\n<box " + attributes + "/>") }
	for _, test := range []struct{ text, want string }{
		{"", "t.xml: no element, want <dataset>"},
		{"<annotation/>", "t.xml:1: <annotation>, want <dataset>: this is not dlib's imglab"},
		{"<dataset><images>\n<image/>", "t.xml:2: <image> without a file='...'"},
		{box("top='1' left='2' width='3'"), "t.xml:3: <box> without a height='...'"},
		{box("top='1' left='2' width='x' height='3'"), `t.xml:3: <box>, width: "x", want a number`},
		{box("top='1' left='2' width='3' height='0'"), "t.xml:3: <box>: height 0, want more than 0"},
		{box("top='1' left='2' width='3' height='1e8'"), "t.xml:3: <box>, height: 1e8, want a number from -1000000 to 1000000"},
		{in("<box top='1' left='2' width='3' height='4'>\n<part x='1' y='2'/>"), "t.xml:3: <part> without a name='...'"},
		{in("<box top='1' left='2' width='3' height='4'>\n<part name='1' x='1'/>"), "t.xml:3: <part> without a y='...'"},
		{in("<box top='1' left='2' width='3' height='4'><part name='1' x='1' y='2'/>\n<part name='1' x='1' y='2'/>"), `t.xml:3: two points of one object are called "1"`},
	} {
		_, err := readImglab(strings.NewReader(test.text), "t.xml")
		sameError(t, clip(test.text), err, test.want)
	}
}

func TestImglabCutOff(t *testing.T) {
	for n := range len(imglabText) - 1 {
		if _, err := readImglab(strings.NewReader(imglabText[:n]), "t.xml"); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, len(imglabText))
		}
	}
}

func FuzzImglab(f *testing.F) {
	f.Add(imglabText)
	f.Add("<dataset><images><image file='a'><box top='0' left='0' width='1' height='1'><part name='x' x='1' y='1'/></box></image></images></dataset>")
	f.Fuzz(func(t *testing.T, s string) {
		photos, err := readImglab(strings.NewReader(s), "t.xml")
		sound(t, photos, err)
	})
}
