package cascade

import (
	"bytes"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"haarlem/haar"
	"haarlem/internal/must"
)

// newFormXML has two stages of stumps, in the style of opencv_traincascade.
const newFormXML = `<?xml version="1.0"?>
<!-- a licence -->
<opencv_storage>
<cascade type_id="opencv-cascade-classifier">
  <stageType>BOOST</stageType>
  <featureType>HAAR</featureType>
  <height>20</height>
  <width>24</width>
  <stageParams>
    <maxWeakCount>2</maxWeakCount></stageParams>
  <featureParams>
    <maxCatCount>0</maxCatCount></featureParams>
  <stageNum>2</stageNum>
  <stages>
    <!-- stage 0 -->
    <_>
      <maxWeakCount>1</maxWeakCount>
      <stageThreshold>-5.0425500869750977e-01</stageThreshold>
      <weakClassifiers>
        <_>
          <internalNodes>
            0 -1 0 -3.1511999666690826e-02</internalNodes>
          <leafValues>
            2.0875380039215088e+00 -2.2172100543975830e+00</leafValues></_></weakClassifiers></_>
    <_>
      <stageThreshold>1.</stageThreshold>
      <weakClassifiers>
        <_>
          <internalNodes>
            -1 0 1 .5</internalNodes>
          <leafValues>
            -1 1e-003</leafValues></_></weakClassifiers></_></stages>
  <features>
    <_>
      <rects>
        <_>
          2 3 8 6 -1.</_>
        <_>
          2 5 8 2 3.</_></rects></_>
    <_>
      <rects>
        <_>
          10 1 6 3 -1.</_>
        <_>
          12 3 2 3 3.</_>
        <_>
          12 3 2 3 0.</_></rects>
      <tilted>1</tilted></_></features></cascade>
</opencv_storage>
`

func newFormCascade() *Cascade {
	return &Cascade{
		Kind: Haar, Width: 24, Height: 20, MinStdDev: 10,
		Features: []haar.Feature{
			{Rects: [3]haar.Rect{{X: 2, Y: 3, W: 8, H: 6, Weight: -1}, {X: 2, Y: 5, W: 8, H: 2, Weight: 3}}},
			{Rects: [3]haar.Rect{{X: 10, Y: 1, W: 6, H: 3, Weight: -1}, {X: 12, Y: 3, W: 2, H: 3, Weight: 3}}, Tilted: true},
		},
		Weak: []Weak{
			{Nodes: []Node{{Feature: 0, Threshold: -0.031512, Left: 0, Right: -1}}, Leaves: []float32{2.087538, -2.21721}},
			{Nodes: []Node{{Feature: 1, Threshold: 0.5, Left: 0, Right: -1}}, Leaves: []float32{-1, 0.001}},
		},
		Exits: []Exit{
			{After: 1, Threshold: -0.504265, Restart: true},
			{After: 2, Threshold: 0.99999, Restart: true},
		},
	}
}

// oldFormXML has a tree whose child comes before its parent, and a third
// rectangle whose weight is negligible.
const oldFormXML = `<?xml version='1.0'?>
<opencv_storage>
<haarcascade_test type_id="opencv-haar-classifier">
  <size>
    24 20</size>
  <stages>
    <_>
      <trees>
        <_>
          <!-- tree 0 -->
          <_>
            <feature>
              <rects>
                <_>
                  2 3 8 6 -1.</_>
                <_>
                  2 5 8 2 3.</_>
                <_>
                  2 5 8 2 1.1e-007</_></rects>
              <tilted>0</tilted></feature>
            <threshold>1.5</threshold>
            <left_node>2</left_node>
            <right_node>1</right_node></_>
          <_>
            <feature>
              <rects><_>10 1 6 3 -1.</_><_>12 3 2 3 3.</_></rects>
              <tilted>1</tilted></feature>
            <threshold>-2.5</threshold>
            <left_val>0.25</left_val>
            <right_val>0.5</right_val></_>
          <_>
            <feature>
              <rects><_>0 0 2 2 -1.</_><_>0 0 1 1 4.</_></rects></feature>
            <threshold>0</threshold>
            <left_val>0.75</left_val>
            <right_val>1</right_val></_></_></trees>
      <stage_threshold>2.</stage_threshold>
      <parent>-1</parent>
      <next>-1</next></_></stages></haarcascade_test>
</opencv_storage>
`

