package samples

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// boxesOrLandmarks is a CSV whose header decides.
const boxesOrLandmarks Format = 255

// formatOf returns the format of a file.
func formatOf(path string) (Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv":
		return boxesOrLandmarks, nil
	case ".vec":
		return Auto, at(path, 0, "a .vec file holds finished windows, not photographs with objects")
	case ".yaml", ".yml":
		return Auto, at(path, 0, "a description of a data set of YOLO: name its folder, or a folder in it such as train")
	}
	head, err := headOf(path)
	if len(head) == 0 {
		if err == io.EOF {
			return Auto, at(path, 0, "the file is empty")
		}
		return Auto, named(path, err)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".xml":
		return xmlFormat(head), nil
	case ".json":
		return knownJSON(head), nil
	}
	for line := range strings.Lines(strings.TrimPrefix(string(head), "\ufeff")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		switch line[0] {
		case '{', '[':
			return knownJSON(head), nil
		case '<':
			return xmlFormat(head), nil
		}
		for _, sep := range ",;\t" {
			for name := range strings.SplitSeq(strings.ToLower(line), string(sep)) {
				if slices.Contains(fileNames, strings.Trim(name, `" `)) && strings.ContainsRune(line, sep) {
					return boxesOrLandmarks, nil
				}
			}
		}
		words := strings.Fields(line)
		numbers := 0
		for _, w := range words {
			if _, err := number(w); err == nil {
				numbers++
			}
		}
		if numbers == len(words) && (numbers == 5 || numbers >= 7 && numbers%2 == 1) {
			return YOLO, nil
		}
		return InfoDat, nil
	}
	return InfoDat, nil // nothing but comments
}

// headOf returns the beginning of a file. The error is io.EOF if that is all.
func headOf(path string) ([]byte, error) {
	in, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return bufio.NewReaderSize(in, 64<<10).Peek(64 << 10)
}

// xmlFormat tells imglab's XML from Pascal VOC by the root element.
func xmlFormat(head []byte) Format {
	d := xml.NewDecoder(bytes.NewReader(head))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		t, err := d.RawToken()
		if err != nil {
			return VOC
		}
		if e, ok := t.(xml.StartElement); ok {
			if e.Name.Local == "dataset" {
				return Imglab
			}
			return VOC
		}
	}
}

// knownJSON is sniffJSON of a file that somebody named as labels.
func knownJSON(head []byte) Format {
	if f := sniffJSON(head); f != Auto {
		return f
	}
	return COCO
}

// sniffJSON tells the formats in JSON apart: by an array, or by the first key of an
// object that only one has. It is Auto if it is none of ours.
func sniffJSON(head []byte) Format {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, []byte("\ufeff"))))
	switch t, _ := d.Token(); t {
	case json.Delim('['):
		if t, _ := d.Token(); t != json.Delim('{') {
			return Auto
		}
		return LabelStudio
	case json.Delim('{'):
	default:
		return Auto
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return Auto
		}
		switch t {
		case "shapes", "imagePath", "imageData":
			return LabelMe
		case "images", "annotations", "categories":
			return COCO
		}
		if skip(d) != nil {
			return Auto
		}
	}
	return Auto
}
