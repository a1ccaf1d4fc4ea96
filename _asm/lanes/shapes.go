package main

import (
	"fmt"
	"slices"
	"strings"
)

// The most frequent actions and shapes come first, as dispatch compares one after another.
var (
	actions = []int{soft, bins, stump, last, rootYes, rootNo, node}
	shapes  = []int{line, edge, check, grid, wide, pair}
)

// shapesOf returns the shapes that an action can have: patterns have no value.
func shapesOf(action int) []int {
	if action == bins || action == soft {
		return slices.DeleteFunc(slices.Clone(shapes), func(s int) bool { return s == grid })
	}
	return shapes
}

// label is that of the code of a record.
func label(shape, action int) string { return shapeNames[shape] + "_" + actionNames[action] }

// A form defines how a feature of 16 bits is computed, for all machines.
type form struct {
	offsets int // of the record that it uses

	// Which of them are rows and columns. The first row is relative to the
	// window's position, the others to the first; columns are relative to each
	// row, whose first corner is at the row itself. Without rows each offset is
	// a corner.
	rows, columns []int

	// The operations on the corners, which are numbered row by row, with words
	// x, y and z: "x=0" loads one, "x+2" and "x-3" add and subtract one, "x-y"
	// another word, "m" loads the record's Mul and "y*m" multiplies by it. The
	// result of the last step is the value.
	steps string
}

// The order of steps overlaps loads and additions of two words.
var forms = map[int]form{
	edge:  {4, []int{0, 3}, []int{1, 2}, "x=0 y=1 x-3 y-4 x+2 y+y x-5 x-y"},
	line:  {5, []int{0, 4}, []int{1, 2, 3}, "x=0 y=1 x-4 y-5 x-3 y-2 m x+7 y+6 y*m y-x"},
	pair:  {8, nil, nil, "x=0 y=4 x-1 y-5 x-2 y-6 m x+3 y+7 y*m y-x"},
	check: {5, []int{0, 3, 4}, []int{1, 2}, "x=0 y=4 z=1 x+2 y+y z+3 x+6 z+5 x+8 z+7 z-y z+z x-z"},
}

// A worker emits steps on words of type W.
type worker[W any] interface {
	load(corner int) W
	mul() W
	addCorner(to W, corner int)
	subCorner(to W, corner int)
	add(to, w W)
	sub(to, w W)
	times(to, w W)
}

// work emits the steps of a form, and returns the value.
func work[W any](f form, with worker[W]) W {
	words := map[byte]W{}
	var last byte
	for _, s := range strings.Fields(f.steps) {
		last = s[0]
		if s == "m" {
			words['m'] = with.mul()
			continue
		}
		to, from := words[s[0]], s[2]
		corner, number := int(from-'0'), from >= '0' && from <= '9'
		switch {
		case s[1] == '=':
			words[s[0]] = with.load(corner)
		case s[1] == '+' && number:
			with.addCorner(to, corner)
		case s[1] == '-' && number:
			with.subCorner(to, corner)
		case s[1] == '+':
			with.add(to, words[from])
		case s[1] == '-':
			with.sub(to, words[from])
		case s[1] == '*':
			with.times(to, words[from])
		default:
			panic(fmt.Sprintf("step %q", s))
		}
	}
	return words[last]
}
