package samples

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// yoloNames are files of class names, one per line, that may be among the
// labels.
var yoloNames = []string{"classes.txt", "obj.names", "classes.names", "names.txt", "_darknet.labels"}

// isYOLOList knows the lists of pictures in a folder of Darknet's or CVAT's, if they are
// not labels of a picture of that name.
func isYOLOList(file string) bool {
	switch strings.ToLower(filepath.Base(file)) {
	case "train.txt", "valid.txt", "val.txt", "validation.txt", "test.txt":
		_, labels := yoloPicture(file)
		return !labels
	}
	return false
}

// yoloYAML are descriptions of a data set, which name its classes.
var yoloYAML = []string{"data.yaml", "data.yml", "dataset.yaml"}

// readClasses reads names of classes; nil without such a file.
func readClasses(dir string) ([]string, error) {
	for _, name := range slices.Concat(yoloNames, yoloYAML) {
		f, err := OpenFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		defer f.Close()
		if slices.Contains(yoloYAML, name) {
			return readYAMLNames(f, filepath.Join(dir, name))
		}
		var classes []string
		err = lines(f, filepath.Join(dir, name), maxYOLOBytes, func(_ int, text string) error {
			classes = append(classes, text)
			return nil
		})
		return classes, err
	}
	return nil, nil
}

// readYAMLNames reads names of a YAML file, which is a list, within brackets or
// not, or a map from numbers. Nothing else of YAML is read. The result is nil
// without names.
func readYAMLNames(r io.Reader, file string) ([]string, error) {
	var (
		names   []string
		inside  bool // names
		bracket string
	)
	err := yamlLines(r, file, func(indent int, text string) error {
		if bracket != "" {
			bracket += " " + text
		} else if value, ok := strings.CutPrefix(text, "names:"); ok && indent == 0 {
			if inside || names != nil {
				return errors.New("\"names\" stands twice")
			}
			inside = true
			if bracket = strings.TrimSpace(value); bracket == "" {
				return nil
			}
			if bracket[0] != '[' && bracket[0] != '{' {
				return fmt.Errorf("names are %q, want a list such as [cat, dog]", clip(bracket))
			}
		} else if inside {
			switch item, ok := strings.CutPrefix(text, "- "); {
			case ok:
				names = append(names, yamlText(item))
				return nil
			case indent == 0:
				inside = false
				return nil
			}
			return yamlEntry(&names, text)
		}
		if bracket == "" || !strings.HasSuffix(bracket, "]") && !strings.HasSuffix(bracket, "}") {
			return nil
		}
		list := bracket[1 : len(bracket)-1]
		keyed := bracket[0] == '{'
		bracket, inside = "", false
		names = []string{}
		for _, item := range yamlItems(list) {
			if !keyed {
				names = append(names, yamlText(item))
			} else if err := yamlEntry(&names, item); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && bracket != "" {
		err = at(file, 0, "the list of names does not end")
	}
	return names, err
}

// yamlLines is lines with the indentation of each.
func yamlLines(r io.Reader, file string, line func(indent int, text string) error) error {
	data, err := io.ReadAll(bound(r, maxYOLOBytes))
	if err != nil {
		return named(file, err)
	}
	n := 0
	for text := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		n++
		inner := strings.TrimLeft(text, " \t")
		indent := len(text) - len(inner)
		if inner = strings.TrimSpace(inner); inner == "" || inner[0] == '#' || inner == "---" {
			continue
		}
		if err := line(indent, inner); err != nil {
			return &LineError{file, n, err}
		}
	}
	return nil
}

// yamlEntry adds NUMBER: NAME, whose numbers count from 0.
func yamlEntry(names *[]string, text string) error {
	key, value, ok := strings.Cut(text, ":")
	n, err := strconv.Atoi(strings.TrimSpace(key))
	if !ok || err != nil || n != len(*names) {
		return fmt.Errorf("%q, want %d: and the name of this class", clip(text), len(*names))
	}
	*names = append(*names, yamlText(value))
	return nil
}

// yamlItems splits at commas outside quotes.
func yamlItems(list string) []string {
	var all []string
	from, quote := 0, byte(0)
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == ',':
			all = append(all, list[from:i])
			from = i + 1
		}
	}
	if last := strings.TrimSpace(list[from:]); last != "" {
		all = append(all, last)
	}
	return all
}

// yamlText is a text without its quotes or comment.
func yamlText(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '\'' || s[0] == '"') {
		if end := strings.LastIndexByte(s, s[0]); end > 0 {
			return s[1:end]
		}
	}
	plain, _, _ := strings.Cut(s, " #")
	return strings.TrimSpace(plain)
}
