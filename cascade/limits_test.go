package cascade

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Every limit accepts the exact number and refuses one more.
func TestLimits(t *testing.T) {
	xml, native := []byte(newFormXML), encode(t, fileCascades()["xml-trees"])
	old := []byte(oldFormXML)
	for _, test := range []struct {
		what     string
		file     []byte
		enough   Limits
		tooSmall Limits
	}{
		{"bytes", xml, Limits{Bytes: len(xml)}, Limits{Bytes: len(xml) - 1}},
		{"bytes", native, Limits{Bytes: len(native)}, Limits{Bytes: len(native) - 1}},
		{"features", xml, Limits{Features: 2}, Limits{Features: 1}},
		{"features", old, Limits{Features: 3}, Limits{Features: 2}},
		{"features", native, Limits{Features: 3}, Limits{Features: 2}},
		{"weak classifiers", xml, Limits{Weak: 2}, Limits{Weak: 1}},
		{"weak classifiers", native, Limits{Weak: 2}, Limits{Weak: 1}},
		{"nodes", xml, Limits{Nodes: 2}, Limits{Nodes: 1}},
		{"nodes", old, Limits{Nodes: 3}, Limits{Nodes: 2}},
		{"nodes", native, Limits{Nodes: 4}, Limits{Nodes: 3}},
		{"nodes", native, Limits{Nodes: 4}, Limits{Nodes: 2}},
		{"elements", xml, Limits{Elements: 36}, Limits{Elements: 35}},
		{"rectangles", xml, Limits{Work: 8}, Limits{Work: 7}},
		{"rectangles", native, Limits{Work: 18}, Limits{Work: 17}},
		{"deeper", xml, Limits{Depth: 7}, Limits{Depth: 6}},
	} {
		if _, err := Read(bytes.NewReader(test.file), &test.enough); err != nil {
			t.Errorf("%+v: %v", test.enough, err)
		}
		_, err := Read(bytes.NewReader(test.file), &test.tooSmall)
		if !errors.Is(err, ErrLimit) || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.what) {
			t.Errorf("%+v: error %v, want one of ErrLimit about %s", test.tooSmall, err, test.what)
		}
	}
	for _, lim := range []Limits{{Bytes: -1}, {Depth: 1<<30 + 1}} {
		if _, err := Read(bytes.NewReader(xml), &lim); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v, want one of ErrOptions", lim, err)
		}
	}
}

