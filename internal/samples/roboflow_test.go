package samples

import (
	"image"
	"reflect"
	"strings"
	"testing"
)

// Roboflow's folders train, valid and test, and what stands beside them.
func TestRoboflow(t *testing.T) {
	class := func(s string) map[string]string { return map[string]string{"class": s} }
	yolo := map[string][]byte{
		"README.dataset.txt": []byte("# cups > 2024\n"), "README.roboflow.txt": []byte("5 4 3 2 1\n"),
		"data.yaml":               []byte("train: ../train/images\nval: ../valid/images\n\nnc: 2\nnames: ['tea cup', \"mug\"]\n\nroboflow:\n  workspace: x\n"),
		"train/images/a.png":      nil,
		"train/labels/a.txt":      []byte("1 0.5 0.5 0.25 0.2\n0 0.1 0.1 0.5 0.1 0.5 0.5\n"),
		"valid/images/b.png":      nil,
		"valid/labels/b.txt":      []byte(""),
		"test/images/c.jpg.1.png": nil,
		"test/labels/c.jpg.1.txt": []byte("0 .5 .5 1 1"),
	}
	boxes := func(a, b, c string) []Photo {
		return []Photo{
			{c, []Object{{Box: image.Rect(0, 0, 40, 30), Tags: class("tea cup")}}},
			{a, []Object{{Box: image.Rect(15, 12, 25, 18), Tags: class("mug")}, {Box: image.Rect(4, 3, 20, 15), Tags: class("tea cup")}}},
			{b, nil},
		}
	}
	voc := map[string][]byte{
		"README.dataset.txt": []byte("x"),
		"test/c.png":         nil, "test/c.xml": []byte(`<annotation><filename>c.png</filename><object><name>tea cup</name><bndbox><xmin>1</xmin><xmax>40</xmax><ymin>1</ymin><ymax>30</ymax></bndbox></object></annotation>`),
		"train/a.png": nil, "train/a.xml": []byte(`<annotation><filename>a.png</filename><object><name>mug</name><bndbox><xmin>16</xmin><xmax>25</xmax><ymin>13</ymin><ymax>18</ymax></bndbox></object>
			<object><name>tea cup</name><bndbox><xmin>5</xmin><xmax>20</xmax><ymin>4</ymin><ymax>15</ymax></bndbox></object></annotation>`),
		"valid/b.png": nil, "valid/b.xml": []byte(`<annotation><filename>b.png</filename></annotation>`),
	}
	categories := `"categories": [{"id": 0, "name": "cups", "supercategory": "none"}, {"id": 1, "name": "mug", "supercategory": "cups"}, {"id": 2, "name": "tea cup", "supercategory": "cups"}]`
	coco := map[string][]byte{
		"README.roboflow.txt": []byte("x"),
		"test/c.png":          nil, "test/_annotations.coco.json": []byte(`{"info": {"year": "2024"}, ` + categories + `, "images": [{"id": 0, "file_name": "c.png"}], "annotations": [{"id": 0, "image_id": 0, "category_id": 2, "bbox": [0, 0, 40, 30]}]}`),
		"train/a.png": nil, "train/_annotations.coco.json": []byte(`{` + categories + `, "images": [{"id": 0, "file_name": "a.png"}], "annotations": [{"image_id": 0, "category_id": 1, "bbox": [15, 12, 10, 6]}, {"image_id": 0, "category_id": 2, "bbox": [4, 3, 16, 12]}]}`),
		"valid/b.png": nil, "valid/_annotations.coco.json": []byte(`{` + categories + `, "images": [{"id": 0, "file_name": "b.png"}], "annotations": []}`),
	}
	// The size of the picture is a tag, as any column is that a CSV has besides a box.
	sized := boxes("set/train/a.png", "", "set/test/c.png")[:2]
	for _, p := range sized {
		for _, o := range p.Objects {
			o.Tags["width"], o.Tags["height"] = "40", "30"
		}
	}
	table := map[string][]byte{
		"test/c.png": nil, "test/_annotations.csv": []byte("filename,width,height,class,xmin,ymin,xmax,ymax\nc.png,40,30,tea cup,0,0,40,30\n"),
		"train/a.png": nil, "train/_annotations.csv": []byte("filename,width,height,class,xmin,ymin,xmax,ymax\na.png,40,30,mug,15,12,25,18\na.png,40,30,tea cup,4,3,20,15\n"),
		"notes.csv": []byte("a,b\n"),
	}
	for _, test := range []struct {
		name  string
		files map[string][]byte
		want  []Photo
		train string
	}{
		{"YOLO", yolo, boxes("set/train/images/a.png", "set/valid/images/b.png", "set/test/images/c.jpg.1.png"), "set/train"},
		{"VOC", voc, boxes("set/train/a.png", "set/valid/b.png", "set/test/c.png"), "set/train"},
		{"CSV", table, sized, "set/train/_annotations.csv"},
		{"COCO", coco, boxes("set/train/a.png", "set/valid/b.png", "set/test/c.png"), "set/train/_annotations.coco.json"},
	} {
		in := map[string][]byte{}
		for name, data := range test.files {
			in["set/"+name] = data
		}
		put(t, in)
		got, err := ReadTruth("set", Auto)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got  %+v, %v\nwant %+v", test.name, got, err, test.want)
		}
		got, err = ReadTruth(test.train, Auto)
		if err != nil || !reflect.DeepEqual(got, test.want[1:2]) {
			t.Errorf("%s: %s: got  %+v, %v\nwant %+v", test.name, test.train, got, err, test.want[1:2])
		}
	}
}

