package samples

import (
	"fmt"
	"slices"
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

// formatAliases are the other names that ParseFormat takes.
var formatAliases = map[string]Format{
	"": Auto, "info.dat": InfoDat, "infodat": InfoDat, "opencv": InfoDat, "pascal": VOC, "pascalvoc": VOC, "pascal-voc": VOC,
	"dlib": Imglab, "label-studio": LabelStudio,
}

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
	low := strings.ToLower(name)
	if f, ok := formatAliases[low]; ok {
		return f, nil
	}
	if i := slices.Index(formatNames, low); i >= 0 {
		return Format(i), nil
	}
	return Auto, fmt.Errorf("format %q, want one of %s", clip(name), strings.Join(formatNames, ", "))
}
