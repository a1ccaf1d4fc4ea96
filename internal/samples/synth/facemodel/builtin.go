package facemodel

import (
	"bytes"
	_ "embed"
	"sync"
)

//go:embed frontal.facemodel
var frontalFile []byte

var builtin = sync.OnceValue(func() *Model {
	m, err := Read(bytes.NewReader(frontalFile))
	if err != nil {
		panic("facemodel: the built-in model: " + err.Error())
	}
	return m
})

// Builtin returns the built-in model of frontal faces. samples/README.md says
// what it was made from.
func Builtin() *Model { return builtin() }