func oldFormCascade() *Cascade {
	return &Cascade{
		Name: "haarcascade_test", Kind: Haar, Width: 24, Height: 20, MinStdDev: 10,
		Features: []haar.Feature{
			{Rects: [3]haar.Rect{{X: 2, Y: 3, W: 8, H: 6, Weight: -1}, {X: 2, Y: 5, W: 8, H: 2, Weight: 3}}},
			{Rects: [3]haar.Rect{{X: 10, Y: 1, W: 6, H: 3, Weight: -1}, {X: 12, Y: 3, W: 2, H: 3, Weight: 3}}, Tilted: true},
			{Rects: [3]haar.Rect{{W: 2, H: 2, Weight: -1}, {W: 1, H: 1, Weight: 4}}},
		},
		Weak: []Weak{{Nodes: []Node{
			{Feature: 0, Threshold: 1.5, Left: 2, Right: 1},
			{Feature: 1, Threshold: -2.5, Left: 0, Right: -1},
			{Feature: 2, Threshold: 0, Left: -2, Right: -3},
		}, Leaves: []float32{0.25, 0.5, 0.75, 1}}},
		Exits: []Exit{{After: 1, Threshold: 1.99999, Restart: true}},
	}
}

// lbpXML is a new form with LBP features and a tree of two nodes.
const lbpXML = `<opencv_storage><cascade>
<stageType>BOOST</stageType><featureType>LBP</featureType><height>20</height><width>24</width>
<featureParams><maxCatCount>256</maxCatCount><featSize>1</featSize></featureParams>
<stages><_><stageThreshold>-0.5</stageThreshold><weakClassifiers><_>
<internalNodes>1 0 1 -1 0 1 2 3 4 5 -2147483648 -1 -2 0 -1 -1 -1 -1 -1 -1 -1 2147483647</internalNodes>
<leafValues>1 2 3</leafValues></_></weakClassifiers></_></stages>
<features><_><rect>0 0 8 6</rect></_><_><rect>3 4 1 2</rect></_></features>
</cascade></opencv_storage>`

func lbpCascade() *Cascade {
	const all = 1<<32 - 1
	return &Cascade{
		Kind: LBP, Width: 24, Height: 20,
		Cells: []image.Rectangle{image.Rect(0, 0, 8, 6), image.Rect(3, 4, 4, 6)},
		Weak: []Weak{{Nodes: []Node{
			{Feature: 1, Left: 1, Right: 0, Subset: [8]uint32{all, 0, 1, 2, 3, 4, 5, 1 << 31}},
			{Feature: 0, Left: -1, Right: -2, Subset: [8]uint32{all, all, all, all, all, all, all, 1<<31 - 1}},
		}, Leaves: []float32{1, 2, 3}}},
		Exits: []Exit{{After: 1, Threshold: -0.50001, Restart: true}},
	}
}

