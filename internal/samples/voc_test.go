package samples

import (
	"image"
	"os"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

const vocText = `<?xml version="1.0"?>
<!-- a person, with a head -->
<annotation>
	<folder>VOC2007</folder><filename>R &amp; B.png</filename>
	<source><database>x</database></source>
	<size><width>40</width><height>30</height><depth>1</depth></size>
	<object>
		<name>face</name><pose>Frontal</pose><truncated>1</truncated><difficult>0</difficult>
		<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>10</xmax><ymax>20</ymax></bndbox>
		<part><name>eye</name><bndbox><xmin>3</xmin><ymin>3</ymin><xmax>4</xmax><ymax>4</ymax></bndbox></part>
	</object>
	<object>
		<bndbox><xmax>12.2</xmax><ymax>9</ymax><xmin>5.4</xmin><ymin>9</ymin></bndbox>
		<name>face</name><difficult>1</difficult>
	</object>
</annotation>`

func TestVOC(t *testing.T) {
	put(t, map[string][]byte{
		"Annotations/1.xml": []byte(vocText), "JPEGImages/R & B.png": nil,
		"Annotations/deep/2.xml":         []byte(`<annotation><filename>2</filename></annotation>`),
		"Annotations/deep/2.png":         nil,
		"Annotations/3.xml":              []byte(`<annotation><path>C:\photos\three.png</path></annotation>`),
		"Annotations/three.png":          nil,
		"Annotations/.hidden/broken.xml": []byte(`<`),
	})
	want := []Photo{
		{"JPEGImages/R & B.png", []Object{
			{Box: image.Rect(0, 1, 10, 20), Tags: map[string]string{"class": "face", "pose": "Frontal", "truncated": "1"}},
			{Box: image.Rect(4, 8, 12, 9), Ignore: true, Tags: map[string]string{"class": "face"}}}},
		{"Annotations/three.png", nil},
		{"Annotations/deep/2.png", nil},
	}
	got, err := ReadTruth("Annotations", Auto)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("folder: got  %+v, %v\nwant %+v", got, err, want)
	}
	got, err = ReadTruth("Annotations/1.xml", Auto)
	if err != nil || !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("file: got  %+v, %v", got, err)
	}
	must.Do(os.Remove("JPEGImages/R & B.png"))
	got, err = ReadTruth("Annotations", VOC)
	sameError(t, "missing", err, "Annotations: 1 of 3 pictures do not exist (looked beside this file, and in the working directory):\n  R & B.png")
	if !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("beside the error: %+v", got)
	}
}

func TestVOCErrors(t *testing.T) {
	object := func(inner string) string { return "<annotation>\n<object>" + inner + "</object></annotation>" }
	box := "<xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax>"
	for _, test := range []struct{ text, want string }{
		{"", "t.xml: no element, want <annotation>"},
		{"<images/>", "t.xml:1: <images>, want <annotation>: this is not Pascal VOC"},
		{"<annotation/>\n<annotation/>", "t.xml:2: a second <annotation>, want one a file"},
		{"<!DOCTYPE annotation>\n<annotation/>", "t.xml:1: a document type, want none"},
		{"<annotation>\n<filename>&bomb;</filename>", "t.xml:2: not XML: invalid character entity &bomb;"},
		{`<?xml version="1.0" encoding="GBK"?><annotation/>`, `t.xml:1: not read: xml: opening charset "GBK": encoding "GBK", want UTF-8`},
		{"<annotation>\n<object></annotation>", "t.xml:2: </annotation> ends nothing"},
		{"<annotation>\n<object>", "t.xml:2: the file ends, but <object> does not"},
		{"<annotation>\n<obj", "t.xml:2: not XML: unexpected EOF"},
		{object("<name>a</name>"), "t.xml:2: object 1: no <xmin> in a <bndbox>"},
		{object("<bndbox>" + strings.Replace(box, "3", "NaN", 1) + "</bndbox>"), `t.xml:2: object 1: <xmax>: "NaN", want a number`},
		{object("<bndbox>" + strings.Replace(box, "3", "3e8", 1) + "</bndbox>"), `t.xml:2: object 1: <xmax>: 3e8, want a number from -1000000 to 1000000`},
		{object("<bndbox>" + strings.Replace(box, "3", "0", 1) + "</bndbox>"), "t.xml:2: object 1: <xmax> 0 is less than <xmin> 1"},
		{object("<bndbox>" + strings.Replace(box, "4", "1", 1) + "</bndbox>"), "t.xml:2: object 1: <ymax> 1 is less than <ymin> 2"},
		{"<annotation>" + strings.Repeat("<a>", maxDepth), "t.xml:1: elements nested deeper than 64: over the limit"},
		{"<annotation>" + strings.Repeat("<a/>", maxElements), "t.xml:1: more than 1000000 elements: over the limit"},
	} {
		_, err := readVOC(strings.NewReader(test.text), "t.xml")
		sameError(t, clip(test.text), err, test.want)
	}
	put(t, map[string][]byte{"folder/a.png": nil})
	_, err := ReadTruth("folder", VOC)
	sameError(t, "no XML", err, "folder: no .xml file in this folder")
	_, err = ReadTruth("folder", Auto)
	sameError(t, "neither", err, "folder: a folder with neither .xml files of Pascal VOC, nor .txt files of YOLO beside pictures, nor .json files of LabelMe, COCO or Label Studio, nor _annotations.csv")
	_, err = ReadTruth("folder", COCO)
	sameError(t, "no JSON", err, "folder: no .json file in this folder")
	_, err = ReadTruth("folder", CSV)
	sameError(t, "no folder", err, "folder: no _annotations.csv in this folder")
}

// Every truncated file is an error.
func TestVOCCutOff(t *testing.T) {
	for n := range len(vocText) - 1 {
		if _, err := readVOC(strings.NewReader(vocText[:n]), "t.xml"); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, len(vocText))
		}
	}
}

func FuzzVOC(f *testing.F) {
	f.Add(vocText)
	f.Add("<annotation><object><bndbox><xmin>1</xmin></bndbox></object></annotation>")
	f.Add("<annotation><a><b/></a><![CDATA[x]]></annotation>")
	f.Fuzz(func(t *testing.T, s string) {
		v, err := readVOC(strings.NewReader(s), "t.xml")
		if err == nil {
			sound(t, []Photo{{"t", v.objects}}, nil)
		}
	})
}