// An endless stream is read up to the limit and no further.
func TestReadEndless(t *testing.T) {
	if _, err := Read(endless{}, &Limits{Bytes: 1 << 20}); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want one of ErrLimit", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// bombs are files of about 1 MB, each the largest of its kind.
func bombs() map[string]string {
	fill := func(head, each, tail string) string {
		const size = 1 << 20
		return head + strings.Repeat(each, (size-len(head)-len(tail))/len(each)) + tail
	}
	start, rest, _ := strings.Cut(newFormXML, "<stages>")
	_, features, _ := strings.Cut(rest, "<features>")
	features = "<features>" + features
	stage := `<_><stageThreshold>0</stageThreshold><weakClassifiers>`
	stageEnd := "</weakClassifiers></_></stages>"
	lbpStart, lbpRest, _ := strings.Cut(lbpXML, "<features>")
	tree := `<_><internalNodes>0 -1 0 0</internalNodes><leafValues>0 0</leafValues></_>`
	head, body, _ := strings.Cut(nativeText, "features 3\n")
	_, weak, _ := strings.Cut(body, "grid 2^-4\n")
	_, lines, _ := strings.Cut(weak, "\n")
	threeFeatures := body[:strings.Index(body, "grid")]
	return map[string]string{
		"elements":          fill("<opencv_storage>", "<a/>", "</opencv_storage>"),
		"elements, deep":    fill("<opencv_storage>", "<a>", ""),
		"comments":          fill("<opencv_storage>", "<!---->", "</opencv_storage>"),
		"text":              fill("<opencv_storage>", "1 ", "</opencv_storage>"),
		"name":              fill("<", "a", "/>"),
		"attributes":        fill("<opencv_storage", ` a=""`, "/>"),
		"only <":            fill("", "<", ""),
		"laughs":            fill(billionLaughs, "&c;", "</opencv_storage>"),
		"XML trees":         fill(start+"<stages>"+stage, tree, stageEnd+features),
		"XML stages":        fill(start+"<stages>", stage+tree+"</weakClassifiers></_>", "</stages>"+features),
		"XML one tree":      fill(start+"<stages>"+stage+"<_><internalNodes>", "1 1 0 0 ", "</internalNodes><leafValues>0 0</leafValues></_>"+stageEnd+features),
		"XML leaves":        fill(start+"<stages>"+stage+"<_><internalNodes>0 -1 0 0</internalNodes><leafValues>", "0 ", "</leafValues></_>"+stageEnd+features),
		"XML features":      fill(start+"<stages>"+stage+tree+stageEnd+"<features>", "<_><rects><_>0 0 1 1 1</_><_>0 0 1 1 1</_></rects></_>", "</features></cascade></opencv_storage>"),
		"XML cells":         fill(lbpStart+"<features>", "<_><rect>0 0 1 1</rect></_>", lbpRest[strings.Index(lbpRest, "</features>"):]),
		"native cells":      fill("haarlem-cascade 1\nkind lbp\nwindow 24 20\nseed 0\nfeatures 79000\n", "cell 0 0 1 1\n", ""),
		"native features":   fill(head+"features 45000\n", "up 0 0 1 1 1 0 0 1 1 1\n", ""),
		"native stumps":     fill(head+"features 3\n"+threeFeatures+"grid 2^-0\nweak 73000 exits 73000\n", "stump 0 0 0 0\n", ""),
		"native exits":      fill(head+"features 3\n"+threeFeatures+"grid 2^-0\nweak 45000 exits 45000\n", "stump 0 0 0 0\nexit 0\n", ""),
		"native histograms": fill(head+"features 3\n"+threeFeatures+"grid 2^-0\nweak 40000 exits 40000\n", "hist 0 0 1 0 0 0 0 0 0 0 0\n", ""),
		"native tree":       fill(head+"features 3\n"+threeFeatures+"weak 1 exits 1\ntree 131000", " 0 0 1 1", " 0 0\nexit 0\n"),
		"native strings":    fill("haarlem-cascade 1\nkind haar\nwindow 24 20\nmin-std-dev 1\nseed 0\n", "data \"\"\n", ""),
		"native name":       fill("haarlem-cascade 1\nname \"", "\\u0041", "\"\n"),
		"native number":     fill("haarlem-cascade 1\nkind haar\nwindow ", "1", " 20\n"),
		"native line":       fill("haarlem-cascade 1\nkind haar\nwindow 24 20\nmin-std-dev 0", " ", "\n") + lines,
		"native no line":    fill("haarlem-cascade ", "1", ""),
	}
}

// Reading a bomb of 1 MB allocates less than 40 MB in total, so its peak is
// below that, too.
func TestReadBombs(t *testing.T) {
	for name, file := range bombs() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := Read(io.MultiReader(strings.NewReader(file)), nil)
		spent := time.Since(start)
		runtime.ReadMemStats(&after)
		took := (after.TotalAlloc - before.TotalAlloc) >> 20
		if took >= 40 {
			t.Errorf("%s: %d MB, want less than 40", name, took)
		}
		if spent > time.Minute {
			t.Errorf("%s: %v", name, spent)
		}
		text := "no error"
		if err != nil {
			text = err.Error()
		}
		if len(text) > 400 {
			t.Errorf("%s: an error of %d bytes", name, len(text))
		}
		t.Logf("%s: %d MB, %v, %s", name, took, spent.Round(time.Millisecond), text)
	}
}