func TestReadOpenCV(t *testing.T) {
	swapped := strings.Replace(newFormXML, "  <height>20</height>\n  <width>24</width>", "<width> 24\n </width>\n<height >20</height>", 1)
	for _, test := range []struct {
		name, file string
		want       *Cascade
	}{
		{"new form", newFormXML, newFormCascade()},
		{"old form", oldFormXML, oldFormCascade()},
		{"LBP", lbpXML, lbpCascade()},
		{"width before height", swapped, newFormCascade()},
		{"CRLF", strings.ReplaceAll(newFormXML, "\n", "\r\n"), newFormCascade()},
		{"byte order mark", "\xef\xbb\xbf" + newFormXML, newFormCascade()},
		{"no declaration", strings.TrimPrefix(newFormXML, `<?xml version="1.0"?>`), newFormCascade()},
		{"Latin-1", strings.Replace(newFormXML, "?>\n<!-- a", " encoding='ISO-8859-1'?>\n<!-- \xfc &lt; <a> --", 1), newFormCascade()},
		{"comments within numbers", strings.Replace(newFormXML, "0 -1 0 -3", "0<!-- left -->-1 0 <!-- t -->-3", 1), newFormCascade()},
		{"no type_id", strings.Replace(newFormXML, ` type_id="opencv-cascade-classifier"`, "", 1), newFormCascade()},
		{"unknown elements", strings.Replace(newFormXML, "<stageNum>", "<x y='&gt' z=\"1\"/><stageNum>", 1), nil},
		{"unknown elements", strings.Replace(newFormXML, "<stageNum>", "<x y='>' z = \"1\" /><stageNum>", 1), newFormCascade()},
		{"more than the cascade", strings.Replace(newFormXML, "</cascade>", "</cascade><other>1</other>", 1), newFormCascade()},
	} {
		got, err := Read(strings.NewReader(test.file), nil)
		if test.want == nil {
			if !errors.Is(err, ErrFormat) {
				t.Errorf("%s: error %v, want one of ErrFormat", test.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, got, test.want)
		}
	}
}

// A hostile file is a valid one with one change. The error must wrap the
// sentinel and contain all parts of want.
type hostile struct {
	old, new string
	sentinel error
	want     string // parts between bars
}

func (h hostile) edit(file string) string {
	s := strings.Replace(file, h.old, h.new, 1)
	if s == file {
		panic("nothing to change: " + h.old)
	}
	return s
}

func checkHostile(t *testing.T, tests []hostile, file func(hostile) string) {
	t.Helper()
	for _, h := range tests {
		_, err := Read(strings.NewReader(file(h)), nil)
		if !errors.Is(err, h.sentinel) {
			t.Errorf("%q for %q: error %v, want one of %v", h.new, h.old, err, h.sentinel)
			continue
		}
		for _, part := range strings.Split(h.want, "|") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q for %q: error %q does not say %q", h.new, h.old, err, part)
			}
		}
	}
}

const billionLaughs = `<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<opencv_storage>&c;`

