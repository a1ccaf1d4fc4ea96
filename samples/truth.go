package samples

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ReadTruth reads photographs and their objects. The path is a file, or for VOC
// and YOLO also a folder, with its subfolders. Auto decides by the file's
// extension, and then by its content.
//
// Names of pictures are relative to the file, or else to the working directory;
// the photos have the paths that were found. If some do not exist, the error is
// a [*MissingError] and the others are returned too; with any other error there
// are none. All lines about one file become one Photo, in the order of the
// first.
//
// [CheckPositives] checks whether the pictures can be read and contain the
// boxes.
func ReadTruth(path string, f Format) ([]Photo, error) {
	if int(f) >= len(formatNames) {
		return nil, at(path, 0, "%v is no format", f)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, named(path, err)
	}
	if info.IsDir() {
		return readFolder(path, f)
	}
	if f == Auto {
		if f, err = formatOf(path); err != nil {
			return nil, err
		}
	}
	switch f {
	case VOC:
		return readVOCs(path, []string{path})
	case YOLO:
		return readYOLOs(path, []string{path}, nil)
	}

	in, err := os.Open(path)
	if err != nil {
		return nil, named(path, err)
	}
	defer in.Close()
	find := newFinder(path)
	var photos []Photo
	switch f {
	case InfoDat:
		photos, err = readInfoDat(in, path, func(name string) bool { _, ok := find.exists(name); return ok })
	case CSV, Landmarks, boxesOrLandmarks:
		photos, err = readCSV(in, path, f)
	case COCO:
		find.roots = cocoRoots(path)
		photos, err = readCOCO(in, path)
	}
	if err != nil {
		return nil, err
	}
	return find.resolve(photos)
}

// boxesOrLandmarks is a CSV whose header decides.
const boxesOrLandmarks Format = 255

// formatOf returns the format of a file.
func formatOf(path string) (Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".xml":
		return VOC, nil
	case ".json":
		return COCO, nil
	case ".csv", ".tsv":
		return boxesOrLandmarks, nil
	case ".vec":
		return Auto, at(path, 0, "a .vec file holds finished windows, not photographs with objects")
	}
	in, err := os.Open(path)
	if err != nil {
		return Auto, named(path, err)
	}
	defer in.Close()
	head, err := bufio.NewReaderSize(in, 64<<10).Peek(64 << 10)
	if len(head) == 0 {
		if err == io.EOF {
			return Auto, at(path, 0, "the file is empty")
		}
		return Auto, named(path, err)
	}
	for line := range strings.Lines(strings.TrimPrefix(string(head), "\ufeff")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		switch line[0] {
		case '{':
			return COCO, nil
		case '<':
			return VOC, nil
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
		if len(words) == 5 && numbers == 5 {
			return YOLO, nil
		}
		return InfoDat, nil
	}
	return InfoDat, nil // nothing but comments
}

// readFolder reads a folder of files of VOC or YOLO.
func readFolder(path string, f Format) ([]Photo, error) {
	if f != Auto && f != VOC && f != YOLO {
		return nil, at(path, 0, "a folder, want a file of the format %v", f)
	}
	files, err := walk(path, func(ext string) bool { return ext == ".xml" || ext == ".txt" || slices.Contains(endings(), ext) })
	if err != nil {
		return nil, err
	}
	var xml, labels, pictures []string
	for _, file := range files {
		switch ext := strings.ToLower(filepath.Ext(file)); {
		case ext == ".xml":
			xml = append(xml, file)
		case ext != ".txt":
			pictures = append(pictures, file)
		case !slices.Contains(yoloNames, strings.ToLower(filepath.Base(file))):
			labels = append(labels, file)
		}
	}
	if f == Auto {
		switch {
		case len(xml) > 0:
			f = VOC
		case slices.ContainsFunc(labels, func(l string) bool { _, ok := yoloPicture(l); return ok }):
			f = YOLO
		default:
			return nil, at(path, 0, "a folder with neither Pascal VOC's .xml files nor YOLO's .txt files beside pictures")
		}
	}
	if f == VOC {
		if len(xml) == 0 {
			return nil, at(path, 0, "no .xml file in this folder")
		}
		return readVOCs(path, xml)
	}
	if len(labels) == 0 {
		return nil, at(path, 0, "no .txt file with labels in this folder")
	}
	return readYOLOs(path, labels, pictures)
}
