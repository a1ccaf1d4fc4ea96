package samples

import (
	"fmt"
	"strings"
)

// A Format is a file format of the positions of objects.
type Format uint8

// The formats of ReadTruth. Auto decides by the file's name and content.
const (
	Auto Format = iota
	InfoDat
	CSV
	VOC
	COCO
	YOLO
	Landmarks
	Imglab
	LabelMe
	LabelStudio
)

var formatNames = []string{"auto", "info", "csv", "voc", "coco", "yolo", "landmarks", "imglab", "labelme", "labelstudio"}

// FormatNames returns the names of all formats, for messages.
func FormatNames() string {
	last := len(formatNames) - 1
	return strings.Join(formatNames[:last], ", ") + " or " + formatNames[last]
}

// String returns the name that ParseFormat takes.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// ParseFormat returns the format of a name: auto, info (also info.dat,
// infodat, opencv), csv, voc (also pascal), coco, yolo, landmarks, imglab (also
// dlib), labelme or labelstudio (also label-studio), in any case. The empty name
// means auto.
func ParseFormat(name string) (Format, error) {
	switch low := strings.ToLower(name); low {
	case "":
		return Auto, nil
	case "info.dat", "infodat", "opencv":
		return InfoDat, nil
	case "pascal", "pascalvoc", "pascal-voc":
		return VOC, nil
	case "dlib":
		return Imglab, nil
	case "label-studio":
		return LabelStudio, nil
	default:
		for i, n := range formatNames {
			if n == low {
				return Format(i), nil
			}
		}
	}
	return Auto, fmt.Errorf("format %q, want one of %s", clip(name), strings.Join(formatNames, ", "))
}