var hostileNewForm = []hostile{
	{"<opencv_storage>", billionLaughs, ErrFormat, "line 3|document types"},
	{"<height>20", "<height>&twenty;", ErrFormat, "line 7|/opencv_storage/cascade/height|entity"},
	{"<height>20", "<height><![CDATA[20]]>", ErrFormat, "line 7|CDATA"},
	{"<!-- a licence -->", "<?php ?>", ErrFormat, "line 2|instruction"},
	{`<?xml version="1.0"?>`, `<?xml version="1.0" encoding="UTF-16"?>`, ErrFormat, "line 1|UTF-16"},
	{`<?xml version="1.0"?>`, `<?xml version="1.0"`, ErrFormat, "line 1|does not end"},
	{"opencv_storage>\n<cascade", "opencv_storage><a/>\n<cascade", ErrFormat, "/opencv_storage/a|stageType"},
	{"<opencv_storage>", "<opencv_store>", ErrFormat, "line 49|</opencv_storage>|want </opencv_store>|line 3"},
	{"\n</opencv_storage>", "", ErrFormat, "line 49|the file ends|opencv_storage"},
	{"</opencv_storage>", "</opencv_storage><a/>", ErrFormat, "second root"},
	{"</opencv_storage>", "</opencv_storage>0", ErrFormat, "outside the root"},
	{"</opencv_storage>", "</opencv_storage></a>", ErrFormat, "ends nothing"},
	{"<stages>", "<stages>0", ErrFormat, "line 14|stages|text between"},
	{"<height>20", "<height>2\x000", ErrFormat, "control character"},
	{"<stageParams>", "<1>", ErrFormat, "line 9|name"},
	{"<stageParams>", "<stageParams a=b>", ErrFormat, "line 9|quotes"},
	{"<stageParams>", "<stageParams a>", ErrFormat, "line 9|attributes"},
	{"<stageParams>", "<stageParams a='&lt;'>", ErrFormat, "line 9|entity"},
	{"<stageParams>", "<stageParams a='>", ErrFormat, "line 9|does not end"},
	{"<stageParams>", "<stageParams/a>", ErrFormat, "line 9|inside a tag"},
	{"</stageParams>", "</stageParams", ErrFormat, "line 10|has no >"},
	{"<!-- stage 0 -->", "<!-- stage 0 --", ErrFormat, "line 15|comment does not end"},
	{"<stageNum>", strings.Repeat("<a>", 40), ErrLimit, "line 13|deeper than 32"},
	{"BOOST", "HOG", ErrFormat, "line 5|stageType|BOOST"},
	{"BOOST", "", ErrFormat, "line 5|stageType|empty"},
	{"BOOST", "BOOST BOOST", ErrFormat, "line 5|stageType|one word"},
	{"<stageType>BOOST</stageType>", "", ErrFormat, "neither <stageType> nor <size>"},
	{"<stageType>BOOST</stageType>", "<stageType>BOOST</stageType><stageType>BOOST</stageType>", ErrFormat, "line 5|twice"},
	{"HAAR", "HOG", ErrFormat, "line 6|featureType|HAAR or LBP"},
	{"<featureType>HAAR</featureType>", "", ErrFormat, "no <featureType>"},
	{"<height>20", "<height>0", ErrFormat, "line 7|height|1 to 1024"},
	{"<height>20", "<height>1025", ErrFormat, "line 7|height|1 to 1024"},
	{"<height>20", "<height>-20", ErrFormat, "line 7|height|1 to 1024"},
	{"<height>20", "<height>99999999999999999999", ErrFormat, "line 7|height|1 to 1024"},
	{"<height>20", "<height>2", ErrFormat, "window 24x2"},
	{"<height>20", "<height>020", ErrFormat, "line 7|not an integer"},
	{"<height>20", "<height>0x14", ErrFormat, "line 7|not an integer"},
	{"<height>20", "<height>2e1", ErrFormat, "line 7|not an integer"},
	{"<height>20</height>\n  <width>24", "<height>259</height>\n  <width>260", ErrFormat, "window 260x259|66306|66051"},
	{"<maxCatCount>0", "<maxCatCount>256", ErrFormat, "featureParams|256|want 0"},
	{"featureParams>", "featureStuff>", ErrFormat, "line 12|featureStuff"},
	{"<stages>", "<stages><a/>", ErrFormat, "stages/a|<_>"},
	{"-5.0425500869750977e-01", "nan", ErrFormat, "line 18|/stages/_[0]/stageThreshold|not a number"},
	{"-5.0425500869750977e-01", ".Inf", ErrFormat, "line 18|not a number"},
	{"-5.0425500869750977e-01", "1e39", ErrFormat, "line 18|float32"},
	{"-5.0425500869750977e-01", "1e999", ErrFormat, "line 18|float64"},
	{"-5.0425500869750977e-01", "0x1p3", ErrFormat, "line 18|not a"},
	{"-5.0425500869750977e-01", "1_0.0", ErrFormat, "line 18|not a number"},
	{"-5.0425500869750977e-01", "1E5", ErrFormat, "line 18|not a number"},
	{"-5.0425500869750977e-01", "--1", ErrFormat, "line 18|want 0"},
	{"-5.0425500869750977e-01", "3000000000", ErrFormat, "line 18|2147483647"},
	{"-5.0425500869750977e-01", "", ErrFormat, "line 18|empty"},
	{"0 -1 0 -3.1511999666690826e-02", "0 -1 0", ErrFormat, "line 22|/stages/_[0]/weakClassifiers/_[0]/internalNodes|node 0|nothing"},
	{"0 -1 0 -3.1511999666690826e-02", "0 -1 2 -3", ErrFormat, "line 20|feature 2, want 0 to 1"},
	{"0 -1 0 -3.1511999666690826e-02", "0 -1 -1 -3", ErrFormat, "line 20|feature -1"},
	{"0 -1 0 -3.1511999666690826e-02", "0 -1 0 inf", ErrFormat, "line 22|not a"},
	{"0 -1 0 -3.1511999666690826e-02", "", ErrFormat, "line 21|no nodes"},
	{"0 -1 0 -3.1511999666690826e-02", "0 -1 0 1 0 -1 0 1", ErrFormat, "line 20|2 leaves, want 3"},
	{"2.0875380039215088e+00 ", "", ErrFormat, "1 leaves, want 2"},
	{"2.0875380039215088e+00 ", "0 0 ", ErrFormat, "line 24|leafValues|more than 2 leaves"},
	{"2.0875380039215088e+00 ", "1e20 ", ErrFormat, "line 20|leaf 0"},
	{"<weakClassifiers>\n", "<weakClassifiers/><a>", ErrFormat, "line 23|</weakClassifiers>"},
	{"2 5 8 2 3.", "2 5 8 2", ErrFormat, "line 39|features/_[0]/rects/_[1]|weight"},
	{"2 5 8 2 3.", "2 5 8 2 3. 4", ErrFormat, "line 39|behind the weight"},
	{"2 5 8 2 3.", "2 5 8 2 nan", ErrFormat, "line 39|weight"},
	{"2 5 8 2 3.", "2 5 8 2 0.", ErrFormat, "line 34|1 weighted rectangles"},
	{"2 5 8 2 3.", "2 5 8 2 1e6", ErrFormat, "line 34|weight 1e+06"},
	{"2 5 8 2 3.", "17 5 8 2 3.", ErrFormat, "line 34|features/_[0]|not inside"},
	{"2 5 8 2 3.", "-1 5 8 2 3.", ErrFormat, "line 39|x: "},
	{"2 5 8 2 3.", "2 5 0 2 3.", ErrFormat, "line 39|width: "},
	{"2 5 8 2 3.", "2 5 8 2147483647 3.", ErrFormat, "line 39|height: "},
	{"12 3 2 3 3.", "2 3 2 3 3.", ErrFormat, "line 40|features/_[1]|tilted 2,3 2x3 reaches outside"},
	{"12 3 2 3 0.</_>", "12 3 2 3 1.</_><_>12 3 2 3 1.</_>", ErrFormat, "more than 3 rectangles"},
	{"<tilted>1", "<tilted>2", ErrFormat, "tilted|0 to 1"},
	{"<features>", "<features/><more>", ErrFormat, "want </more>"},
	{"<opencv_storage>\n<cascade", "<opencv_storage>\n<" + strings.Repeat("a", 101) + "/><cascade", ErrFormat, "line 4|stageType"},
	{"<width>24</width>", "", ErrFormat, "line 4|no <width>"},
	{"<width>24</width>", "<width><a/></width>", ErrFormat, "line 8|width|empty"},
	{"<width>24</width>", "<width>24 24</width>", ErrFormat, "line 8|width|behind"},
	{"<featureParams>", "<featureParams><maxCatCount>0</maxCatCount>", ErrFormat, "line 12|maxCatCount|twice"},
	{"<maxCatCount>0", "<maxCatCount>-1", ErrFormat, "line 12|maxCatCount|want 0"},
	{"<maxCatCount>0", "<maxCatCount>none", ErrFormat, "line 12|not an integer"},
	{"<stageThreshold>-5.0425500869750977e-01</stageThreshold>", "", ErrFormat, "line 16|stages/_[0]|no <stageThreshold>"},
	{"<stageThreshold>1.", "<stageThreshold>1.</stageThreshold><stageThreshold>1.", ErrFormat, "line 26|stages/_[1]/stageThreshold|twice"},
	{"<leafValues>\n            2.0875380039215088e+00", "<leafValues>\n            two", ErrFormat, "line 24|leafValues|not a number"},
	{"0 -1 0 -3.1511999666690826e-02", "zero -1 0 -3", ErrFormat, "line 22|node 0|not an integer"},
	{"0 -1 0 -3.1511999666690826e-02", "0 -1 4294967296 -3", ErrFormat, "line 22|node 0|2147483647"},
	{"<tilted>1</tilted>", "<tilted>1</tilted><tilted>1</tilted>", ErrFormat, "tilted|twice"},
	{"<features>", "<features>\n<_/>", ErrFormat, "line 34|features/_[0]|no <rects>"},
	{"<features>", "<features>\n<_><rects/></_>", ErrFormat, "line 34|rects|empty list"},
}

