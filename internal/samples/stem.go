package samples

import (
	"fmt"
	"path/filepath"
	"strings"
)

// stems returns a name for the labels of each photograph, without an extension, with
// slashes, and unlike all others in any case of letters: the path of the picture from
// the folder that holds all of them.
func stems(photos []Photo) ([]string, error) {
	paths := make([]string, len(photos))
	common := ""
	for i := range photos {
		path, err := filepath.Abs(photos[i].File)
		if err != nil {
			return nil, named(photos[i].File, err)
		}
		paths[i] = filepath.ToSlash(path)
		dir := paths[i][:strings.LastIndexByte(paths[i], '/')+1]
		if i == 0 {
			common = dir
		}
		for !strings.HasPrefix(dir, common) {
			common = common[:strings.LastIndexByte(common[:len(common)-1], '/')+1]
			if common == "" {
				break
			}
		}
	}
	taken := map[string]bool{}
	all := make([]string, len(photos))
	for i, path := range paths {
		path = strings.ReplaceAll(strings.TrimPrefix(path, common), ":", "_") // of a volume
		ext := filepath.Ext(path)
		stem := strings.TrimSuffix(path, ext)
		name := stem
		if taken[strings.ToLower(name)] {
			name = stem + "_" + strings.TrimPrefix(ext, ".")
		}
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s_%d", stem, n)
		}
		taken[strings.ToLower(name)] = true
		all[i] = name
	}
	return all, nil
}

// SeenFrom is the path of a file as a file in a folder names it, with slashes.
func SeenFrom(folder, file string) string {
	to, err := filepath.Abs(file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	if from, err := filepath.Abs(folder); err == nil {
		if rel, err := filepath.Rel(from, to); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(to) // on another volume
}

// class is the name of an object's class; without one it is that of all objects.
func (o *Object) class() string {
	if c := strings.TrimSpace(o.Tags["class"]); c != "" {
		return c
	}
	return "object"
}
