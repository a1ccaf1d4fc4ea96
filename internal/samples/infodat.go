package samples

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readInfoDat reads OpenCV's lines of a file name, the number of objects, and
// x, y, width and height of each. OpenCV ends names at the first space. Here a
// name may have spaces if only one parse of the line is valid, or exists
// selects one, or the name is in double quotes.
func readInfoDat(r io.Reader, file string, exists func(string) bool) ([]Photo, error) {
	var g gather
	err := lines(r, file, maxTextBytes, func(_ int, text string) error {
		name, numbers, err := cutInfo(text, exists)
		if err != nil {
			return err
		}
		photo, err := g.photo(name)
		if err != nil {
			return err
		}
		var v [4]float64
		for i, s := range numbers {
			if v[i%4], err = number(s); err != nil {
				return fmt.Errorf("box %d, %s: %w", i/4+1, [...]string{"x", "y", "width", "height"}[i%4], err)
			}
			if i%4 < 3 {
				continue
			}
			b, err := cornered(v[0], v[1], v[2], v[3])
			if err != nil {
				return fmt.Errorf("box %d: %w", i/4+1, err)
			}
			if err := g.object(photo, Object{Box: b}); err != nil {
				return err
			}
		}
		return nil
	})
	return g.photos, err
}

// cutInfo splits a line into the name and the numbers after their count.
func cutInfo(text string, exists func(string) bool) (string, []string, error) {
	if text[0] == '"' {
		name, rest, ok := strings.Cut(text[1:], `"`)
		if !ok || name == "" {
			return "", nil, fmt.Errorf("a name in quotes, want \"NAME\" and then the number of boxes")
		}
		words := strings.Fields(rest)
		if len(words) == 0 {
			return "", nil, errNoCount
		}
		return name, words[1:], checkCount(words[0], len(words)-1)
	}

	words := strings.Fields(text)
	if len(words) == 1 {
		return "", nil, errNoCount
	}
	// Which words can be the count of those after them? The first, unless
	// another parse gives a file that exists.
	first, from := -1, 0
	name := func(i int) string { // up to word i, with the spaces inside
		end := 0
		for _, w := range words[:i] {
			end += strings.Index(text[end:], w) + len(w)
		}
		return text[:end]
	}
	for i := 1; i < len(words); i++ {
		if (len(words)-1-i)%4 != 0 || checkCount(words[i], len(words)-1-i) != nil {
			continue
		}
		if first < 0 {
			first = i
		} else if n := name(i); !exists(name(first)) && exists(n) {
			return n, words[i+1:], nil
		}
		if from++; from == 8 { // against lines that are made to take long
			break
		}
	}
	if first < 0 {
		// Errors are about OpenCV's parse.
		i := 1
		for i < len(words)-1 {
			if _, err := strconv.Atoi(words[i]); err == nil {
				break
			}
			i++
		}
		return "", nil, checkCount(words[i], len(words)-1-i)
	}
	return name(first), words[first+1:], nil
}

var errNoCount = fmt.Errorf("a name alone, want the number of boxes behind it: NAME COUNT and X Y WIDTH HEIGHT of each")

// checkCount reports whether a word is the number of boxes of so many numbers.
func checkCount(word string, numbers int) error {
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > maxLine {
		return fmt.Errorf("%q, want the number of boxes: NAME COUNT and X Y WIDTH HEIGHT of each", clip(word))
	}
	if numbers != 4*n {
		return fmt.Errorf("%d boxes need %d numbers (x y width height of each), found %d", n, 4*n, numbers)
	}
	return nil
}