func TestReadHostileNewForm(t *testing.T) {
	checkHostile(t, hostileNewForm, func(h hostile) string { return h.edit(newFormXML) })
}

var hostileOldForm = []hostile{
	{"24 20<", "24<", ErrFormat, "line 5|size|nothing"},
	{"24 20<", "24 nan<", ErrFormat, "line 5|size|not an integer"},
	{"<left_node>2", "<left_node>0", ErrFormat, "line 22|left_node|1 to 2"},
	{"<left_node>2", "<left_node>3", ErrFormat, "line 22|left_node|1 to 2"},
	{"<left_node>2", "<left_node>1", ErrFormat, "line 9|trees/_[0]|another parent"},
	{"<left_val>0.75</left_val>", "<left_node>1</left_node>", ErrFormat, "line 9|3 leaves|want 4|3 nodes"},
	{"<right_node>1</right_node>", "<right_val>1</right_val>", ErrFormat, "line 9|5 leaves"},
	{"<right_node>1</right_node>", "", ErrFormat, "line 11|trees/_[0]/_[0]|<right_val> or <right_node>"},
	{"<right_node>1</right_node>", "<right_node>1</right_node><right_val>1</right_val>", ErrFormat, "either"},
	{"<threshold>1.5", "<threshold>nan", ErrFormat, "line 21|not a"},
	{"<threshold>1.5</threshold>", "", ErrFormat, "line 11|no <threshold>"},
	{"1.1e-007", "1.2e-007x", ErrFormat, "line 19|not a number"},
	{"<stage_threshold>2.</stage_threshold>", "", ErrFormat, "line 7|no <stage_threshold>"},
	{"<trees>\n", "<trees/><a>\n", ErrFormat, "want </a>"},
	{"0 0 1 1 4.", "0 0 1 1 4. 5.", ErrFormat, "behind the weight"},
	{"<size>", "<size>24 20</size><size>", ErrFormat, "twice"},
	{"24 20<", "24 2<", ErrFormat, "line 3|window 24x2"},
	{"</size>", "</size><stages><_><trees><_/></trees></_></stages>", ErrFormat, "stages|twice"},
	{"<trees>\n", "<trees><_/>\n", ErrFormat, "trees/_[0]|no nodes"},
	{"<trees>\n", "<trees><_><a/></_>\n", ErrFormat, "trees/_[0]/a|<_>"},
	{"<trees>\n", "<trees><_><_/></_>\n", ErrFormat, "trees/_[0]/_[0]|no <feature>"},
	{"<stage_threshold>2.", "<stage_threshold>1e300", ErrFormat, "stage_threshold|float32"},
	{"<left_node>2</left_node>", "<left_node>2</left_node><left_node>2</left_node>", ErrFormat, "left_node|twice"},
	{"<left_val>0.25</left_val>", "<left_val>0.25</left_val><left_val>0.25</left_val>", ErrFormat, "left_val|twice"},
	{"<left_val>0.25", "<left_val>nan", ErrFormat, "left_val|not a number"},
	{"<right_val>0.5", "<right_val>1e10", ErrFormat, "line 9|leaf 1 is 1e+10"},
	{"<trees>\n        <_>", "<trees>\n<_><_><feature><rects><_>0 0 2 2 -1</_><_>0 0 1 1 4</_></rects></feature><threshold>0</threshold><left_node>0</left_node><right_val>1</right_val></_></_>\n<_>",
		ErrFormat, "line 9|trees/_[0]/_[0]/left_node|left_val"},
}

