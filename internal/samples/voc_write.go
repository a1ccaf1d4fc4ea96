package samples

import (
	"encoding/xml"
	"io"
	"path/filepath"
	"strings"
)

type vocOut struct {
	XMLName  xml.Name `xml:"annotation"`
	Folder   string   `xml:"folder"`
	Filename string   `xml:"filename"`
	Path     string   `xml:"path"`
	Size     struct {
		Width  int `xml:"width"`
		Height int `xml:"height"`
		Depth  int `xml:"depth"`
	} `xml:"size"`
	Segmented int            `xml:"segmented"`
	Objects   []vocOutObject `xml:"object"`
}

type vocOutObject struct {
	Name      string `xml:"name"`
	Pose      string `xml:"pose,omitempty"`
	Truncated string `xml:"truncated,omitempty"`
	Occluded  string `xml:"occluded,omitempty"`
	Difficult int    `xml:"difficult"`
	Box       struct {
		Xmin int `xml:"xmin"`
		Ymin int `xml:"ymin"`
		Xmax int `xml:"xmax"`
		Ymax int `xml:"ymax"`
	} `xml:"bndbox"`
}

// WriteVOC writes a folder with a Pascal VOC file for each photograph. The files
// name their pictures relative to themselves. They hold boxes ([Object.Extent]), Ignore
// as "difficult", and the tags class, pose, truncated and occluded. If the folder is
// there, it must hold .xml files only, and is replaced.
func WriteVOC(dir string, photos []Photo) error {
	names, err := stems(photos)
	if err != nil {
		return err
	}
	ours := func(path string) bool { return strings.HasSuffix(path, ".xml") }
	return newFolder(dir, ours, func(fresh string) error {
		for i := range photos {
			name := filepath.FromSlash(names[i]) + ".xml"
			v, err := vocOf(&photos[i], filepath.Dir(filepath.Join(dir, name)))
			if err != nil {
				return err
			}
			if err := putFile(filepath.Join(fresh, name), func(w io.Writer) error {
				e := xml.NewEncoder(w)
				e.Indent("", "\t")
				return e.Encode(v)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// vocOf describes a photograph for a file in a folder.
func vocOf(p *Photo, dir string) (*vocOut, error) {
	v := &vocOut{Folder: filepath.Base(filepath.Dir(p.File)), Filename: filepath.Base(p.File), Path: SeenFrom(dir, p.File)}
	var err error
	if v.Size.Width, v.Size.Height, err = size(p.File); err != nil {
		return nil, err
	}
	v.Size.Depth = 3
	for k := range p.Objects {
		o := &p.Objects[k]
		b := o.Extent()
		if b.Empty() {
			continue
		}
		out := vocOutObject{Name: o.class(), Pose: o.Tags["pose"], Truncated: o.Tags["truncated"], Occluded: o.Tags["occluded"]}
		if o.Ignore {
			out.Difficult = 1
		}
		// Counted from 1, the last one included.
		out.Box.Xmin, out.Box.Ymin, out.Box.Xmax, out.Box.Ymax = b.Min.X+1, b.Min.Y+1, b.Max.X, b.Max.Y
		v.Objects = append(v.Objects, out)
	}
	return v, nil
}