func TestYAMLAsTruth(t *testing.T) {
	put(t, map[string][]byte{"set/data.yaml": []byte("names: [a]\n")})
	_, err := ReadTruth("set/data.yaml", Auto)
	sameError(t, "YAML", err, "set/data.yaml: a description of a data set of YOLO: name its folder, or a folder in it such as train")
}

func TestYAMLNames(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"nc: 1\n", nil},
		{"names: [a, 'b, c', \"d\"] # three\n", nil},
		{"names: [a, 'b, c', \"d\"]\n", []string{"a", "b, c", "d"}},
		{"names: ['a',\n  'b',\n]\nnc: 2\n", []string{"a", "b"}},
		{"names:\n- a # the first\n- 'b'\nnc: 2\n", []string{"a", "b"}},
		{"\ufeffnames:\r\n  0: a\r\n  1: b c\r\ntrain: x\r\n", []string{"a", "b c"}},
		{"names: {0: a, 1: b}\n", []string{"a", "b"}},
		{"names: []\n", []string{}},
		{"other:\n  names: [x]\nnames: [y]\n", []string{"y"}},
	} {
		got, err := readYAMLNames(strings.NewReader(test.text), "d.yaml")
		if test.want == nil && strings.Contains(test.text, "# three") {
			sameError(t, test.text, err, "d.yaml: the list of names does not end")
			continue
		}
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"nc: 1\nnames: cat\n", `d.yaml:2: names are "cat", want a list such as [cat, dog]`},
		{"names:\n  1: a\n", `d.yaml:2: "1: a", want 0: and the name of this class`},
		{"names: [a\n", "d.yaml: the list of names does not end"},
		{"names: [a]\nnames: [b]\n", `d.yaml:2: "names" stands twice`},
	} {
		_, err := readYAMLNames(strings.NewReader(test.text), "d.yaml")
		sameError(t, test.text, err, test.want)
	}
}

func FuzzYAMLNames(f *testing.F) {
	f.Add("names: ['a', b]\n")
	f.Add("nc: 2\nnames:\n  0: a\n  1: b\n")
	f.Add("names:\n- a\n- b\n")
	f.Fuzz(func(t *testing.T, s string) {
		names, err := readYAMLNames(strings.NewReader(s), "d.yaml")
		if err == nil && len(names) > len(s) {
			t.Errorf("%d names in %d bytes", len(names), len(s))
		}
	})
}