func TestReadHostileOldForm(t *testing.T) {
	checkHostile(t, hostileOldForm, func(h hostile) string { return h.edit(oldFormXML) })
	// Both leaves of a node as nodes: the counts are right, the structure is
	// not.
	cycle := strings.Replace(oldFormXML, "<left_node>2</left_node>", "<left_val>2</left_val>", 1)
	cycle = strings.Replace(cycle, "<right_node>1</right_node>", "<right_val>1</right_val>", 1)
	cycle = strings.Replace(cycle, "<left_val>0.25</left_val>", "<left_node>2</left_node>", 1)
	cycle = strings.Replace(cycle, "<right_val>1</right_val></_></_></trees>", "<right_node>1</right_node></_></_></trees>", 1)
	if _, err := Read(strings.NewReader(cycle), nil); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "2 of 3 nodes cannot be reached") {
		t.Errorf("error %v, want one about nodes that cannot be reached", err)
	}
}

func TestReadHostileLBP(t *testing.T) {
	checkHostile(t, []hostile{
		{"0 0 8 6", "0 0 9 6", ErrFormat, "features/_[0]|3x3 cells of 0,0 9x6"},
		{"0 0 8 6", "0 0 8 7", ErrFormat, "3x3 cells"},
		{"0 0 8 6", "0 0 8 6 1", ErrFormat, "behind the rectangle"},
		{"0 0 8 6", "0 0 8", ErrFormat, "height|nothing"},
		{"<maxCatCount>256</maxCatCount>", "", ErrFormat, "maxCatCount is 0, want 256"},
		{"-1 0 1 2", "-1 0 1", ErrFormat, "node 1|nothing"},
		{"-1 0 1 2", "-1 0 1 4294967296", ErrFormat, "node 0|2147483647"},
		{"-1 -2 0 -1", "-1 1 0 -1", ErrFormat, "another parent"},
		{"-1 -2 0 -1", "-1 2 0 -1", ErrFormat, "child 2"},
		{"-1 -2 0 -1", "-1 -3 0 -1", ErrFormat, "child -3"},
		{"-1 -2 0 -1", "-1 -2147483648 0 -1", ErrFormat, "child -2147483648"},
		{"<leafValues>1 2 3", "<leafValues>1 2", ErrFormat, "2 leaves, want 3"},
	}, func(h hostile) string { return h.edit(lbpXML) })
}

