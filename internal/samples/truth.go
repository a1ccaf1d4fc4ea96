package samples

import (
	"cmp"
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ReadTruth reads photographs and their objects. The path is a file, a pattern
// of names such as day*.json, or for formats with a file for each photograph and
// for COCO also a folder, with its subfolders. Auto decides by the file's
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
	files, err := matches(path)
	if err != nil {
		return nil, err
	}
	if files != nil {
		if f == Auto {
			if f, err = formatOf(files[0]); err != nil {
				return nil, err
			}
		}
		return readFiles(path, files, nil, f)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, named(path, err)
	case info.IsDir():
		return readFolder(path, f)
	case f == Auto:
		if f, err = formatOf(path); err != nil {
			return nil, err
		}
	}
	return readFiles(path, []string{path}, nil, f)
}

// readFiles reads files of one format, which root names together. pictures are
// those of a folder: YOLO means those without labels to be empty.
func readFiles(root string, files, pictures []string, f Format) ([]Photo, error) {
	switch f {
	case VOC:
		return readEach(root, files, readVOC)
	case YOLO:
		return readYOLOs(root, files, pictures)
	case LabelMe:
		return readEach(root, files, readLabelMe)
	}
	if len(files) == 1 {
		return readFile(files[0], f)
	}
	var all gather
	missing := MissingError{List: root}
	for _, file := range files {
		photos, err := readFile(file, f)
		missing.Of += len(photos)
		if gone, ok := errors.AsType[*MissingError](err); ok {
			missing.Of += gone.Of - len(photos)
			missing.Count += gone.Count
			missing.Names = append(missing.Names, gone.Names[:min(len(gone.Names), namesShown-len(missing.Names))]...)
		} else if err != nil {
			return nil, err
		}
		for _, p := range photos {
			if err := all.add(p.File, p.Objects); err != nil {
				return nil, &LineError{file, 0, err}
			}
		}
	}
	if missing.Count > 0 {
		return all.photos, &missing
	}
	return all.photos, nil
}

// A labelled is what one file says of its one photograph.
type labelled struct {
	name    string // in the file, for errors; may be empty
	picture string // where it was found; empty if nowhere
	objects []Object
	marks   []namedMarks // of each object; nil if the format has none
}

// readEach reads files that each are about one photograph.
func readEach(root string, files []string, read func(in io.Reader, file string) (*labelled, error)) ([]Photo, error) {
	var g partGather
	missing := finder{err: MissingError{List: root}}
	var bad badLines
	for _, file := range files {
		in, err := OpenFile(file)
		if err != nil {
			return nil, named(file, err)
		}
		l, err := read(in, file)
		in.Close()
		if err != nil {
			bad.add(err)
			continue
		}
		missing.err.Of++
		if l.picture == "" {
			missing.miss(cmp.Or(l.name, "the picture of "+file))
			continue
		}
		photo, err := g.photo(l.picture)
		for i := 0; i < len(l.objects) && err == nil; i++ {
			var marks namedMarks
			if l.marks != nil {
				marks = l.marks[i]
			}
			err = g.addMarked(photo, l.objects[i], marks)
		}
		if err != nil {
			return nil, &LineError{file, 0, err}
		}
	}
	if err := bad.err(); err != nil {
		return nil, err
	}
	return g.settled(), missing.missing()
}

// readFile reads a file that lists photographs.
func readFile(path string, f Format) ([]Photo, error) {
	in, err := OpenFile(path)
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
	case Imglab:
		photos, err = readImglab(in, path)
	case LabelStudio:
		dir := filepath.Dir(path)
		find.roots = []string{dir, filepath.Join(dir, "images"), ""}
		find.names = studioNames
		photos, err = readLabelStudio(in, path, func(name string) (image.Point, error) {
			file, ok := find.exists(name)
			if !ok {
				return image.Point{}, os.ErrNotExist
			}
			w, h, err := size(file)
			return image.Pt(w, h), err
		})
	}
	if err != nil {
		return nil, err
	}
	return find.resolve(photos)
}

// folderFormats are the formats of folders, the first that is there is taken.
var folderFormats = []Format{VOC, YOLO, LabelMe, COCO, LabelStudio, CSV}

// readFolder reads a folder of labels: of each photograph beside it, or of COCO.
func readFolder(path string, f Format) ([]Photo, error) {
	if f != Auto && !slices.Contains(folderFormats, f) {
		return nil, at(path, 0, "a folder, want a file of the format %v", f)
	}
	files, err := walk(path, func(ext string) bool {
		return ext == ".xml" || ext == ".json" || ext == ".txt" || ext == ".csv" || slices.Contains(endings(), ext)
	})
	if err != nil {
		return nil, err
	}
	of := map[Format][]string{}
	var pictures []string
	for _, file := range files {
		kind := Auto
		switch ext := strings.ToLower(filepath.Ext(file)); {
		case ext == ".xml":
			kind = VOC
		case ext == ".json":
			if kind = f; !slices.Contains([]Format{LabelMe, COCO, LabelStudio}, f) {
				head, _ := headOf(file)
				kind = sniffJSON(head)
			}
		case ext == ".csv":
			if strings.ToLower(filepath.Base(file)) != roboflowCSV {
				continue
			}
			kind = CSV
		case ext != ".txt":
			pictures = append(pictures, file)
		case slices.Contains(yoloNames, strings.ToLower(filepath.Base(file))) || isReadMe(file) || isYOLOList(file):
		default:
			kind = YOLO
		}
		of[kind] = append(of[kind], file)
	}
	if f == Auto {
		if !slices.ContainsFunc(of[YOLO], func(l string) bool { _, ok := yoloPicture(l); return ok }) {
			of[YOLO] = nil
		}
		first := slices.IndexFunc(folderFormats, func(f Format) bool { return len(of[f]) > 0 })
		if first < 0 {
			return nil, at(path, 0, "a folder with neither .xml files of Pascal VOC, nor .txt files of YOLO beside pictures, nor .json files of LabelMe, COCO or Label Studio, nor _annotations.csv")
		}
		f = folderFormats[first]
	}
	if len(of[f]) == 0 {
		return nil, at(path, 0, "no %s in this folder", map[Format]string{
			VOC: ".xml file", YOLO: ".txt file with labels", LabelMe: ".json file", COCO: ".json file", LabelStudio: ".json file", CSV: roboflowCSV,
		}[f])
	}
	return readFiles(path, of[f], pictures, f)
}

// roboflowCSV is the one file of labels in a folder of Roboflow's for TensorFlow.
const roboflowCSV = "_annotations.csv"

// isReadMe knows the notes in Roboflow's folders.
func isReadMe(file string) bool {
	return strings.HasPrefix(strings.ToLower(filepath.Base(file)), "readme")
}