// Every truncated file is an error, except after the root element.
func TestReadTruncatedOpenCV(t *testing.T) {
	for _, file := range []string{newFormXML, oldFormXML, lbpXML} {
		whole := strings.TrimSpace(file)
		for n := range whole {
			if _, err := Read(strings.NewReader(whole[:n]), nil); !errors.Is(err, ErrFormat) {
				t.Fatalf("the first %d of %d bytes: error %v, want one of ErrFormat", n, len(whole), err)
			}
		}
	}
}

// stumps returns a cascade of n stumps in stages of 100.
func stumps(n int) *Cascade {
	c := &Cascade{Kind: Haar, Width: 24, Height: 24, MinStdDev: openCVMinStdDev}
	random := uint32(1)
	unit := func() float32 {
		random = random*1664525 + 1013904223
		return float32(int32(random)) / (1 << 31)
	}
	for i := range n {
		x, y := int32(i)%12, int32(i/12)%12
		c.Features = append(c.Features, haar.Feature{Rects: [3]haar.Rect{
			{X: x, Y: y, W: 12, H: 12, Weight: -1}, {X: x, Y: y, W: 6, H: 12, Weight: 2}}})
		c.Weak = append(c.Weak, Weak{
			Nodes:  []Node{{Feature: int32(i), Threshold: unit(), Right: -1}},
			Leaves: []float32{unit(), unit()}})
		if i%100 == 99 || i == n-1 {
			c.Exits = append(c.Exits, Exit{After: i + 1, Threshold: unit() - 0.5, Restart: true})
		}
	}
	return c
}

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
	if got := string(encodeOpenCV(fileCascades()["xml-trees"])); got != treesXML {
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
		first, err := Read(bytes.NewReader(encodeOpenCV(c)), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name != "xml-many" && !reflect.DeepEqual(first, c) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, first, c)
		}
		second, err := Read(bytes.NewReader(encodeOpenCV(first)), nil)
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
	got := must.Get(Read(bytes.NewReader(encodeOpenCV(c)), nil))
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
		{"verified", "verifier", ErrOpenCV, func(c *Cascade) {}},
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
	got, err := Read(bytes.NewReader(encodeOpenCV(c)), nil)
	if err != nil || !reflect.DeepEqual(got, newFormCascade()) {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, want := range map[string]string{"a-1": "a-1", "1a": "", "_": "", "_a": "_a", "cascade": "", "a b": ""} {
		c.Name = name
		got, err := Read(bytes.NewReader(encodeOpenCV(c)), nil)
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
